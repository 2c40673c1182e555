internal import CMicroHTTPD
internal import Glibc
internal import Logging
internal import Metrics
internal import Synchronization

/// The state that the callbacks of one server share.
final class ServerContext: Sendable {
  let configuration: ServerConfiguration
  let router: Router
  let logger: Logger
  let table: ConnectionTable
  let hangups: HangupWatch
  /// Nil for plain HTTP.
  let certificates: CertificateStore?
  let suspensions = Suspensions()
  let activity: ServerActivity
  let isStopping = Atomic<Bool>(false)
  let slots: StreamSlots
  let asideRoom: AsideRoom
  /// Nil if the system had no thread for it. Rejected connections are then closed at once.
  let lingering: Lingering?
  /// In nanoseconds, because dividing a Duration costs more than all other uses of the clock.
  private let headTime: Int64
  private let bodyTime: Int64

  init(
    _ configuration: ServerConfiguration, _ router: Router, _ logger: Logger,
    _ hangups: HangupWatch
  ) throws(InvalidCertificate) {
    var certificates: CertificateStore?
    if let files = configuration.certificate {
      certificates = try CertificateStore(
        files, logger, end: configuration.activity.certificateEnd)
    }
    self.certificates = certificates
    self.configuration = configuration
    self.router = router
    self.logger = logger
    activity = configuration.activity
    activity.shedsFrom.set(configuration.shedsFrom)
    activity.connectionLimit.set(configuration.connections)
    headTime = configuration.headTime.wholeNanoseconds
    bodyTime = configuration.bodyTime.wholeNanoseconds
    slots = StreamSlots(limit: configuration.streams, taken: activity.streams)
    asideRoom = AsideRoom(limit: configuration.asideBytes)
    table = ConnectionTable(perAddress: configuration.connectionsPerAddress)
    self.hangups = hangups
    lingering = Lingering(
      Lingering.Limits(
        connections: configuration.lingerConnections, time: configuration.lingerTime))
  }

  // Connections.

  func begin(_ handle: OpaquePointer) -> Connection {
    let peer = ClientAddress(microhttpd_peer(handle))
    let certificate = certificates?.current
    certificate?.use(for: handle)
    let connection = Connection(
      socket: microhttpd_socket(handle), peer: peer,
      isProxied: configuration.trustedProxies.contains { $0.contains(peer) },
      certificate: certificate)
    connection.expect(.head, within: headTime)
    activity.openConnections.add(1)
    if table.add(connection) {
      hangups.add(connection.socket)
    } else {
      activity.refusedConnections.add()
      connection.cut()
    }
    // After adding it to the table: the acceptor adds both numbers, and would otherwise miss the connection for a
    // moment.
    activity.connections.add()
    return connection
  }

  func end(_ connection: Connection) {
    activity.openConnections.add(-1)
    table.remove(connection)
    // The socket is closed after this.
    if connection.lingers { lingering?.takeIn(connection.socket) }
  }

  // Requests.

  /// Called when the request line has arrived.
  ///
  /// It removes the query from libmicrohttpd, which would copy every parameter into the memory of the connection. A
  /// few thousand short parameters would exhaust that memory, so that no answer could be sent.
  func startRequest(_ connection: Connection, target: UnsafePointer<CChar>) {
    connection.exchange.stage = .head
    connection.exchange.startedAt = .now
    let length = strlen(target)
    connection.exchange.targetLength = length
    connection.exchange.target = target.withMemoryRebound(to: UInt8.self, capacity: length) {
      bytes in
      let raw = UnsafeBufferPointer(start: bytes, count: length)
      return Result { () throws(RequestTarget.Fault) in try RequestTarget(raw) }
    }
    if let mark = strchr(target, Int32(UInt8(ascii: "?"))) { mark[1] = 0 }
  }

  /// Called when the head has arrived: the first call of the handler.
  func takeHead(_ connection: Connection, _ handle: OpaquePointer, _ head: RequestGuard.Head) {
    connection.exchange.isCounted = true
    activity.requests.add(1)
    connection.expect(.body, within: bodyTime)
    connection.exchange.method = Method(rawValue: String(cString: head.method))
    connection.exchange.stage = .body
    do throws(Problem) {
      try admit(connection, handle, head)
    } catch {
      return refuse(connection, handle, error, closing: true)
    }
    receive(connection, handle)
  }

