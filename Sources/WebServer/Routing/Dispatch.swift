internal import Locking
internal import Logging

/// The path from a request to a finished answer.
extension Router {
  /// The result of running a request.
  enum Outcome {
    case ready(Answer)
    /// To be run while the connection is suspended. Its reply goes through ``finish``.
    case later(DeferredHandler)
  }

  func answer(_ request: Request) -> Answer {
    var request = request
    let destination = destination(request.method, request.path)
    switch run(&request, destination) {
    case .ready(let answer):
      return answer
    case .later(let handler):
      let box = ReplyBox()
      handler(request) { box.give($0) }
      return finish(box.wait(), for: request, destination)
    }
  }

  /// Runs the handler of the destination, or produces the answer if there is no handler.
  func run(_ request: inout Request, _ destination: Destination) -> Outcome {
    do throws(Problem) {
      switch destination {
      case .nowhere, .wrongMethod:
        throw Self.refusal(of: destination, bodyLimit: 0)
      case .options(let allow, let isPublic):
        return .ready(finish(.success(options(allow, isPublic)), for: request, destination))
      case .route(let route, let values):
        return try run(&request, route, values, destination)
      }
    } catch {
      return .ready(finish(.failure(error), for: request, destination))
    }
  }

  private func run(
    _ request: inout Request, _ route: Route, _ values: [String], _ destination: Destination
  ) throws(Problem) -> Outcome {
    request.address(route, values)
    try checkQuery(request, route)
    guard request.body.count <= route.bodyLimit else {
      throw Self.refusal(of: destination, bodyLimit: route.bodyLimit)
    }
    switch route.handler {
    case .deferred(let handler):
      return .later(relay.map { Self.relayed(handler, $0) } ?? handler)
    case .immediate(let handler):
      return run(request, handler, destination)
    }
  }

  private func run(
    _ request: Request, _ handler: @escaping @Sendable (Request) throws -> Response,
    _ destination: Destination
  ) -> Outcome {
    guard let relay else {
      return .ready(finish(Result { try handler(request) }, for: request, destination))
    }
    do {
      let response = try SocketThread.running { try handler(request) }
      return .ready(finish(.success(response), for: request, destination))
    } catch is TooCostly {
      return .later { request, reply in
        relay(request, { reply(Result { try handler(request) }) }, reply)
      }
    } catch {
      return .ready(finish(.failure(error), for: request, destination))
    }
  }

  /// A deferred handler whose start may be too costly for the thread that serves its socket.
  private static func relayed(
    _ handler: @escaping DeferredHandler, _ relay: @escaping Relay
  ) -> DeferredHandler {
    { request, reply in
      // Throws only what the handler has replied.
      try? SocketThread.running {
        handler(request) { result in
          guard SocketThread.hasLeft else { return reply(result) }
          relay(request, { handler(request, reply) }, reply)
        }
      }
    }
  }

  /// The reason for rejecting a request before its body is read. Nil if it is accepted.
  func refusal(ofHead request: Request, _ destination: Destination) -> (any Error)? {
    guard case .route(let route, let values) = destination, let reception = route.reception else {
      return nil
    }
    var request = request
    request.address(route, values)
    do { try reception.admits(request) } catch { return error }
    return nil
  }

