internal import Glibc

/// A file on the disk without a name, which disappears with the value or with the program.
package final class UnnamedFile: Sendable {
  package let descriptor: Int32
  private static let pieceSize = 128 << 10

  /// - Throws: ``ImportFailure`` if there is no folder for temporary files.
  package init() throws { descriptor = try TemporaryFile.opened() }

  deinit { close(descriptor) }

  /// The bytes written so far, treated as a file called `name`, whose extension matters.
  package func source(named name: String) -> ByteSource {
    let size = Int(lseek(descriptor, 0, SEEK_END))
    return ByteSource(name: name, size: max(0, size)) { [self] number in piece(number) }
  }

  /// Nil after the last piece.
  package func piece(_ number: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Self.pieceSize)
    var length = 0
    while length < bytes.count {
      let count = bytes.withUnsafeMutableBytes { raw in
        pread(
          descriptor, raw.baseAddress.map { $0 + length }, raw.count - length,
          off_t(number * Self.pieceSize + length))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      length += count
    }
    guard length > 0 else { return nil }
    bytes.removeLast(bytes.count - length)
    return bytes
  }
}
