internal import Glibc
internal import Synchronization

/// A file that is read once, from start to end.
package final class KeptFile: Sendable {
  private let descriptor: Int32
  /// Size in bytes.
  package let count: Int
  private let offset = Atomic<Int>(0)

  private static let pieceSize = 65_536

  /// Opens a file. Returns nil on failure. `erases` unlinks the file at once, so that nothing remains on the disk.
  package init?(path: String, erases: Bool = false) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if erases { unlink(path) }
    count = max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  deinit { close(descriptor) }

  /// The next piece. Nil at the end.
  package func next() -> [UInt8]? {
    let start = offset.load(ordering: .relaxed)
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(start)))
    }
    offset.add(piece.count, ordering: .relaxed)
    return piece.isEmpty ? nil : piece
  }
}
