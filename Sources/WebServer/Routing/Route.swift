/// One method on one path template, with its handler.
package final class Route: Sendable {
  package let method: Method
  /// Such as `/api/collections/{collectionId}/items/{id}`. The log contains this template instead of
  /// the path.
  package let template: String
  /// The accepted query parameters. Nil if the handler validates them.
  package let query: Set<String>?
  /// The maximum length of a body in bytes. 0 for no body.
  package let bodyLimit: Int
  /// Whether any web page may read the response: CORS `*` and CORP `cross-origin`.
  package let isPublic: Bool
  /// Whether the handler changes nothing.
  package let isRead: Bool

  /// The reception of bodies that are too long to accept from every client.
  let reception: Reception?

  let handler: Handler
  let parameterNames: [String]

  init(
    _ method: Method, _ template: String, query: Set<String>?, bodyLimit: Int, isPublic: Bool,
    isRead: Bool, reception: Reception? = nil, parameterNames: [String], handler: Handler
  ) {
    self.method = method
    self.template = template
    self.query = query
    self.bodyLimit = bodyLimit
    self.isPublic = isPublic
    self.isRead = isRead
    self.reception = reception
    self.parameterNames = parameterNames
    self.handler = handler
    refusesUnknownQuery = query != nil && Self.isAPI(template)
  }

  enum Handler: Sendable {
    case immediate(@Sendable (Request) throws -> Response)
    case deferred(DeferredHandler)
  }

  /// Under `/api` an undeclared query parameter is rejected. Pages ignore unknown parameters that
  /// links may carry.
  let refusesUnknownQuery: Bool

  static func isAPI(_ path: String) -> Bool { path == "/api" || path.hasPrefix("/api/") }
}

/// How a route receives long bodies: only from permitted clients and, optionally, into a file.
package struct Reception: Sendable {
  /// Checks a request by its head, before its body is read. A thrown error becomes the response.
  package let admits: @Sendable (Request) throws -> Void
  /// Stores the body in a file instead of memory.
  package let storesBody: Bool
  /// The maximum time for receiving a body, counted from its head. Nil means the server's limit.
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

/// Answers later, from any thread: the connection is suspended until `reply` is called. Only the
/// first reply counts.
package typealias DeferredHandler = @Sendable (_ request: Request, _ reply: @escaping Reply) -> Void

/// Calls `run` on a thread that does not serve sockets, soon, or refuses the request through `reply`.
package typealias Relay =
  @Sendable (_ request: Request, _ run: @escaping @Sendable () -> Void, _ reply: @escaping Reply) ->
  Void

/// Delivers the response of a ``DeferredHandler``.
package typealias Reply = @Sendable (Result<Response, any Error>) -> Void
