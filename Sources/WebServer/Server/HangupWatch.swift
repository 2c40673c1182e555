// See the comment in ListeningSocket.swift.
internal import CMicroHTTPD
internal import Glibc

/// Reports the connections whose clients have finished sending.
///
/// libmicrohttpd 0.9.75 misses some of them. Its epoll is edge-triggered. After a read that returned fewer bytes than
/// requested, it assumes that the socket is empty (`recv_param_adapter` in `connection.c`). If a client's last bytes
/// and its FIN arrive together, they form one edge: the read returns the bytes, and the FIN is never read. Such a
/// connection stayed open until its time limit. ``ConnectionTable/wake(_:)`` makes libmicrohttpd read again. TLS is
/// not affected, because GnuTLS reads until the socket is empty.
final class HangupWatch: Sendable {
  private let descriptor: Int32

  /// Nil when the system has no more descriptors.
  init?() {
    descriptor = hangups_open()
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Reports the socket once its client has finished sending. Closing the socket removes it.
  func add(_ socket: Int32) { hangups_watch(descriptor, socket) }

  /// Waits for a report.
  /// - Parameter milliseconds: the maximum time to wait.
  /// - Returns: whether there is a report.
  func wait(_ milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, milliseconds) > 0
  }

  /// The sockets reported since the last call, without duplicates. The kernel may have reused a
  /// descriptor in the meantime.
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
