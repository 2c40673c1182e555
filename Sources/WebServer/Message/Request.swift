/// A complete request, including its body.
package struct Request: Sendable {
  package var method: Method
  /// Decoded once, begins with `/`. It may contain personal data: never log it.
  package var path: String
  package var query: Query
  package var headers: Headers
  /// Empty if the route stores bodies in files.
  package var body: [UInt8]
  /// The body, if the route stores bodies in files and the request has one.
  package var storedBody: StoredBody?
  /// The client's address. For connections from trusted proxies, it comes from their header.
  package var clientAddress: ClientAddress
  /// The template of the matching route, such as `/api/photos/{id}`. Nil if no route matches.
  package internal(set) var route: String?
  /// The values of the `{names}` in the template.
  package internal(set) var pathParameters: [String: String] = [:]
  /// The connection, while the request is deferred.
  var connection: Connection?

  /// Whether the client of a deferred request no longer waits for the response: it has closed the connection, or at
  /// least its sending side.
  package var isAbandoned: Bool { connection?.hasHungUp ?? false }

  /// Creates a request, for tests.
  ///
  /// `target` has the form of a request line, such as `/api?f=json`. A malformed target keeps its
  /// raw text as path, which matches no route.
  package init(
    _ method: Method, _ target: String, headers: Headers = [:], body: [UInt8] = [],
    clientAddress: ClientAddress = .unknown
  ) {
    var raw = target
    let parsed = raw.withUTF8 { try? RequestTarget($0) }
    self.init(
      method: method, target: parsed ?? RequestTarget(path: target, query: Query()),
      headers: headers, body: body, clientAddress: clientAddress)
  }

  init(
    method: Method, target: RequestTarget, headers: Headers, body: [UInt8],
    clientAddress: ClientAddress
  ) {
    self.method = method
    path = target.path
    query = target.query
    self.headers = headers
    self.body = body
    self.clientAddress = clientAddress
  }

  /// The decoded value of `{name}` in the route's template. Empty for an unknown name.
  package func parameter(_ name: String) -> String { pathParameters[name] ?? "" }

  /// The body, in memory or in a file.
  package var bytes: BodyBytes { storedBody.map { .file($0) } ?? .memory(body) }

  /// The media type of the body in lower case, without parameters. Nil if the field is longer than 1,000 bytes:
  /// processing such a text takes quadratic time, and no valid type is that long.
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
