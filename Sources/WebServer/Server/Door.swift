internal import CMicroHTTPD
internal import Glibc
internal import Metrics

/// Where connections come in, as the acceptor's thread sees it.
///
/// As long as there is room, a connection is handed to a thread with its first bytes, or after a short
/// silence. Once there are as many as there may be, it goes on accepting: one that has said something takes
/// the place of the one whose client has kept the server waiting longest
/// (``ConnectionTable/makeRoom(_:at:)``); health is handed over beyond the limit, into the reserve.
/// So neither waits behind connections that say nothing.
struct Door {
  private let listener: Int32
  private let bell: Bell
  private let daemons: Daemons
  private let context: ServerContext
  /// What those ask for who are not to wait: paths, each with what may come before it and after.
  private let urgent: [[UInt8]]
  /// Whether what is asked for can be seen before the connection is handed over.
  private let isPlain: Bool
  /// Connections that are not handed over yet, in the order they came.
  private var newcomers: [Newcomer] = []
  /// The thread whose turn it is.
  private var next = 0
  /// Handed over, of which ``begun`` have begun; the rest are on their way.
  private var handed = 0
  private var lastHanded = Clock.now
  /// The system gave no descriptor or memory for a connection; until then, none is accepted.
  private var exhaustedUntil: Int64 = 0

  /// How long somebody may say nothing before being handed over all the same, in nanoseconds: a request
  /// follows its connection at once.
  private static let silence: Int64 = 20_000_000
  /// The same while there is no room; then it is closed.
  private static let silenceWhenFull: Int64 = 1_000_000_000
  /// How long one that has said something waits for room, in nanoseconds; then it is answered 503 in the
  /// reserve.
  private static let waitForRoom: Int64 = 300_000_000
  /// The same with TLS, where health cannot be told from the rest.
  private static let waitForRoomEncrypted: Int64 = 50_000_000
  /// So many at a time; others are handed over without a look.
  private static let newcomerLimit = 256
  /// Accepted at a time, before those who have come are looked at again.
  private static let acceptedAtOnce = 64
  /// Until there is room again, in milliseconds.
  private static let full: Int32 = 2
  /// Until descriptors or memory may be there again, in nanoseconds.
  private static let exhausted: Int64 = 50_000_000
  /// In nanoseconds: what has not begun after so long was given up by libmicrohttpd, as it had no memory.
  private static let longestWay: Int64 = 1_000_000_000

  init(listener: Int32, bell: Bell, daemons: Daemons, context: ServerContext) {
    self.listener = listener
    self.bell = bell
    self.daemons = daemons
    self.context = context
    urgent = context.configuration.answeredWhileShedding.map { Array(" \($0)".utf8) }
    isPlain = context.certificates == nil
    handed = begun
  }

