internal import Glibc
internal import Synchronization

/// A file whose bytes are sent: read once from start to end, or in parts. It is on the disk or elsewhere.
package final class KeptFile: Sendable {
  /// Reads a number of bytes from an offset. Fewer, but not none, are a piece as well.
  package typealias Reader = @Sendable (_ offset: Int, _ length: Int) throws -> [UInt8]

  private enum Source {
    case descriptor(Int32)
    case reader(Reader)
  }

  private let source: Source
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
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if erases { unlink(path) }
    source = .descriptor(descriptor)
    count = max(0, Int(lseek(descriptor, 0, SEEK_END)))
  }

  /// A file of `count` bytes that is not on the disk.
  package init(count: Int, _ reader: @escaping Reader) {
    source = .reader(reader)
    self.count = count
  }

  deinit { if case .descriptor(let descriptor) = source { close(descriptor) } }

  /// The next piece. Nil at the end.
  ///
  /// - Throws: errors of the reader.
  package func next() throws -> [UInt8]? { try next(at: place, before: count) }

  /// A version of a file on the disk: its identity, its size, and its last change of content or status.
  package struct Version: Hashable, Sendable {
    private let device, inode, size, seconds, nanoseconds: Int64

    fileprivate init?(_ descriptor: Int32) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      device = Int64(truncatingIfNeeded: status.st_dev)
      inode = Int64(truncatingIfNeeded: status.st_ino)
      size = Int64(status.st_size)
      seconds = Int64(status.st_ctim.tv_sec)
      nanoseconds = Int64(status.st_ctim.tv_nsec)
    }
  }

  /// The version on the disk; nil if the file is not on the disk.
  package var version: Version? {
    if case .descriptor(let descriptor) = source { Version(descriptor) } else { nil }
  }

  /// A reader of a range of the bytes, which returns the next piece, and nil at the end. Readers of one file do not
  /// affect each other.
  package func pieces(of range: Range<Int>) -> @Sendable () throws -> [UInt8]? {
    let place = Place(range.lowerBound)
    return { try self.next(at: place, before: range.upperBound) }
  }

  private func next(at place: Place, before end: Int) throws -> [UInt8]? {
    let start = place.offset.load(ordering: .relaxed)
    let length = min(Self.pieceSize, end - start)
    guard length > 0 else { return nil }
    let piece =
      switch source {
      case .descriptor(let descriptor):
        [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
          filled = max(0, pread(descriptor, buffer.baseAddress, length, off_t(start)))
        }
      case .reader(let read): try read(start, length)
      }
    place.offset.add(piece.count, ordering: .relaxed)
    return piece.isEmpty ? nil : piece
  }
}
