internal import CMicroHTTPD
internal import Glibc
internal import Metrics

/// Where connections come in, as the acceptor's thread sees it.
struct Door {
  private let listener: Int32
  private let bell: Bell
  private let daemons: Daemons
  private let context: ServerContext
  /// What those ask for who are not to wait: paths, each with what may come before it and after.
  private let urgent: [[UInt8]]
  /// Whether what is asked for can be seen before the connection is handed over.
  private let isPlain: Bool
  /// Those who have said nothing yet.
  private var newcomers: [Newcomer] = []
  /// The thread whose turn it is.
  private var next = 0
  /// Handed over, of which ``begun`` have begun; the rest are on their way.
  private var handed = 0
  private var lastHanded = Clock.now

  /// A connection that has come in and is not handed over yet.
  private struct Newcomer {
    let socket: Int32
    var peer = sockaddr_storage()
    var length = socklen_t(0)
    let until: Int64
  }

  private enum Words {
    case none, urgent, others, farewell
  }

  /// How long somebody may say nothing before being handed over all the same, in nanoseconds: a request
  /// follows its connection at once.
  private static let silence: Int64 = 20_000_000
  /// So many at a time; others are handed over without a look.
  private static let newcomerLimit = 256
  /// Until there is room again, in milliseconds.
  private static let full: Int32 = 10
  /// Until descriptors or memory may be there again, in milliseconds.
  private static let exhausted: Int32 = 50
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
    if Clock.now &- lastHanded > Self.longestWay { handed = begun }
    let isOpen = hasRoom
    // A descriptor below nothing is passed over.
    var polled = [
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: isOpen ? listener : -1, events: Int16(POLLIN), revents: 0),
    ]
    polled += newcomers.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    poll(&polled, nfds_t(polled.count), patience(isOpen: isOpen))
    guard polled[0].revents == 0 else { return }
    listen(to: polled.dropFirst(2).map { $0.revents != 0 })
    guard polled[1].revents != 0 else { return }
    while hasRoom, takeOne() {}
  }

  /// Sends those away who have said nothing yet.
  func close() {
    for newcomer in newcomers { Glibc.close(newcomer.socket) }
  }

  private var begun: Int { Int(clamping: context.activity.connections.value) }

  private var hasRoom: Bool {
    context.table.count + newcomers.count + max(0, handed - begun)
      < context.configuration.connections
  }

  /// How long to wait, in milliseconds; -1 for ever.
  private func patience(isOpen: Bool) -> Int32 {
    // They came in one after the other.
    let first = newcomers.first.map { max(0, ($0.until &- Clock.now) / 1_000_000 + 1) }
    let wait = first.map { Int32(clamping: $0) }
    return isOpen ? wait ?? -1 : min(wait ?? Self.full, Self.full)
  }

  /// Hands on those who have said something, or had time enough.
  private mutating func listen(to haveSpoken: [Bool]) {
    guard !newcomers.isEmpty else { return }
    let now = Clock.now
    var silent: [Newcomer] = []
    for (newcomer, hasSpoken) in zip(newcomers, haveSpoken) {
      let words = hasSpoken ? words(of: newcomer) : .none
      if words == .none, newcomer.until > now {
        silent.append(newcomer)
      } else {
        hand(newcomer, words)
      }
    }
    newcomers = silent
  }

  /// - Returns: whether there may be another.
  private mutating func takeOne() -> Bool {
    var peer = sockaddr_storage()
    var length = socklen_t(0)
    let socket = microhttpd_accept(listener, &peer, &length)
    guard socket >= 0 else {
      switch errno {
      case EAGAIN: return false
      // Who waited has left (accept(2) names what else comes of that).
      case EINTR, ECONNABORTED, EPROTO, ENOPROTOOPT, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH,
        ENONET, EOPNOTSUPP, EPERM:
        return true
      default:
        waitForBell(Self.exhausted)
        return false
      }
    }
    let newcomer = Newcomer(
      socket: socket, peer: peer, length: length, until: Clock.now &+ Self.silence)
    let words = isPlain ? words(of: newcomer) : .others
    if words == .none, newcomers.count < Self.newcomerLimit {
      newcomers.append(newcomer)
    } else {
      hand(newcomer, words)
    }
    return true
  }

  /// What the beginning of a request asks for, which stays to be read.
  private func words(of newcomer: Newcomer) -> Words {
    var beginning = [UInt8](repeating: 0, count: 32)
    let count = recv(
      newcomer.socket, &beginning, beginning.count, Int32(MSG_PEEK | MSG_DONTWAIT)
    )
    if count == 0 { return .farewell }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .none : .farewell }
    let target = beginning.prefix(count).drop { $0 != UInt8(ascii: " ") }
    return urgent.contains { target.starts(with: $0) } ? .urgent : .others
  }

  private mutating func hand(_ newcomer: Newcomer, _ words: Words) {
    if words == .farewell {
      Glibc.close(newcomer.socket)
      return
    }
    let number = words == .urgent ? daemons.urgent : next
    if daemons.hand(newcomer.socket, of: newcomer.peer, length: newcomer.length, to: number) {
      handed += 1
      lastHanded = Clock.now
    }
    if words != .urgent { next = (next + 1) % daemons.count }
  }

  /// Waits, but no longer than until the bell rings.
  private func waitForBell(_ milliseconds: Int32) {
    var polled = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
    poll(&polled, 1, milliseconds)
  }
}
