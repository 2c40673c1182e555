internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One client's socket and the request it is busy with, from NOTIFY_CONNECTION to its close.
///
/// `@unchecked Sendable`: all but the atomics and `isCut` is touched only by the one server thread that
/// libmicrohttpd gave the connection to; other threads read the constants and the atomics, and `isCut`
/// belongs to the lock of ``ConnectionTable``.
final class Connection: @unchecked Sendable {
  let socket: Int32
  let peer: ClientAddress
  let isProxied: Bool
  /// When the reaper ends it, in nanoseconds of the continuous clock; 0 for never.
  let deadline = Atomic<Int64>(0)
  /// What the client is to send next.
  private let awaited = Atomic<UInt8>(Awaited.nothing.rawValue)
  /// Since when, in nanoseconds of the continuous clock.
  private let awaitedSince = Atomic<Int64>(0)
  /// Cut to make room for others, but not closed yet.
  var isCut = false

  var exchange = Exchange()
  /// Whether it is closed by an answer that its client need not expect, perhaps while it sends.
  var lingers = false
  /// Kept until the connection is closed, as GnuTLS holds no share of it; nil for plain HTTP.
  private let certificate: Certificate?

  init(socket: Int32, peer: ClientAddress, isProxied: Bool, certificate: Certificate? = nil) {
    self.socket = socket
    self.peer = peer
    self.isProxied = isProxied
    self.certificate = certificate
  }

  /// Cuts the connection; libmicrohttpd sees its end and closes it.
  func cut() { shutdown(socket, Int32(SHUT_RDWR)) }

  /// What a connection waits for its client to send.
  enum Awaited: UInt8 {
    /// Nothing: the server is at work, or sends.
    case nothing
    case head, body
  }

  /// A head or a body is to come within so many nanoseconds.
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

  /// Since when the client owes this; nil when it does not.
  func owes(_ what: Awaited) -> Int64? {
    guard awaited.load(ordering: .relaxed) == what.rawValue else { return nil }
    return awaitedSince.load(ordering: .relaxed)
  }

  /// What the socket holds.
  enum Unread {
    /// Bytes that libmicrohttpd has not read.
    case bytes
    /// The client has finished sending, and nothing is left but that.
    case end
    case nothing
  }

  /// Only while the socket is known to be open.
  var unread: Unread {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count > 0 ? .bytes : count == 0 ? .end : .nothing
  }
}

/// One request on its way through.
struct Exchange {
  enum Stage {
    /// The request line has not come.
    case idle
    case head
    case body
    /// A deferred handler has it; the connection sleeps.
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
  /// The body, where the route keeps bodies in files.
  var stored: StoredBody?
  /// The disk had no room for the body.
  var isStorageFull = false
  /// Bytes of body that came, kept or not.
  var received = 0
  /// Counted among the requests that a stop waits for.
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
  /// Cut at 292 years.
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
