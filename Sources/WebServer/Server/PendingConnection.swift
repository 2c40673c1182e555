internal import CMicroHTTPD
internal import Glibc

/// An accepted connection that has not been passed to a worker thread yet.
struct PendingConnection {
  let socket: Int32
  let peer: sockaddr_storage
  let length: socklen_t
  /// When it was accepted, in nanoseconds of the continuous clock.
  let since: Int64
  /// The classification of its first bytes.
  var words = Words.none

  enum Words {
    /// No bytes yet.
    case none
    /// A path that is always answered.
    case urgent
    /// Any other request, or encrypted data.
    case others
    /// The client has disconnected.
    case disconnected
  }

  /// Classifies the first bytes without consuming them.
  ///
  /// - Parameters:
  ///   - urgent: the beginnings of urgent targets, each a space and a path.
  ///   - isPlain: false if the data is encrypted and cannot be classified.
  /// - Returns: the classification so far.
  func read(urgent: [[UInt8]], isPlain: Bool) -> Words {
    var beginning = [UInt8](repeating: 0, count: 32)
    let count = recv(socket, &beginning, beginning.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    if count == 0 { return .disconnected }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .none : .disconnected }
    guard isPlain else { return .others }
    let target = beginning.prefix(count).drop { $0 != UInt8(ascii: " ") }
    return urgent.contains { target.starts(with: $0) } ? .urgent : .others
  }
}
