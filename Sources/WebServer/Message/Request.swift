/// One request, whole: the body has been read.
package struct Request: Sendable {
  package var method: Method
  /// Decoded once, beginning with `/`. It may hold personal data: never log it.
  package var path: String
  package var query: Query
  package var headers: Headers
  /// Empty where the route keeps bodies in files.
  package var body: [UInt8]
  /// The body, where the route keeps bodies in files and one came.
  package var storedBody: StoredBody?
  /// Who sent it, behind trusted proxies the address they name.
  package var clientAddress: ClientAddress
  /// The template of the route that answers, such as `/api/photos/{id}`; nil when none does.
  package internal(set) var route: String?
  /// What the `{names}` of the template stand for here.
  package internal(set) var pathParameters: [String: String] = [:]
  /// When the request line arrived.
  package var startedAt: ContinuousClock.Instant

  /// A request made by hand, as tests do.
  ///
  /// `target` is as on a request line, such as `/api?f=json`. A malformed one keeps its raw text as
  /// path, which no route answers.
  package init(
    _ method: Method, _ target: String, headers: Headers = [:], body: [UInt8] = [],
    clientAddress: ClientAddress = .unknown
  ) {
    var raw = target
    let parsed = raw.withUTF8 { try? RequestTarget($0) }
    self.init(
      method: method, target: parsed ?? RequestTarget(path: target, query: Query()),
      headers: headers, body: body, clientAddress: clientAddress, startedAt: .now)
  }

  init(
    method: Method, target: RequestTarget, headers: Headers, body: [UInt8],
    clientAddress: ClientAddress, startedAt: ContinuousClock.Instant
  ) {
    self.method = method
    path = target.path
    query = target.query
    self.headers = headers
    self.body = body
    self.clientAddress = clientAddress
    self.startedAt = startedAt
  }

  /// What `{name}` of the route's template stands for, decoded; empty for a name it lacks.
  package func parameter(_ name: String) -> String { pathParameters[name] ?? "" }

  /// The body, wherever it lies.
  package var bytes: BodyBytes { storedBody.map { .file($0) } ?? .memory(body) }

  /// The media type of the body in lower case, without parameters; nil where the field is longer than
  /// any that is meant: to look such a text up takes time with the square of its marks.
  package var mediaType: String? {
    guard let type = headers["Content-Type"], type.utf8.count <= 1_000 else { return nil }
    return type.prefix { $0 != ";" }.trimmed.lowercased()
  }
}

extension RequestTarget {
  init(path: String, query: Query) {
    self.path = path
    self.query = query
  }
}