  private func checkQuery(_ request: Request, _ route: Route) throws(Problem) {
    guard !request.query.isEmpty, route.refusesUnknownQuery, let known = route.query else { return }
    let unknown = request.query.names.filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw Problem(
        .badRequest, "The query holds a parameter that this address does not know.",
        fields: unknown.prefix(FieldError.maximum).map {
          FieldError(field: $0, detail: "This parameter is not known here.")
        }, members: unknown.count > FieldError.maximum ? [FieldError.more] : [])
    }
  }

  /// The reason for not running a request: no matching route, or its body is too long.
  static func refusal(of destination: Destination, bodyLimit: Int) -> Problem {
    switch destination {
    case .nowhere:
      Problem(.notFound, "There is nothing at this address.")
    case .wrongMethod(let allow, _):
      Problem(
        .methodNotAllowed, "This address does not answer that method.",
        headers: ["Allow": list(allow)])
    case .route, .options:
      Problem(
        .contentTooLarge,
        bodyLimit == 0
          ? "This address takes no body." : "The body is longer than \(bodyLimit) bytes.")
    }
  }

  private func options(_ allow: [Method], _ isPublic: Bool) -> Response {
    var response = Response(.noContent, headers: ["Allow": Self.list(allow)])
    if isPublic {
      response.headers.add("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
      response.headers.add("Access-Control-Allow-Headers", "*")
      response.headers.add("Access-Control-Max-Age", "86400")
    }
    return response
  }

  private static func list(_ methods: [Method]) -> String {
    methods.map(\.rawValue).joined(separator: ", ")
  }

  /// Converts a handler's result into an answer.
  func finish(
    _ result: Result<Response, any Error>, for request: Request, _ destination: Destination
  ) -> Answer {
    let isPublic = isPublic(request, destination)
    do {
      return Answer(
        try result.get(), for: request, isPublic: isPublic, security: security)
    } catch {
      return Answer(
        problem(error, for: request, isRead: isRead(request, destination)), for: request,
        isPublic: isPublic, security: security)
    }
  }

  private func isPublic(_ request: Request, _ destination: Destination) -> Bool {
    switch destination {
    case .route(let route, _): route.isPublic
    case .options(_, let isPublic), .wrongMethod(_, let isPublic): isPublic
    case .nowhere: request.method.isRead && Route.isAPI(request.path)
    }
  }

  private func isRead(_ request: Request, _ destination: Destination) -> Bool {
    if case .route(let route, _) = destination { route.isRead } else { request.method.isRead }
  }

  private func problem(_ error: any Error, for request: Request, isRead: Bool) -> Response {
    let shown: any HTTPError
    if let known = error as? any HTTPError ?? httpError?(error, isRead) {
      shown = known
    } else {
      logger.error(
        "unexpected error",
        metadata: [
          "error": "\(String(reflecting: error))", "method": "\(request.method.rawValue)",
          "route": "\(request.route ?? "-")",
        ])
      shown = Problem(.internalServerError, "Something went wrong on our side.")
    }
    let text = problemText(shown, request)
    if let page = page(shown, text, for: request) { return page }
    return ProblemReport(error: shown, text: text, path: request.path).response
  }

  /// The HTML page for a problem, if the client accepts HTML. The API answers with a page only if `f` asks
  /// for one, because scripts of pages also accept HTML.
  private func page(
    _ error: any HTTPError, _ text: ProblemText, for request: Request
  ) -> Response? {
    let asksForPage =
      Route.isAPI(request.path)
      ? request.query["f"] == "html"
      : request.headers.values("Accept").contains { $0.contains("text/html") }
    guard asksForPage,
      var page = problemPage?(error.status, text, request)
    else { return nil }
    page.status = error.status
    for (name, value) in error.headers.all { page.headers[name] = value }
    page.headers.setDefault("Cache-Control", "no-store")
    page.headers.merge("Vary", "Accept, Accept-Language")
    return page
  }
}

extension Request {
  /// Stores the matching route and the values of its parameters.
  fileprivate mutating func address(_ route: Route, _ values: [String]) {
    self.route = route.template
    for (name, value) in zip(route.parameterNames, values) { pathParameters[name] = value }
  }
}

/// Stores the reply of a deferred handler while a thread without a socket waits for it.
private final class ReplyBox: Sendable {
  private let reply = Monitor<Result<Response, any Error>?>(nil)

  func give(_ result: Result<Response, any Error>) {
    reply.withLock { $0 = $0 ?? result }
  }

  func wait() -> Result<Response, any Error> {
    reply.wait(until: { $0 != nil }) { held in
      held ?? .failure(Problem(.internalServerError, "No reply was given."))
    }
  }
}
