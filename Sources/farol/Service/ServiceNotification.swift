import Foundation

/// Says to the service manager that started the program how it is, as sd_notify(3) does: one datagram
/// to the socket that `NOTIFY_SOCKET` names. Without that variable nothing is said.
struct ServiceNotification: Sendable {
  /// What there is to say.
  enum State: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    /// Still alive.
    case watchdog = "WATCHDOG=1"
  }

  private let socket: String?
  /// Seconds between two signs of life that the manager wants; nil: none.
  let watchdogInterval: TimeInterval?

  init(environment: [String: String]) {
    let name = environment["NOTIFY_SOCKET"] ?? ""
    // A path, or a name that is in no folder, written with an @ (unix(7)).
    socket = name.hasPrefix("/") || name.hasPrefix("@") ? name : nil
    let isMeant = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Double(UInt32($0) ?? 0) } ?? 0
    // Twice within the time, as sd_watchdog_enabled(3) recommends.
    watchdogInterval =
      isMeant && socket != nil && microseconds > 0 ? microseconds / 2 / 1_000_000 : nil
  }

  /// The socket that the manager listens on for the program, as sd_listen_fds(3) hands it over; nil
  /// where there is none. Of several, the first.
  static func socket(environment: [String: String]) -> Int32? {
    guard environment["LISTEN_PID"] == String(getpid()),
      let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
    else { return nil }
    return 3
  }

  /// Says it; who does not listen misses it, and the program goes on.
  func send(_ state: State) {
    guard let socket else { return }
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Foundation.socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let message = Array(state.rawValue.utf8)
    _ = UnixSocket.withAddress(socket, isAbstract: socket.hasPrefix("@")) { address, length in
      Int32(
        clamping: sendto(
          descriptor, message, message.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), address, length))
    }
  }
}
