internal import Glibc
internal import Spawning

/// Carries rows to a child process, which reads them as its standard input.
final class RowSocket {
  /// The other end is gone: the program has ended.
  struct Closed: Error {}

  /// The descriptor for the child process.
  private(set) var reader: Int32
  private var writer: Int32

  /// The program may pause as long, for example to write to a slow disk.
  private static let timeout = timeval(tv_sec: 120, tv_usec: 0)

  /// Bytes that may wait for the program: a few thousand rows, which it reads at once between two batches. Both then
  /// work at the same time. Linux allows as much as `net.core.wmem_max`, by default 208 KiB.
  private static let waiting: Int32 = 4 << 20

  init() throws {
    (reader, writer) = try ChildProcess.sockets()
    var timeout = Self.timeout
    setsockopt(
      writer, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var waiting = Self.waiting
    setsockopt(writer, SOL_SOCKET, SO_SNDBUF, &waiting, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit {
    closeReader()
    close()
  }

  /// - Throws: ``Closed``, or ``ImportFailure`` if the program no longer reads.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = send(writer, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw FormatRefusal.tooCostly }
      guard count > 0 else { throw Closed() }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Called once the child process has its copy, so that its end is noticed.
  func closeReader() {
    if reader >= 0 { Glibc.close(reader) }
    reader = -1
  }

  /// Ends the rows.
  func close() {
    if writer >= 0 { Glibc.close(writer) }
    writer = -1
  }
}
