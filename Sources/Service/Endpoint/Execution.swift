package import Logging
package import SpatialDatabase
package import WebServer

/// Runs the endpoints: checks permissions and selects the thread.
package struct Execution: Sendable {
  package let gate: Gate
  package let writes: GroupedWriter
  package let work: WorkQueue
  /// For the slowest work.
  package let longWork: WorkQueue
  package let logger: Logger
  private let visitors: VisitorReading

  package init(
    gate: Gate, writes: GroupedWriter, work: WorkQueue, longWork: WorkQueue, logger: Logger,
    visitors: VisitorReading
  ) {
    self.gate = gate
    self.writes = writes
    self.work = work
    self.longWork = longWork
    self.logger = logger
    self.visitors = visitors
  }

  package func add(_ endpoint: Endpoint, to router: inout Router) {
    let single = endpoint.parameters.filter(\.isSingle).map(\.name)
    let check: @Sendable (Request) throws -> Void = { request in
      for name in single where request.query.values(name).count > 1 {
        throw InvalidInput(name, Message("error.repeated"))
      }
    }
    switch endpoint.handler {
    case .open(let handler):
      router.add(
        endpoint.method, endpoint.path, query: endpoint.judgesQuery ? nil : endpoint.queryNames,
        bodyLimit: endpoint.body?.limit ?? 0
      ) { request in
        try check(request)
        return try inTime { try reading(for: request, endpoint) { try handler(request) } }
      }
    case .personal(let handler):
      let isPublic = endpoint.access == .everyone && endpoint.method == .get
      router.add(
        endpoint.method, endpoint.path, query: endpoint.queryNames,
        bodyLimit: endpoint.body?.limit ?? 0, isPublic: isPublic
      ) { request in
        Self.private(
          try inTime {
            let caller = try gate.caller(request, for: endpoint.access)
            try check(request)
            return try reading(for: request, endpoint) { try handler(request, caller) }
          })
      }
    case .change(let handler):
      addDeferred(endpoint, to: &router) { request, caller, reply in
        try check(request)
        let change = try handler(request, caller)
        writes.write({ try change($0) }, then: reply)
      }
    case .slow(let handler): addQueued(endpoint, on: work, to: &router, check, handler)
    case .long(let handler): addQueued(endpoint, on: longWork, to: &router, check, handler)
    case .apart(let queue, let handler):
      addQueued(endpoint, on: queue, to: &router, check, handler)
    case .aside(let queue, let handler): addAside(endpoint, on: queue, to: &router, handler)
    }
  }

  /// Adds a handler that authenticates callers itself: the gate would treat its token as a user's token.
  private func addAside(
    _ endpoint: Endpoint, on queue: WorkQueue, to router: inout Router,
    _ handler: @escaping @Sendable (Request) throws -> Endpoint.Work
  ) {
    router.addDeferred(
      endpoint.method, endpoint.path, query: endpoint.queryNames, isPublic: false
    ) { request, reply in
      do {
        let work = try handler(request)
        let isTaken = queue.add { reply(self.answer(Result { try work() })) }
        if !isTaken { throw Refusal.busy }
      } catch {
        reply(.failure(error))
      }
    }
  }

  private func addQueued(
    _ endpoint: Endpoint, on queue: WorkQueue, to router: inout Router,
    _ check: @escaping @Sendable (Request) throws -> Void,
    _ handler: @escaping @Sendable (Request, Caller) throws -> Response
  ) {
    addDeferred(endpoint, to: &router) { request, caller, reply in
      try check(request)
      let isTaken = queue.add {
        reply(
          Result {
            if !endpoint.method.isRead { return try handler(request, caller) }
            return try inTime {
              try reading(for: request, endpoint) { try handler(request, caller) }
            }
          })
      }
      if !isTaken { throw Refusal.busy }
    }
  }

  /// The response of an endpoint, whose public data may come from a replica.
  private func reading(
    for request: Request, _ endpoint: Endpoint, _ make: () throws -> Response
  ) throws -> Response {
    let isPublic = endpoint.access == .everyone && !endpoint.needsPrimary
    return isPublic ? try visitors.answer(request, make) : try make()
  }

  /// The response of a quick read. If the database's time limit or a disk error ended the read, the
  /// request is refused instead of failing with an internal error.
  private func inTime(_ read: () throws -> Response) throws -> Response {
    do { return try read() } catch let fault as DatabaseFault where fault.kind == .interrupted {
      logger.warning("a read took too long", metadata: ["error": "\(fault)"])
      throw Refusal.tookTooLong
    } catch let fault as DatabaseFault where fault.isOfCalculation {
      // Only filters contain calculations.
      throw InvalidInput("filter", Message("error.filter.calculation"))
    } catch let fault as DatabaseFault where fault.isOfStorage {
      logger.error("the database cannot be read", metadata: ["error": "\(fault)"])
      throw Refusal.readingImpossible
    }
  }

  /// Adds a handler that responds later; an error that it throws at once is returned at once.
  private func addDeferred(
    _ endpoint: Endpoint, to router: inout Router,
    _ start: @escaping @Sendable (Request, Caller, @escaping Reply) throws -> Void
  ) {
    router.addDeferred(
      endpoint.method, endpoint.path, query: endpoint.queryNames,
      bodyLimit: endpoint.body?.limit ?? 0,
      isPublic: endpoint.access == .everyone && endpoint.method == .get,
      reception: reception(of: endpoint)
    ) { request, reply in
      let answer: Reply = { result in reply(self.answer(result)) }
      do {
        try start(request, try gate.caller(request, for: endpoint.access), answer)
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// Longer request bodies, in bytes, are accepted only after the caller's permission is checked.
  private static let longBody = 1 << 20

  private func reception(of endpoint: Endpoint) -> Reception? {
    guard let body = endpoint.body, body.limit > Self.longBody else { return nil }
    return Reception(
      storesBody: body.isStored, bodyTime: body.isStored ? .seconds(600) : nil
    ) { [gate] request in _ = try gate.caller(request, for: endpoint.access) }
  }

  private func answer(_ result: Result<Response, any Error>) -> Result<Response, any Error> {
    switch result {
    case .success(let response): .success(Self.private(response))
    case .failure(let fault as DatabaseFault) where fault.isOfStorage:
      .failure(savingImpossible(fault))
    case .failure: result
    }
  }

  private func savingImpossible(_ fault: DatabaseFault) -> Refusal {
    if fault.kind == .unknownOutcome {
      logger.error("the outcome of a write is unknown", metadata: ["error": "\(fault)"])
      return .outcomeUnknown
    }
    logger.error("nothing can be saved", metadata: ["error": "\(fault)"])
    return .savingImpossible
  }

  /// Prevents caching of responses for one person, unless the handler sets another policy.
  private static func `private`(_ response: Response) -> Response {
    var response = response
    response.headers.setDefault("Cache-Control", "private, no-store")
    return response
  }
}

extension DatabaseFault {
  /// Whether writes are impossible for a reason that may pass or can be repaired: the disk, the file, a newer schema, or
  /// overload.
  var isOfStorage: Bool {
    switch kind {
    case .diskFull, .ioError, .busy, .closed, .transactionLost, .readOnly, .misplaced, .corrupt,
      .unreadable, .unreachable, .unknownOutcome, .conflict, .newerSchema:
      true
    default: false
    }
  }
}
