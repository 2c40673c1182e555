internal import CMicroHTTPD
internal import Glibc
internal import Metrics

/// The state of the acceptor, used only on its thread.
///
/// While there is room, a connection is passed to a worker thread with its first bytes, or after a short silence. At
/// the connection limit the acceptor continues to accept. A new connection that has sent bytes replaces the
/// connection whose client has kept the server waiting longest (``ConnectionTable/makeRoom(_:at:)``). Health checks
/// may exceed the limit and use the reserve. Neither therefore waits behind silent connections.
struct AcceptLoop {
  private let listener: Int32
  private let wakeup: Wakeup
  private let daemons: Daemons
  private let context: ServerContext
  /// The paths of urgent requests, each with its delimiters before and after.
  private let urgent: [[UInt8]]
  /// Whether the request path can be read before the connection is passed on.
  private let isPlain: Bool
  /// Accepted connections that have not been passed on yet, in order of arrival.
  private var pendingConnections: [PendingConnection] = []
  /// The index of the thread that takes the next connection.
  private var next = 0
  /// The number of connections passed on. ``begun`` of them have started, the rest are pending.
  private var handed = 0
  private var lastHanded = Clock.now
  /// The system had no descriptor or memory for a connection. No connection is accepted until this
  /// time.
  private var exhaustedUntil: Int64 = 0

  /// Time in nanoseconds after which a silent connection is passed on anyway. A request normally follows its
  /// connection at once.
  private static let silence: Int64 = 20_000_000
  /// The same while there is no room. Then the connection is closed.
  private static let silenceWhenFull: Int64 = 1_000_000_000
  /// Time in nanoseconds that a connection with received bytes waits for room. After that it is answered with 503,
  /// using the reserve.
  private static let waitForRoom: Int64 = 300_000_000
  /// The same with TLS, where a health check cannot be distinguished from other requests.
  private static let waitForRoomEncrypted: Int64 = 50_000_000
  /// Maximum number of pending connections. Further ones are passed on without reading their first
  /// bytes.
  private static let pendingLimit = 256
  /// Connections accepted at a time before the pending ones are checked again.
  private static let acceptedAtOnce = 64
  /// Time until the next check for room, in milliseconds.
  private static let full: Int32 = 2
  /// Time until the next attempt after descriptors or memory were exhausted, in nanoseconds.
  private static let exhausted: Int64 = 50_000_000
  /// In nanoseconds. libmicrohttpd has dropped a connection that has not started after this time, because it had no
  /// memory.
  private static let handoverTimeout: Int64 = 1_000_000_000

  init(listener: Int32, wakeup: Wakeup, daemons: Daemons, context: ServerContext) {
    self.listener = listener
    self.wakeup = wakeup
    self.daemons = daemons
    self.context = context
    urgent = context.configuration.answeredWhileShedding.map { Array(" \($0)".utf8) }
    isPlain = context.certificates == nil
    handed = begun
  }