  /// Waits for somebody, and hands on whoever has come.
  mutating func letIn() {
    let now = Clock.now
    if now &- lastHanded > Self.longestWay { handed = begun }
    let isOpen = now >= exhaustedUntil && accepts(now)
    // A descriptor below nothing is passed over.
    var polled = [
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isOpen ? listener : -1, events: Int16(POLLIN), revents: 0),
    ]
    polled += newcomers.map {
      pollfd(fd: $0.words == .none ? $0.socket : -1, events: Int16(POLLIN), revents: 0)
    }
    poll(&polled, nfds_t(polled.count), patience(isOpen: isOpen, now))
    guard polled[0].revents == 0 else { return }
    attend(to: polled.dropFirst(2).map { $0.revents != 0 })
    guard polled[1].revents != 0 else { return }
    var accepted = 0
    while accepted < Self.acceptedAtOnce, accepts(now), takeOne() { accepted += 1 }
  }

  /// Sends those away who are not handed over yet.
  func close() {
    for newcomer in newcomers { Glibc.close(newcomer.socket) }
  }

  private var begun: Int { Int(clamping: context.activity.connections.value) }

  /// Those that libmicrohttpd has, or is about to have.
  private var inside: Int { context.table.count + max(0, handed - begun) }

  /// Whether one more may be handed over.
  private var hasRoom: Bool {
    context.table.staying + max(0, handed - begun) < context.configuration.connections
      && inside < mostInside
  }

  private var mostInside: Int { context.configuration.connections + context.configuration.reserve }

  /// Whether there may be one connection more, here or inside.
  private var fits: Bool {
    inside + newcomers.count < mostInside + context.configuration.waitingRoom
  }

  /// Whether another connection may be accepted: there is room, or a newcomer can be closed for it.
  private func accepts(_ now: Int64) -> Bool { fits || expendable(now) != nil }

  /// The place of the newcomer to close for another one, never one that asks for health.
  ///
  /// In plain HTTP a client has a moment for its first bytes, as it may be about to ask for health: those
  /// that have been silent for longer come first, then those that asked for something else, then the rest.
  /// Over TLS health looks like anything else, so that silent ones come first, however short their silence.
  private func expendable(_ now: Int64) -> Int? {
    let moment = isPlain ? Self.silence : 0
    return newcomers.firstIndex { $0.words == .none && now &- $0.since >= moment }
      ?? newcomers.firstIndex { $0.words == .others }
      ?? newcomers.firstIndex { $0.words == .none }
  }

  /// How long to wait, in milliseconds; -1 for ever.
  private func patience(isOpen: Bool, _ now: Int64) -> Int32 {
    var wait = isOpen ? nil : Self.full
    for newcomer in newcomers {
      let left = newcomer.words == .none ? newcomer.since &+ Self.silence &- now : 0
      wait = min(wait ?? .max, left > 0 ? Int32(clamping: left / 1_000_000 + 1) : Self.full)
    }
    return wait ?? -1
  }

  /// Hands on those who have said something, or had time enough.
  private mutating func attend(to haveSpoken: [Bool]) {
    guard !newcomers.isEmpty else { return }
    let now = Clock.now
    let arrived = newcomers
    newcomers = []
    var owed = 0
    for (newcomer, hasSpoken) in zip(arrived, haveSpoken) {
      var newcomer = newcomer
      if hasSpoken { newcomer.words = newcomer.read(urgent: urgent, isPlain: isPlain) }
      if !settle(newcomer, now) {
        newcomers.append(newcomer)
        if newcomer.words == .others, !hasRoom { owed += 1 }
      }
    }
    if owed > 0 { makeRoom(owed, now) }
  }

  /// Hands a newcomer over or closes it, if it is time for that.
  ///
  /// - Returns: false when it is to wait.
  private mutating func settle(_ newcomer: Newcomer, _ now: Int64) -> Bool {
    let waited = now &- newcomer.since
    switch newcomer.words {
    case .farewell:
      Glibc.close(newcomer.socket)
    case .urgent:
      guard inside < mostInside else { return false }
      hand(newcomer, urgently: true)
    case .others:
      let longest = isPlain ? Self.waitForRoom : Self.waitForRoomEncrypted
      guard !hasRoom else {
        hand(newcomer, urgently: false)
        break
      }
      // Half of the reserve stays for health.
      guard waited > longest, inside < mostInside - context.configuration.reserve / 2 else {
        return false
      }
      hand(newcomer, urgently: false)
    case .none:
      guard waited > Self.silence else { return false }
      guard !hasRoom else {
        hand(newcomer, urgently: false)
        break
      }
      guard waited > Self.silenceWhenFull else { return false }
      dismiss(newcomer)
    }
    return true
  }

  /// Cuts as many as newcomers wait for room, less those that are leaving already.
  private func makeRoom(_ owed: Int, _ now: Int64) {
    let leaving = context.table.count - context.table.staying
    guard owed > leaving else { return }
    let cut = context.table.makeRoom(owed - leaving, at: now)
    context.activity.evictedConnections.add(cut)
  }

  /// Closes the newcomer that is most expendable, after another look at whether it is silent.
  private mutating func evict(_ now: Int64) {
    while let place = expendable(now) {
      if newcomers[place].words == .none {
        newcomers[place].words = newcomers[place].read(urgent: urgent, isPlain: isPlain)
      }
      switch newcomers[place].words {
      case .none, .others: return dismiss(newcomers.remove(at: place))
      case .urgent, .farewell: if settle(newcomers[place], now) { newcomers.remove(at: place) }
      }
      if fits { return }
    }
  }

  private func dismiss(_ newcomer: Newcomer) {
    context.activity.evictedConnections.add()
    Glibc.close(newcomer.socket)
  }

  /// - Returns: whether there may be another.
  private mutating func takeOne() -> Bool {
    var peer = sockaddr_storage()
    var length = socklen_t(0)
    let socket = microhttpd_accept(listener, &peer, &length)
    guard socket >= 0 else { return isWorthAnotherTry() }
    let now = Clock.now
    if !fits { evict(now) }
    var newcomer = Newcomer(socket: socket, peer: peer, length: length, since: now)
    newcomer.words =
      isPlain || !hasRoom ? newcomer.read(urgent: urgent, isPlain: isPlain) : .others
    if newcomer.words == .none, newcomers.count >= Self.newcomerLimit, hasRoom {
      hand(newcomer, urgently: false)
    } else if !settle(newcomer, now) {
      newcomers.append(newcomer)
    }
    return true
  }

  /// Whether `accept` may be called again at once, after it failed.
  private mutating func isWorthAnotherTry() -> Bool {
    switch errno {
    case EAGAIN: return false
    // Who waited has left (accept(2) names what else comes of that).
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

  private mutating func hand(_ newcomer: Newcomer, urgently: Bool) {
    let number = urgently ? daemons.urgent : next
    if daemons.hand(newcomer.socket, of: newcomer.peer, length: newcomer.length, to: number) {
      handed += 1
      lastHanded = Clock.now
    }
    if !urgently { next = (next + 1) % daemons.count }
  }
}
