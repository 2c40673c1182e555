internal import Glibc
internal import Synchronization

/// A file whose bytes are sent: read once from start to end, or in parts.
package final class KeptFile: Sendable {
  private let descriptor: Int32
  /// Size in bytes.
  package let count: Int
  private let place = Place(0)

  /// The position of a reader.
  private final class Place: Sendable {
    let offset: Atomic<Int>

    init(_ start: Int) { offset = Atomic(start) }
  }

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
  package func next() -> [UInt8]? { next(at: place, before: count) }

  /// A reader of a range of the bytes, which returns the next piece, and nil at the end. Readers of one file do not
  /// affect each other.
  func pieces(of range: Range<Int>) -> @Sendable () -> [UInt8]? {
    let place = Place(range.lowerBound)
    return { self.next(at: place, before: range.upperBound) }
  }

  private func next(at place: Place, before end: Int) -> [UInt8]? {
    let start = place.offset.load(ordering: .relaxed)
    let length = min(Self.pieceSize, end - start)
    guard length > 0 else { return nil }
    let piece = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, length, off_t(start)))
    }
    place.offset.add(piece.count, ordering: .relaxed)
    return piece.isEmpty ? nil : piece
  }
}
