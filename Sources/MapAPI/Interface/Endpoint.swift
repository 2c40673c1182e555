package import WebServer

/// One operation of the interface: its path, what it takes, what it answers and who does it.
///
/// The router and the OpenAPI document are both made from these, so neither can say what the other
/// does not.
package struct Endpoint: Sendable {
  /// An answer as the OpenAPI document declares it.
  package struct Answer: Sendable {
    package let status: Int
    package let description: String
    /// Media types, each with the name of a schema of the document, or nil for bytes.
    package let content: [(type: String, schema: String?)]

    static func ok(
      _ description: String, _ type: String, schema: String? = nil
    ) -> Answer {
      Answer(status: 200, description: description, content: [(type, schema)])
    }
  }

  package let id: String
  package let method: Method
  package let path: String
  package let tag: String
  package let summary: String
  package let parameters: [Parameter]
  package let answers: [Answer]
  let handler: @Sendable (Request) throws -> Response

  /// `id` is the `operationId`, unique; `path` a template such as
  /// `/api/tiles/devices/{z}/{x}/{y}.mvt`; `answers` are the good ones: what every operation may
  /// answer otherwise is added.
  init(
    _ id: String, _ path: String, tag: String, summary: String, parameters: [Parameter] = [],
    answers: [Answer], method: Method = .get,
    _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.tag = tag
    self.summary = summary
    self.parameters = parameters
    self.answers = answers
    self.handler = handler
  }

  /// Names of the query parameters it takes.
  var queryNames: Set<String> {
    Set(parameters.lazy.filter { $0.location == .query }.map(\.name))
  }

  func add(to router: inout Router) {
    let single = parameters.filter(\.isSingle).map(\.name)
    router.add(method, path, query: queryNames) { [handler] request in
      for name in single where request.query.values(name).count > 1 {
        throw InvalidInput(name, Message("error.repeated"))
      }
      return try handler(request)
    }
  }
}

extension Parameter {
  /// Whether a query may hold it once only.
  var isSingle: Bool {
    if case .repeated = schema { false } else { location == .query }
  }

  /// `f`, which names an encoding and beats `Accept`.
  static func format(_ formats: [String]) -> Parameter {
    .query("f", .oneOf(formats), "The encoding of the answer; it beats the Accept header.")
  }

  /// `lang`, which names a language and beats `Accept-Language`.
  static func language(_ languages: [String]) -> Parameter {
    .query("lang", .oneOf(languages), "The language of names and definitions.")
  }
}
