/// One method on one path template, and what answers it.
package final class Route: Sendable {
  package let method: Method
  /// Such as `/api/collections/{collection}/items/{id}`; this, not the path, is what is logged.
  package let template: String
  /// The query parameters it accepts; nil where its handler judges them.
  package let query: Set<String>?
  /// The longest body it accepts, in bytes; 0 for none.
  package let bodyLimit: Int
  /// Whether any web page may read the answer: CORS `*` and CORP `cross-origin`.
  package let isPublic: Bool

  /// How bodies are taken that are too long to be taken from anybody.
  let reception: Reception?

  let handler: Handler
  let parameterNames: [String]

  init(
    _ method: Method, _ template: String, query: Set<String>?, bodyLimit: Int, isPublic: Bool,
    reception: Reception? = nil, parameterNames: [String], handler: Handler
  ) {
    self.method = method
    self.template = template
    self.query = query
    self.bodyLimit = bodyLimit
    self.isPublic = isPublic
    self.reception = reception
    self.parameterNames = parameterNames
    self.handler = handler
    refusesUnknownQuery = query != nil && Self.isAPI(template)
  }

  enum Handler: Sendable {
    case immediate(@Sendable (Request) throws -> Response)
    case deferred(DeferredHandler)
  }

  /// Under `/api` an undeclared query parameter is refused; pages ignore what links carry along.
  let refusesUnknownQuery: Bool

  static func isAPI(_ path: String) -> Bool { path == "/api" || path.hasPrefix("/api/") }
}

/// How a route takes long bodies: only from those who may send them, and, where it says so, into a file.
package struct Reception: Sendable {
  /// Judges a request by its head, before any of its body is read; what it throws is the answer.
  package let admits: @Sendable (Request) throws -> Void
  /// Keeps the body in a file in place of memory.
  package let storesBody: Bool
  /// The longest that a body may take, from its head; nil for the server's own limit.
  package let bodyTime: Duration?

  package init(
    storesBody: Bool = false, bodyTime: Duration? = nil,
    admits: @escaping @Sendable (Request) throws -> Void
  ) {
    self.admits = admits
    self.storesBody = storesBody
    self.bodyTime = bodyTime
  }
}

/// Answers later, from any thread: the connection sleeps until `reply` is called. Only the first
/// reply counts.
package typealias DeferredHandler = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

/// Hands in the answer of a ``DeferredHandler``.
package typealias Reply = @Sendable (Result<Response, any Error>) -> Void
