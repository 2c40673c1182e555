private import Glibc

/// A file that several threads read at random positions.
final class RandomAccessFile: Sendable {
  private let descriptor: Int32
  let path: String
  /// In bytes.
  let size: Int
  /// Changes when the file is replaced or modified: its size and modification time.
  let version: String

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
    version = "\(facts.st_size)-\(facts.st_mtim.tv_sec)-\(facts.st_mtim.tv_nsec)"
  }

  deinit { close(descriptor) }

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
