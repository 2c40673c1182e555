package import Logging

/// Finds the handler of a request and finishes its response. A value type: built at start, then
/// never changed.
///
/// It does everything except the socket, so tests need no socket: routing, 404, 405 with Allow,
/// OPTIONS and CORS, HEAD, unknown query parameters, conditional requests, ranges, compression,
/// problem+json and security headers.
package struct Router: Sendable {
  package private(set) var routes: [Route] = []
  private var tree = RouteTree()

  /// Provides the texts of every problem, including those found by the router. Translate here.
  package var problemText: @Sendable (any HTTPError, Request) -> ProblemText = { error, _ in
    ProblemText(error)
  }
  /// Converts an error that is not an ``HTTPError``, such as one of a database. `isRead` states whether the handler
  /// changes nothing. Nil means a 500 without details.
  package var httpError: (@Sendable (any Error, _ isRead: Bool) -> (any HTTPError)?)?
  /// Provides an HTML page instead of the JSON of a problem. Nil means JSON.
  ///
  /// Called for clients whose Accept contains HTML, and under `/api` for requests with `f=html`.
  package var problemPage: (@Sendable (Status, ProblemText, Request) -> Response?)?
  /// Runs handlers that are too costly for the threads that serve sockets, on another thread. Nil means that every
  /// handler may run on them.
  package var relay: Relay?
  package var security = SecurityPolicy()
  /// Logs the full details of errors that are not an ``HTTPError``.
  package var logger = Logger(label: "farol.web")

  package init() {}

  /// Adds a handler.
  ///
  /// - Parameters:
  ///   - method: the method of the route. GET also answers HEAD.
  ///   - template: `{name}` matches one segment, `{name}.mvt` one segment with a fixed end,
  ///     `{name...}` the rest of the path. A literal segment has precedence over a parameter.
  ///   - query: the accepted query parameters. Under `/api` any other parameter gets a 400 that
  ///     names it. Nil if the handler validates them.
  ///   - bodyLimit: the maximum length of the body in bytes. A longer body gets 413.
  ///   - isPublic: CORS `*` and CORP `cross-origin`. By default this applies to GET under `/api`.
  ///   - isRead: whether the handler changes nothing, for ``httpError``. By default this applies to GET.
  ///   - handler: runs on a server thread. It may block for the time of a quick read. If it throws ``TooCostly``, it
  ///     runs once more through ``relay``, so it must have changed nothing before. A thrown ``HTTPError`` becomes its
  ///     own response; so does an error that ``httpError`` converts. Any other error becomes a 500 without details.
  package mutating func add(
    _ method: Method, _ template: String, query: Set<String>? = [], bodyLimit: Int = 0,
    isPublic: Bool? = nil, isRead: Bool? = nil,
    _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    add(method, template, query, bodyLimit, isPublic, isRead, nil, .immediate(handler))
  }

  /// Adds a handler that answers later and from any thread, for writes and long work. `reception` states how long
  /// bodies are received.
  package mutating func addDeferred(
    _ method: Method, _ template: String, query: Set<String> = [], bodyLimit: Int = 0,
    isPublic: Bool? = nil, reception: Reception? = nil, _ handler: @escaping DeferredHandler
  ) {
    add(method, template, query, bodyLimit, isPublic, nil, reception, .deferred(handler))
  }

  /// `add(.get, …)`.
  package mutating func get(
    _ template: String, query: Set<String> = [], isPublic: Bool? = nil,
    _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    add(.get, template, query: query, isPublic: isPublic, handler)
  }

  /// Answers `path` with the routes of `template`. The template must have no parameters and must
  /// exist already.
  package mutating func alias(_ path: String, of template: String) {
    tree.addAlias(path, of: template)
  }

  private mutating func add(
    _ method: Method, _ template: String, _ query: Set<String>?, _ bodyLimit: Int,
    _ isPublic: Bool?, _ isRead: Bool?, _ reception: Reception?, _ handler: Route.Handler
  ) {
    let names = tree.add(template, method: method, route: routes.count)
    routes.append(
      Route(
        method, template, query: query, bodyLimit: bodyLimit,
        isPublic: isPublic ?? (method == .get && Route.isAPI(template)),
        isRead: isRead ?? method.isRead, reception: reception, parameterNames: names,
        handler: handler))
  }

  /// Answers a complete request, as the server does.
  ///
  /// A HEAD response has no body, but the Content-Length of the GET response. The method waits for
  /// a ``DeferredHandler``.
  package func respond(to request: Request) -> Response {
    answer(request).response(isHead: request.method == .head)
  }

  /// The destination of a request, determined before its body is read.
  enum Destination: Sendable {
    case route(Route, values: [String])
    case options(allow: [Method], isPublic: Bool)
    case wrongMethod(allow: [Method], isPublic: Bool)
    case nowhere

    var reception: Reception? {
      if case .route(let route, _) = self { route.reception } else { nil }
    }

    var bodyLimit: Int {
      if case .route(let route, _) = self { route.bodyLimit } else { 0 }
    }
  }

  func destination(_ method: Method, _ path: String) -> Destination {
    guard let match = tree.match(path) else {
      return path == "*" && method == .options
        ? .options(allow: [.get, .head, .options], isPublic: false) : .nowhere
    }
    if let found = route(match, method) { return found }
    let others = tree.matches(path)
    for other in others { if let found = route(other, method) { return found } }
    let allow = Self.allowed(([match] + others).flatMap { tree.methods($0) })
    let isPublic = tree.route(match, .get).map { routes[$0].isPublic } ?? false
    return method == .options
      ? .options(allow: allow, isPublic: isPublic) : .wrongMethod(allow: allow, isPublic: isPublic)
  }

  private func route(_ match: RouteTree.Match, _ method: Method) -> Destination? {
    let index = tree.route(match, method) ?? (method == .head ? tree.route(match, .get) : nil)
    return index.map { .route(routes[$0], values: match.values) }
  }

  private static func allowed(_ methods: some Sequence<Method>) -> [Method] {
    let methods = Set(methods)
    let known: [Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    return known.filter {
      methods.contains($0) || $0 == .options || $0 == .head && methods.contains(.get)
    } + methods.subtracting(known).sorted { $0.rawValue < $1.rawValue }
  }
}
