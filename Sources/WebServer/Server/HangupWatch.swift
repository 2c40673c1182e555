// As in ListeningSocket.swift.
internal import CMicroHTTPD
internal import Glibc

/// Reports the connections whose clients have finished sending.
///
/// libmicrohttpd 0.9.75 misses some of them. Its epoll is edge-triggered, and after a read that returned
/// fewer bytes than there was room for it takes the socket for empty (`recv_param_adapter` in
/// `connection.c`). When a client's last bytes and its FIN arrive together, both are one edge: the read
/// returns the bytes, and the FIN is never read. Such a connection kept its place until its
/// time was over. ``ConnectionTable/wake(_:)`` makes libmicrohttpd read again. With TLS there is nothing to mend, as GnuTLS
/// reads until the socket is empty.
final class HangupWatch: Sendable {
  private let descriptor: Int32

  /// Nil when the system gives no more descriptors.
  init?() {
    descriptor = hangups_open()
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Reports the socket once its client has finished sending. It is forgotten when it is closed.
  func add(_ socket: Int32) { hangups_watch(descriptor, socket) }

  /// Waits for a report.
  ///
  /// - Parameter milliseconds: the longest to wait.
  /// - Returns: whether there is one.
  func wait(_ milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  /// The sockets reported since the last call, each once. A number may meanwhile be another
  /// connection's.
  func take() -> [Int32] {
    var taken: [Int32] = []
    while true {
      let piece = withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { room in
        Array(room.prefix(Int(hangups_take(descriptor, room.baseAddress))))
      }
      guard !piece.isEmpty else { return taken }
      taken += piece
    }
  }
}
