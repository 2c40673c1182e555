internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One client's socket and its current request, from NOTIFY_CONNECTION until it is closed.
///
/// `@unchecked Sendable`: all fields except the atomics and `isCut` are used only by the one server thread to which
/// libmicrohttpd assigned the connection. Other threads read the constants and the atomics. The lock of
/// ``ConnectionTable`` protects `isCut`.
final class Connection: @unchecked Sendable {
  let socket: Int32
  let peer: ClientAddress
  let isProxied: Bool
  /// When the reaper closes the connection, in nanoseconds of the continuous clock. 0 means never.
  let deadline = Atomic<Int64>(0)
  /// The data that the client is expected to send next.
  private let awaited = Atomic<UInt8>(Awaited.nothing.rawValue)
  /// Start of the wait, in nanoseconds of the continuous clock.
  private let awaitedSince = Atomic<Int64>(0)
  /// Shut down to make room for others, but not closed yet.
  var isCut = false

  var exchange = Exchange()
  /// Whether the server closes the connection after an early answer, perhaps while the client is
  /// still sending.
  var lingers = false
  /// Retained until the connection is closed, because GnuTLS does not retain it. Nil for plain
  /// HTTP.
  private let certificate: Certificate?

  init(socket: Int32, peer: ClientAddress, isProxied: Bool, certificate: Certificate? = nil) {
    self.socket = socket
    self.peer = peer
    self.isProxied = isProxied
    self.certificate = certificate
  }

  /// Shuts down the socket. libmicrohttpd detects the end and closes it.
  func cut() { shutdown(socket, Int32(SHUT_RDWR)) }

  /// Makes the kernel close the connection when bytes have waited for the client for `timeout`, because it has
  /// disappeared or does not read.
  ///
  /// The time also runs while the client answers that it has no room (tcp(7), TCP_USER_TIMEOUT), and starts again when
  /// the client makes room. The kernel takes few bytes ahead (TCP_NOTSENT_LOWAT), so that the others wait in the body
  /// and count against its capacity.
  func limitWait(to timeout: Duration) {
    var milliseconds = UInt32(clamping: timeout.wholeNanoseconds / 1_000_000)
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, 4)
    var unsent = Self.unsentBytes
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, 4)
  }

  /// Bytes that the kernel holds beyond those under way. A message of live changes has some hundred.
  private static let unsentBytes: UInt32 = 16_384

  /// The data that a connection awaits from its client.
  enum Awaited: UInt8 {
    /// None: the server is processing or sending.
    case nothing
    case head, body
  }

  /// Expects a head or a body within `nanoseconds`.
  func expect(_ what: Awaited, within nanoseconds: Int64) {
    let now = Clock.now
    deadline.store(now &+ nanoseconds, ordering: .relaxed)
    awaitedSince.store(now, ordering: .relaxed)
    awaited.store(what.rawValue, ordering: .relaxed)
  }

  func expectNothing() {
    deadline.store(0, ordering: .relaxed)
    awaited.store(Awaited.nothing.rawValue, ordering: .relaxed)
  }

  /// Makes the reaper close the connection at its next round.
  func expireNow() { deadline.store(1, ordering: .relaxed) }

  /// Since when the connection awaits `what`. Nil if it does not.
  func owes(_ what: Awaited) -> Int64? {
    guard awaited.load(ordering: .relaxed) == what.rawValue else { return nil }
    return awaitedSince.load(ordering: .relaxed)
  }

  /// Whether the client has closed the connection, or its sending side, even if bytes before that are unread. Use it
  /// only while the connection is suspended.
  var hasHungUp: Bool {
    var polled = pollfd(fd: socket, events: Self.closedByPeer, revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// `POLLRDHUP`, which Glibc defines only for `_GNU_SOURCE` (poll(2)).
  private static let closedByPeer: Int16 = 0x2000

  /// The unread content of the socket.
  enum Unread {
    /// Bytes that libmicrohttpd has not read yet.
    case bytes
    /// The client has finished sending, and all its bytes have been read.
    case end
    case nothing
  }

  /// Use it only while the socket is known to be open.
  var unread: Unread {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count > 0 ? .bytes : count == 0 ? .end : .nothing
  }
}

/// The state of one request.
struct Exchange {
  enum Stage {
    /// The request line has not arrived.
    case idle
    case head
    case body
    /// A deferred handler is working on it. The connection is suspended.
    case deferred(Deferral)
    case answered
  }

  var stage = Stage.idle
  var startedAt: ContinuousClock.Instant?
  var target: Result<RequestTarget, RequestTarget.Fault> = .success(
    RequestTarget(path: "/", query: Query()))
  /// The length of the raw target, in bytes, for the guard.
  var targetLength = 0
  var method = Method.get
  var headers = Headers()
  var destination = Router.Destination.nowhere
  var body: [UInt8] = []
  /// The body, if the route stores bodies in files.
  var stored: StoredBody?
  /// The disk is full, so the body could not be stored.
  var isStorageFull = false
  /// Received body bytes, whether stored or discarded.
  var received = 0
  /// Included in the number of requests that a stop waits for.
  var isCounted = false

  // For the log.
  var route: String?
  var status: Status?
  var bytes = 0
  var pipe: BodyPipe?
}

/// The continuous clock in nanoseconds, for atomics.
enum Clock {
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension Duration {
  /// Limited to 292 years.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return min(max(seconds, 0), Int64.max / 2_000_000_000) &* 1_000_000_000
      &+ attoseconds / 1_000_000_000
  }

  var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1_000 + Double(attoseconds) / 1e15
  }
}