  /// Waits for connections or their first bytes, and passes connections on.
  mutating func accept() {
    let now = Clock.now
    if now &- lastHanded > Self.handoverTimeout { handed = begun }
    let isOpen = now >= exhaustedUntil && accepts(now)
    // poll ignores a negative descriptor.
    var polled = [
      pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isOpen ? listener : -1, events: Int16(POLLIN), revents: 0),
    ]
    polled += pendingConnections.map {
      pollfd(fd: $0.words == .none ? $0.socket : -1, events: Int16(POLLIN), revents: 0)
    }
    poll(&polled, nfds_t(polled.count), pollTimeout(isOpen: isOpen, now))
    guard polled[0].revents == 0 else { return }
    attend(to: polled.dropFirst(2).map { $0.revents != 0 })
    guard polled[1].revents != 0 else { return }
    var accepted = 0
    while accepted < Self.acceptedAtOnce, accepts(now), takeOne() { accepted += 1 }
  }

  /// Closes the connections that have not been passed on.
  func close() {
    for pending in pendingConnections { Glibc.close(pending.socket) }
  }

  private var begun: Int { Int(clamping: context.activity.connections.value) }

  /// The connections that libmicrohttpd has or is about to have.
  private var inside: Int { context.table.count + max(0, handed - begun) }

  /// Whether one more connection may be passed on.
  private var hasRoom: Bool {
    context.table.staying + max(0, handed - begun) < context.configuration.connections
      && inside < maxInside
  }

  private var maxInside: Int { context.configuration.connections + context.configuration.reserve }

  /// Whether one more connection fits, pending or passed on.
  private var fits: Bool {
    inside + pendingConnections.count < maxInside + context.configuration.waitingRoom
  }

  /// Whether another connection may be accepted: there is room, or a pending connection can be closed for it.
  private func accepts(_ now: Int64) -> Bool { fits || expendable(now) != nil }

  /// The index of the pending connection to close for a new one. A health check is never closed.
  ///
  /// With plain HTTP a client gets a moment for its first bytes, because it may be about to send a health check.
  /// Connections that have been silent for longer are closed first, then those with other requests, then the rest.
  /// With TLS a health check cannot be recognised, so silent connections are closed first, however short their
  /// silence.
  private func expendable(_ now: Int64) -> Int? {
    let moment = isPlain ? Self.silence : 0
    return pendingConnections.firstIndex { $0.words == .none && now &- $0.since >= moment }
      ?? pendingConnections.firstIndex { $0.words == .others }
      ?? pendingConnections.firstIndex { $0.words == .none }
  }

  /// The time to wait, in milliseconds. -1 means no limit.
  private func pollTimeout(isOpen: Bool, _ now: Int64) -> Int32 {
    var wait = isOpen ? nil : Self.full
    for pending in pendingConnections {
      let left = pending.words == .none ? pending.since &+ Self.silence &- now : 0
      wait = min(wait ?? .max, left > 0 ? Int32(clamping: left / 1_000_000 + 1) : Self.full)
    }
    return wait ?? -1
  }

  /// Passes on connections that have sent bytes or have waited long enough.
  private mutating func attend(to areReadable: [Bool]) {
    guard !pendingConnections.isEmpty else { return }
    let now = Clock.now
    let arrived = pendingConnections
    pendingConnections = []
    var owed = 0
    for (pending, isReadable) in zip(arrived, areReadable) {
      var pending = pending
      if isReadable { pending.words = pending.read(urgent: urgent, isPlain: isPlain) }
      if !settle(pending, now) {
        pendingConnections.append(pending)
        if pending.words == .others, !hasRoom { owed += 1 }
      }
    }
    if owed > 0 { makeRoom(owed, now) }
  }

  /// Passes a pending connection on or closes it, if it is time for that.
  ///
  /// - Returns: false if it must wait.
  private mutating func settle(_ pending: PendingConnection, _ now: Int64) -> Bool {
    let waited = now &- pending.since
    switch pending.words {
    case .disconnected:
      Glibc.close(pending.socket)
    case .urgent:
      guard inside < maxInside else { return false }
      hand(pending, urgently: true)
    case .others:
      let limit = isPlain ? Self.waitForRoom : Self.waitForRoomEncrypted
      guard !hasRoom else {
        hand(pending, urgently: false)
        break
      }
      // Half of the reserve remains for health checks.
      guard waited > limit, inside < maxInside - context.configuration.reserve / 2 else {
        return false
      }
      hand(pending, urgently: false)
    case .none:
      guard waited > Self.silence else { return false }
      guard !hasRoom else {
        hand(pending, urgently: false)
        break
      }
      guard waited > Self.silenceWhenFull else { return false }
      dismiss(pending)
    }
    return true
  }

  /// Shuts down as many connections as pending ones wait for room, minus those that are already
  /// closing.
  private func makeRoom(_ owed: Int, _ now: Int64) {
    let leaving = context.table.count - context.table.staying
    guard owed > leaving else { return }
    let cut = context.table.makeRoom(owed - leaving, at: now)
    context.activity.evictedConnections.add(cut)
  }

  /// Closes the most expendable pending connection. It first checks again whether that connection
  /// is still silent.
  private mutating func evict(_ now: Int64) {
    while let place = expendable(now) {
      if pendingConnections[place].words == .none {
        pendingConnections[place].words = pendingConnections[place].read(
          urgent: urgent, isPlain: isPlain)
      }
      switch pendingConnections[place].words {
      case .none, .others: return dismiss(pendingConnections.remove(at: place))
      case .urgent, .disconnected:
        if settle(pendingConnections[place], now) { pendingConnections.remove(at: place) }
      }
      if fits { return }
    }
  }

  private func dismiss(_ pending: PendingConnection) {
    context.activity.evictedConnections.add()
    Glibc.close(pending.socket)
  }

  /// - Returns: whether there may be another connection to accept.
  private mutating func takeOne() -> Bool {
    var peer = sockaddr_storage()
    var length = socklen_t(0)
    let socket = microhttpd_accept(listener, &peer, &length)
    guard socket >= 0 else { return isWorthAnotherTry() }
    let now = Clock.now
    if !fits { evict(now) }
    var pending = PendingConnection(socket: socket, peer: peer, length: length, since: now)
    pending.words =
      isPlain || !hasRoom ? pending.read(urgent: urgent, isPlain: isPlain) : .others
    if pending.words == .none, pendingConnections.count >= Self.pendingLimit, hasRoom {
      hand(pending, urgently: false)
    } else if !settle(pending, now) {
      pendingConnections.append(pending)
    }
    return true
  }

  /// Whether `accept` may be called again at once after a failure.
  private mutating func isWorthAnotherTry() -> Bool {
    switch errno {
    case EAGAIN: return false
    // The waiting client has disconnected (accept(2) lists the other errors that this can cause).
    case EINTR, ECONNABORTED, EPROTO, ENOPROTOOPT, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
      ENONET, EOPNOTSUPP, EPERM:
      return true
    default:
      let now = Clock.now
      exhaustedUntil = now &+ Self.exhausted
      makeRoom(1, now)
      return false
    }
  }

  private mutating func hand(_ pending: PendingConnection, urgently: Bool) {
    let number = urgently ? daemons.urgent : next
    if daemons.hand(pending.socket, of: pending.peer, length: pending.length, to: number) {
      handed += 1
      lastHanded = Clock.now
    }
    if !urgently { next = (next + 1) % daemons.count }
  }
}
