// As in ListeningSocket.swift.
internal import CMicroHTTPD
internal import Glibc

/// Wakes a thread that waits for descriptors.
struct Bell: Sendable {
  /// Has something to be read once it has rung.
  let descriptor: Int32
  private let rope: Int32

  /// Nil when the system gives no more descriptors.
  init?() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return nil }
    (descriptor, rope) = (ends[0], ends[1])
  }

  func ring() {
    var byte: UInt8 = 0
    // One that is full has rung already.
    _ = write(rope, &byte, 1)
  }

  /// Takes what has rung.
  func quieten() {
    var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }

  /// Once; afterwards its descriptors may be somebody else's.
  func close() {
    Glibc.close(descriptor)
    Glibc.close(rope)
  }
}
