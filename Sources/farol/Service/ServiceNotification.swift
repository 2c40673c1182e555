import Foundation

/// Reports the state of the program to the service manager, like sd_notify(3): one datagram to the socket in
/// `NOTIFY_SOCKET`. Without that variable it sends nothing.
struct ServiceNotification: Sendable {
  /// The states to report.
  enum State: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    /// A keep-alive message.
    case watchdog = "WATCHDOG=1"
  }

  private let socket: String?
  /// Maximum seconds between two keep-alive messages. Nil: none are required.
  let watchdogInterval: TimeInterval?

  init(environment: [String: String]) {
    let name = environment["NOTIFY_SOCKET"] ?? ""
    // A path, or an abstract name that starts with @ (unix(7)).
    socket = name.hasPrefix("/") || name.hasPrefix("@") ? name : nil
    let isMeant = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Double(UInt32($0) ?? 0) } ?? 0
    // Half of the maximum interval, as sd_watchdog_enabled(3) recommends.
    watchdogInterval =
      isMeant && socket != nil && microseconds > 0 ? microseconds / 2 / 1_000_000 : nil
  }

  /// The listening socket that the service manager passes to the program (sd_listen_fds(3)); the first of several, nil
  /// without one.
  static func socket(environment: [String: String]) -> Int32? {
    guard environment["LISTEN_PID"] == String(getpid()),
      let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
    else { return nil }
    return 3
  }

  /// Sends the state. If the service manager does not receive it, the program continues.
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
