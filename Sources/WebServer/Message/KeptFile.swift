internal import Glibc
internal import Synchronization

/// A file that is read from its beginning to its end, once.
package final class KeptFile: Sendable {
  private let descriptor: Int32
  /// In bytes.
  package let count: Int
  private let offset = Atomic<Int>(0)

  private static let pieceSize = 65_536

  /// Opens a file, nil where it cannot be; with `erases` its name is gone at once, so that nothing is left
  /// behind.
  package init?(path: String, erases: Bool = false) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if erases { unlink(path) }
    count = max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  deinit { close(descriptor) }

  /// The next piece; nil at the end.
  package func next() -> [UInt8]? {
    let start = offset.load(ordering: .relaxed)
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, off_t(start)))
    }
    offset.add(piece.count, ordering: .relaxed)
    return piece.isEmpty ? nil : piece
  }
}