  private func admit(
    _ connection: Connection, _ handle: OpaquePointer, _ head: RequestGuard.Head
  ) throws(Problem) {
    var head = head
    head.targetLength = connection.exchange.targetLength
    let verdict = try RequestGuard.judge(handle, head)
    connection.exchange.headers = verdict.headers
    let target: RequestTarget
    switch connection.exchange.target {
    case .success(let parsed): target = parsed
    case .failure(.tooLong):
      throw Problem(
        .uriTooLong, "The request target is longer than \(RequestTarget.maxLength) bytes.")
    case .failure(.malformed(let reason)): throw Problem(.badRequest, reason)
    }
    guard target.path != "*" || connection.exchange.method == .options else {
      throw Problem(.badRequest, "Only OPTIONS can be asked of the whole server.")
    }
    guard !isStopping.load(ordering: .relaxed) else { throw Deferral.stopping }
    let destination = router.destination(connection.exchange.method, target.path)
    connection.exchange.destination = destination
    try shed(destination)
    try checkLength(connection, verdict, destination)
  }

  /// Prepares for a long body, or rejects it without reading.
  private func receive(_ connection: Connection, _ handle: OpaquePointer) {
    let destination = connection.exchange.destination
    guard let reception = destination.reception,
      case .success(let target) = connection.exchange.target
    else { return }
    if let fault = router.refusal(ofHead: request(connection, target), destination) {
      return refuse(connection, handle, fault, closing: true)
    }
    if let time = reception.bodyTime { connection.expect(.body, within: time.wholeNanoseconds) }
    guard reception.storesBody else { return }
    connection.exchange.stored = StoredBody()
    connection.exchange.isStorageFull = connection.exchange.stored == nil
  }

  private func shed(_ destination: Router.Destination) throws(Problem) {
    guard table.count >= configuration.shedsFrom || isFull else { return }
    if case .route(let route, _) = destination,
      configuration.answeredWhileShedding.contains(route.template)
    {
      return
    }
    activity.shedRequests.add()
    throw Problem(
      .serviceUnavailable, "The server is very busy just now.", headers: ["Retry-After": "10"])
  }

  /// Whether connections use the reserve. Each answer then closes its connection.
  var isFull: Bool { table.staying > configuration.connections }

  /// A body that is slightly too long is read and discarded, so that its connection can be reused. A much longer one
  /// is answered at once, and its connection is closed.
  private func checkLength(
    _ connection: Connection, _ verdict: RequestGuard.Verdict, _ destination: Router.Destination
  ) throws(Problem) {
    let limit = destination.bodyLimit
    if let length = verdict.contentLength {
      guard length &- Self.drained <= limit else {
        throw Router.refusal(of: destination, bodyLimit: limit)
      }
      connection.exchange.body.reserveCapacity(min(length, limit, 65_536))
    }
  }

  /// In bytes, beyond the limit of the route.
  private static let drained = 1 << 20
  /// The same for a chunked body. libmicrohttpd accepts no answer in the middle of one, so the body is read to its
  /// end, and the connection is closed if there are too many bytes.
  private static let drainedChunks = 256 << 20

  /// Called when a piece of the body has arrived.
  ///
  /// - Returns: false if the connection must be closed.
  func takeBody(_ connection: Connection, _ piece: UnsafeRawBufferPointer) -> Bool {
    let limit = connection.exchange.destination.bodyLimit
    connection.exchange.received += piece.count
    guard connection.exchange.received &- Self.drainedChunks <= limit else { return false }
    if connection.exchange.received <= limit { keep(piece, connection) }
    return true
  }

  private func keep(_ piece: UnsafeRawBufferPointer, _ connection: Connection) {
    guard connection.exchange.destination.reception?.storesBody == true else {
      return connection.exchange.body.append(contentsOf: piece)
    }
    guard !connection.exchange.isStorageFull else { return }
    if connection.exchange.stored?.append(piece) != true {
      connection.exchange.isStorageFull = true
      connection.exchange.stored = nil
    }
  }

