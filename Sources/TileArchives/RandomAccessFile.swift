private import Glibc
internal import Secrets

/// A file that several threads read at random positions.
final class RandomAccessFile: Sendable {
  private let descriptor: Int32
  let path: String
  /// In bytes.
  let size: Int

  init(path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var facts = stat()
    guard descriptor >= 0, fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG
    else {
      if descriptor >= 0 { close(descriptor) }
      throw UnreadableArchive(path, "is not a readable file")
    }
    self.descriptor = descriptor
    self.path = path
    size = Int(facts.st_size)
  }

  deinit { close(descriptor) }

  /// A digest of the size and of 256 pieces of the file. Copies of a file on several servers have the same one. Reading
  /// all of a file of 100 GB would take minutes.
  func digest() throws -> String {
    let (pieces, length) = (256, 4_096)
    var hash = SHA256Stream()
    "\(size)".utf8.withContiguousStorageIfAvailable { hash.update($0) }
    let step = max(length, (size - length) / (pieces - 1))
    for offset in stride(from: 0, to: size, by: step) {
      try bytes(at: offset, count: min(length, size - offset)).withUnsafeBufferPointer {
        hash.update($0)
      }
    }
    // Directories and recent pages tend to be at the end.
    let last = min(length, size)
    try bytes(at: size - last, count: last).withUnsafeBufferPointer { hash.update($0) }
    return Hexadecimal.text(of: hash.finish().prefix(8))
  }

  /// Reads exactly `count` bytes.
  ///
  /// - Throws: ``UnreadableArchive`` if they are not all within the file or cannot be read.
  func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw UnreadableArchive(path, "is shorter than its directory requires")
    }
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled,
          off_t(offset + filled))
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { throw UnreadableArchive(path, "cannot be read") }
        filled += got
      }
    }
  }
}
