internal import CMicroHTTPD
internal import Glibc

/// A connection that was accepted and is not handed to a thread yet.
struct Newcomer {
  let socket: Int32
  let peer: sockaddr_storage
  let length: socklen_t
  /// When it was accepted, in nanoseconds of the continuous clock.
  let since: Int64
  /// What its first bytes say.
  var words = Words.none

  enum Words {
    /// Nothing has come yet.
    case none
    /// A path that is answered whatever happens.
    case urgent
    /// Anything else, or something encrypted.
    case others
    /// The client has left.
    case farewell
  }

  /// Looks at its first bytes, which stay to be read.
  ///
  /// - Parameters:
  ///   - urgent: the beginnings of what is urgent, each a space and a path.
  ///   - isPlain: false where what comes is encrypted and cannot be told apart.
  /// - Returns: what they say so far.
  func read(urgent: [[UInt8]], isPlain: Bool) -> Words {
    var beginning = [UInt8](repeating: 0, count: 32)
    let count = recv(socket, &beginning, beginning.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    if count == 0 { return .farewell }
    if count < 0 { return errno == EAGAIN || errno == EINTR ? .none : .farewell }
    guard isPlain else { return .others }
    let target = beginning.prefix(count).drop { $0 != UInt8(ascii: " ") }
    return urgent.contains { target.starts(with: $0) } ? .urgent : .others
  }
}
