package import Logging

/// Finds the handler of a request and finishes its answer. A value: built at start, then frozen.
///
/// It does everything but the socket, so tests need none: routing, 404, 405 with Allow, OPTIONS and
/// CORS, HEAD, unknown query parameters, conditional requests, ranges, compression, problem+json
/// and security headers.
package struct Router: Sendable {
  package private(set) var routes: [Route] = []
  private var tree = RouteTree()

  /// The words of every problem, also of those the router itself finds; translate here.
  package var problemText: @Sendable (any HTTPError, Request) -> ProblemText = { error, _ in
    ProblemText(error)
  }
  /// A page in place of the JSON of a problem, for people who took a wrong turn; nil for JSON.
  ///
  /// Asked only outside of `/api`, by clients whose Accept names HTML.
  package var problemPage: (@Sendable (Status, ProblemText, Request) -> Response?)?
  package var security = SecurityPolicy()
  /// Where errors that do not say how they are answered are logged, whole.
  package var logger = Logger(label: "farol.web")

  package init() {}

  /// Adds a handler.
  ///
  /// - Parameters:
  ///   - method: what it answers; GET answers HEAD too.
  ///   - template: `{name}` stands for one segment, `{name}.mvt` for one with a fixed end,
  ///     `{name...}` for the rest of the path. A literal segment beats a parameter.
  ///   - query: the query parameters accepted; under `/api` any other is a 400 that names it. Nil
  ///     where the handler judges them.
  ///   - bodyLimit: the longest body in bytes; a longer one is a 413.
  ///   - isPublic: CORS `*` and CORP `cross-origin`; by default GETs under `/api`.
  ///   - handler: runs on a server thread; it may block for as long as a quick read takes. What it
  ///     throws is answered by ``HTTPError``, or with a bare 500.
  package mutating func add(
    _ method: Method, _ template: String, query: Set<String>? = [], bodyLimit: Int = 0,
    isPublic: Bool? = nil, _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    add(method, template, query, bodyLimit, isPublic, nil, .immediate(handler))
  }

  /// Adds a handler that answers later and from any thread, for writes and long work; `reception` says
  /// how long bodies are taken.
  package mutating func addDeferred(
    _ method: Method, _ template: String, query: Set<String> = [], bodyLimit: Int = 0,
    isPublic: Bool? = nil, reception: Reception? = nil, _ handler: @escaping DeferredHandler
  ) {
    add(method, template, query, bodyLimit, isPublic, reception, .deferred(handler))
  }

  /// `add(.get, …)`.
  package mutating func get(
    _ template: String, query: Set<String> = [], isPublic: Bool? = nil,
    _ handler: @escaping @Sendable (Request) throws -> Response
  ) {
    add(.get, template, query: query, isPublic: isPublic, handler)
  }

  /// Answers `path` as the routes of `template`, which has no parameters and has been added.
  package mutating func alias(_ path: String, of template: String) {
    tree.addAlias(path, of: template)
  }

  private mutating func add(
    _ method: Method, _ template: String, _ query: Set<String>?, _ bodyLimit: Int,
    _ isPublic: Bool?, _ reception: Reception?, _ handler: Route.Handler
  ) {
    let names = tree.add(template, method: method, route: routes.count)
    routes.append(
      Route(
        method, template, query: query, bodyLimit: bodyLimit,
        isPublic: isPublic ?? (method == .get && Route.isAPI(template)), reception: reception,
        parameterNames: names, handler: handler))
  }

  /// Answers a request whole, as the server does.
  ///
  /// A HEAD answer has no body but the Content-Length of its GET. A ``DeferredHandler`` is waited
  /// for.
  package func respond(to request: Request) -> Response {
    answer(request).response(isHead: request.method == .head)
  }

  /// Where a request leads, before its body is read.
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
    let index = tree.route(match, method) ?? (method == .head ? tree.route(match, .get) : nil)
    if let index { return .route(routes[index], values: match.values) }
    let allow = Self.allowed(tree.methods(match))
    let isPublic = tree.route(match, .get).map { routes[$0].isPublic } ?? false
    return method == .options
      ? .options(allow: allow, isPublic: isPublic) : .wrongMethod(allow: allow, isPublic: isPublic)
  }

  private static func allowed(_ methods: some Sequence<Method>) -> [Method] {
    let methods = Set(methods)
    let known: [Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    return known.filter {
      methods.contains($0) || $0 == .options || $0 == .head && methods.contains(.get)
    } + methods.subtracting(known).sorted { $0.rawValue < $1.rawValue }
  }
}
