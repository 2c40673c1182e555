// See the comment in ListeningSocket.swift.
internal import CMicroHTTPD
internal import Glibc

/// A wakeup for a thread that waits for descriptors.
struct Wakeup: Sendable {
  /// Becomes readable after a wakeup.
  let descriptor: Int32
  private let rope: Int32

  /// Nil when the system has no more descriptors.
  init?() {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { return nil }
    (descriptor, rope) = (ends[0], ends[1])
  }

  func signal() {
    var byte: UInt8 = 0
    // If the buffer is full, a wakeup is already pending.
    _ = write(rope, &byte, 1)
  }

  /// Consumes all pending wakeups.
  func clear() {
    var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }

  /// Call it once. Afterwards the kernel may reuse its descriptors.
  func close() {
    Glibc.close(descriptor)
    Glibc.close(rope)
  }
}