  /// Called when the whole request has arrived: the last call of the handler, or the one after a
  /// suspension.
  func answer(_ connection: Connection, _ handle: OpaquePointer) {
    connection.expectNothing()
    if case .deferred(let deferral) = connection.exchange.stage {
      if let answer = deferral.answer { send(answer, on: connection, handle) }
      return
    }
    guard case .success(let target) = connection.exchange.target else { return }
    var request = request(connection, target)
    guard connection.exchange.received <= connection.exchange.destination.bodyLimit else {
      let destination = connection.exchange.destination
      let problem = Router.refusal(of: destination, bodyLimit: destination.bodyLimit)
      return refuse(connection, handle, problem, closing: false)
    }
    guard !connection.exchange.isStorageFull else {
      let problem = Problem(
        .serviceUnavailable, "There is no room for the body just now.",
        headers: ["Retry-After": "30"])
      return refuse(connection, handle, problem, closing: false)
    }
    let destination = connection.exchange.destination
    switch router.run(&request, destination) {
    case .ready(let answer): send(answer, on: connection, handle)
    case .later(let handler):
      sleep(connection, handle, request, handler) { [router, request] result in
        router.finish(result, for: request, destination)
      }
    }
  }

  private func sleep(
    _ connection: Connection, _ handle: OpaquePointer, _ request: Request,
    _ handler: DeferredHandler,
    finish: @escaping @Sendable (Result<Response, any Error>) -> Answer
  ) {
    let handle = ConnectionHandle(pointer: handle)
    let deferral = Deferral(connection: handle, suspensions: suspensions, finish: finish)
    guard suspensions.suspend(handle, for: deferral) else {
      return refuse(connection, handle.pointer, Deferral.stopping, closing: true)
    }
    connection.exchange.stage = .deferred(deferral)
    connection.exchange.route = request.route
    var request = request
    request.connection = connection
    handler(request) { deferral.reply($0) }
  }

  /// Answers with an error: a problem of the server, or the reason for rejecting the head.
  func refuse(
    _ connection: Connection, _ handle: OpaquePointer, _ problem: any Error, closing: Bool
  ) {
    let target = (try? connection.exchange.target.get()) ?? RequestTarget(path: "/", query: Query())
    var answer = router.finish(
      .failure(problem), for: request(connection, target), connection.exchange.destination)
    if closing {
      answer.headers["Connection"] = "close"
      connection.lingers = true
    }
    send(answer, on: connection, handle)
  }

  private func request(_ connection: Connection, _ target: RequestTarget) -> Request {
    var request = Request(
      method: connection.exchange.method, target: target, headers: connection.exchange.headers,
      body: connection.exchange.body, clientAddress: clientAddress(connection))
    request.storedBody = connection.exchange.stored
    return request
  }

  /// The nearest address in X-Forwarded-For that is not a trusted proxy. The client could have
  /// forged the entries to the left of it.
  private func clientAddress(_ connection: Connection) -> ClientAddress {
    guard connection.isProxied else { return connection.peer }
    let hops = connection.exchange.headers.values("X-Forwarded-For").joined(separator: ",")
    for hop in hops.split(separator: ",").reversed() {
      guard let address = ClientAddress(String(hop)) else { break }
      if !configuration.trustedProxies.contains(where: { $0.contains(address) }) { return address }
    }
    return connection.peer
  }

  /// Called when the request has ended, answered or not.
  func endRequest(_ connection: Connection, isComplete: Bool) {
    let exchange = exchange(connection)
    connection.expect(.head, within: headTime)
    if exchange.isCounted { activity.requests.add(-1) }
    guard let status = exchange.status,
      configuration.logsRequests || configuration.observer != nil
    else { return }
    let record = AccessRecord(
      method: exchange.method, route: exchange.route, status: status,
      bytes: exchange.pipe?.sent ?? (isComplete ? exchange.bytes : 0),
      duration: exchange.startedAt?.duration(to: .now) ?? .zero, isComplete: isComplete)
    activity.sentBytes.add(record.bytes)
    configuration.observer?(record)
    guard configuration.logsRequests else { return }
    guard let accessLog = configuration.accessLog else { return log(record) }
    accessLog(record)
  }

  /// Takes the request out of its connection and prepares the connection for the next one.
  private func exchange(_ connection: Connection) -> Exchange {
    var exchange = Exchange()
    swap(&exchange, &connection.exchange)
    return exchange
  }

  private func log(_ record: AccessRecord) {
    logger.info(
      "request",
      metadata: [
        "method": "\(record.method.loggable)", "route": "\(record.route ?? "-")",
        "status": "\(record.status.code)", "bytes": "\(record.bytes)",
        "ms": "\(Double(Int(record.duration.milliseconds * 100)) / 100)",
        "complete": "\(record.isComplete)",
      ])
  }
}

extension Method {
  /// The name, or `OTHER`: unknown methods are arbitrary text from the client and must not be logged.
  package var loggable: String {
    let known: [Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    return known.contains(self) ? rawValue : "OTHER"
  }
}
