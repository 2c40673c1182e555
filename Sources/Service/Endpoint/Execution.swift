package import SpatialDatabase
package import WebServer

/// Runs the endpoints: checks permissions and selects the thread. ``DatabaseRefusals`` answers for the database.
package struct Execution: Sendable {
  package let gate: Gate
  package let writes: GroupedWriter
  package let reads: CostlyReads
  /// Two concurrent password hashes of 19 MiB each (docs/decisions). No other work delays a sign-in.
  package let passwords: RequestQueue
  /// For photos, which use a subprocess, and decisions.
  package let work = RequestQueue("work", width: 2, capacity: 64)
  /// For the slowest work.
  package let longWork = RequestQueue("long work", width: 2, capacity: 16)
  private let visitors: VisitorReading

  /// `readers` is the number of connections for reading.
  package init(
    gate: Gate, writes: GroupedWriter, readers: Int, settings: InstanceSettings,
    visitors: VisitorReading
  ) {
    self.gate = gate
    self.writes = writes
    reads = CostlyReads(gate: gate, readers: readers, seconds: settings.readSeconds)
    var limits = RequestQueue.Limits()
    limits.width = 2
    limits.capacity = 128
    passwords = RequestQueue("passwords", limits)
    self.visitors = visitors
  }

  /// The queues of requests, with their names in metrics.
  package var queues: [(name: String, queue: any MeasuredQueue)] {
    [("reads", reads.queue), ("passwords", passwords), ("work", work), ("long", longWork)]
  }

  /// Finishes the work of all queues.
  package func stop() {
    reads.queue.stop()
    passwords.stop()
    work.stop()
    longWork.stop()
  }

  package func add(_ endpoint: Endpoint, to router: inout Router) {
    let single = endpoint.parameters.filter(\.isSingle).map(\.name)
    let takesBody = endpoint.body != nil
    let check: @Sendable (Request) throws -> Void = { request in
      if !takesBody { try Self.checkEmpty(request) }
      guard !request.query.isEmpty else { return }
      for name in single where request.query.values(name).count > 1 {
        throw InvalidInput(name, Message("error.repeated"))
      }
    }
    switch endpoint.handler {
    case .open(let handler):
      router.add(
        endpoint.method, endpoint.path, query: endpoint.judgesQuery ? nil : endpoint.queryNames,
        bodyLimit: Self.bodyLimit(of: endpoint), isRead: true
      ) { request in
        try check(request)
        return try reading(for: request, endpoint) { try handler(request) }
      }
    case .personal(let handler):
      let isPublic = endpoint.access == .everyone && endpoint.method == .get
      router.add(
        endpoint.method, endpoint.path, query: endpoint.queryNames,
        bodyLimit: Self.bodyLimit(of: endpoint), isPublic: isPublic, isRead: true
      ) { request in
        let caller = try caller(request, endpoint)
        try check(request)
        return Self.private(
          try reading(for: request, endpoint) {
            try gate.guarding(caller, for: endpoint.access) { try handler(request, caller) }
          })
      }
    case .change(let handler):
      addDeferred(endpoint, to: &router) { request, caller, reply in
        try check(request)
        try gate.guarding(caller, for: endpoint.access) {
          let change = try handler(request, caller)
          writes.write({ try change($0) }, then: reply)
        }
      }
    case .password(let handler): addQueued(endpoint, on: passwords, to: &router, check, handler)
    case .slow(let handler): addQueued(endpoint, on: work, to: &router, check, handler)
    case .long(let handler): addQueued(endpoint, on: longWork, to: &router, check, handler)
    case .apart(let queue, let handler):
      addQueued(endpoint, on: queue, to: &router, check, handler)
    case .aside(let queue, let handler): addAside(endpoint, on: queue, to: &router, handler)
    }
  }

  private func caller(_ request: Request, _ endpoint: Endpoint) throws -> Caller {
    try gate.caller(request, for: endpoint.access, isKeyed: endpoint.isKeyed)
  }

  /// Adds a handler that authenticates callers itself: the gate would treat its token as a user's token.
  private func addAside(
    _ endpoint: Endpoint, on queue: RequestQueue, to router: inout Router,
    _ handler: @escaping @Sendable (Request) throws -> Endpoint.Work
  ) {
    router.addDeferred(
      endpoint.method, endpoint.path, query: endpoint.queryNames, isPublic: false
    ) { request, reply in
      do {
        let work = try handler(request)
        queue.add(
          request, of: Requester(request, nil), { reply(Result { Self.private(try work()) }) },
          reply)
      } catch {
        reply(.failure(error))
      }
    }
  }

  private func addQueued(
    _ endpoint: Endpoint, on queue: RequestQueue, to router: inout Router,
    _ check: @escaping @Sendable (Request) throws -> Void,
    _ handler: @escaping @Sendable (Request, Caller) throws -> Response
  ) {
    addDeferred(endpoint, to: &router) { request, caller, reply in
      try check(request)
      queue.add(
        request, of: Requester(request, caller.principal),
        { reply(Result { try answer(request, caller, endpoint, handler) }) }, reply)
    }
  }

  /// The response of a handler whose request has waited in a queue, where the caller may have lost access.
  private func answer(
    _ request: Request, _ earlier: Caller, _ endpoint: Endpoint,
    _ handler: (Request, Caller) throws -> Response
  ) throws -> Response {
    let caller = try earlier.principal == nil ? earlier : self.caller(request, endpoint)
    return try reading(for: request, endpoint) {
      try gate.guarding(caller, for: endpoint.access) { try handler(request, caller) }
    }
  }

  /// The response of an endpoint, whose public data may come from a replica.
  private func reading(
    for request: Request, _ endpoint: Endpoint, _ make: () throws -> Response
  ) throws -> Response {
    let isPublic = endpoint.access == .everyone && !endpoint.needsPrimary
    return isPublic ? try visitors.answer(request, make) : try make()
  }

  /// Adds a handler that responds later; an error that it throws at once is returned at once.
  private func addDeferred(
    _ endpoint: Endpoint, to router: inout Router,
    _ start: @escaping @Sendable (Request, Caller, @escaping Reply) throws -> Void
  ) {
    router.addDeferred(
      endpoint.method, endpoint.path, query: endpoint.queryNames,
      bodyLimit: Self.bodyLimit(of: endpoint),
      isPublic: endpoint.access == .everyone && endpoint.method == .get,
      reception: reception(of: endpoint)
    ) { request, reply in
      let answer: Reply = { result in reply(result.map(Self.private)) }
      do {
        let caller = try caller(request, endpoint)
        try start(request, caller, answer)
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// The maximum length of the body of a write without one. Many clients send an empty JSON object with each POST.
  private static let emptyBody = 64

  private static func bodyLimit(of endpoint: Endpoint) -> Int {
    endpoint.body?.limit ?? (endpoint.method.isRead ? 0 : emptyBody)
  }

  /// Refuses a body other than an empty JSON object.
  private static func checkEmpty(_ request: Request) throws {
    let bytes = request.body.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard bytes.isEmpty || bytes == Array("{}".utf8) else {
      throw Refusal(.contentTooLarge, "error.no_body")
    }
  }

  /// Longer request bodies, in bytes, are accepted only after the caller's permission is checked.
  private static let longBody = 1 << 20

  private func reception(of endpoint: Endpoint) -> Reception? {
    guard let body = endpoint.body, body.limit > Self.longBody else { return nil }
    return Reception(
      storesBody: body.isStored, bodyTime: body.isStored ? .seconds(600) : nil
    ) { request in _ = try caller(request, endpoint) }
  }

  /// Prevents caching of responses for one person, unless the handler sets another policy.
  private static func `private`(_ response: Response) -> Response {
    var response = response
    response.headers.setDefault("Cache-Control", "private, no-store")
    return response
  }
}
