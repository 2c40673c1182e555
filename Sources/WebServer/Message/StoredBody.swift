internal import Glibc
internal import Synchronization

/// The body of a request in an unlinked temporary file, which disappears with the last reference.
package final class StoredBody: Sendable {
  private let descriptor: Int32
  private let length = Atomic<Int>(0)

  /// Length in bytes.
  package var count: Int { length.load(ordering: .acquiring) }

  /// Creates an empty body.
  ///
  /// - Returns: nil if no file can be created.
  package init?() {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/farol-body-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Only the open descriptor keeps the file, so no file remains, however the program ends.
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Appends bytes. Must be called only from the one thread that writes the body.
  ///
  /// - Returns: false if the disk is full.
  package func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      let written = write(descriptor, part.baseAddress, part.count)
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    length.add(bytes.count, ordering: .releasing)
    return true
  }

  /// The bytes of a range, or fewer if it extends beyond the end.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    let wanted = range.clamped(to: 0..<count)
    return [UInt8](unsafeUninitializedCapacity: wanted.count) { buffer, filled in
      while filled < wanted.count {
        let found = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, wanted.count - filled,
          off_t(wanted.lowerBound + filled))
        guard found > 0 else { break }
        filled += found
      }
    }
  }
}

/// The bytes of a request's body, in memory or in a file.
package enum BodyBytes: Sendable {
  case memory([UInt8])
  case file(StoredBody)

  /// Length in bytes.
  package var count: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .file(let body): body.count
    }
  }

  /// The bytes of a range, or fewer if it extends beyond the end.
  package subscript(range: Range<Int>) -> [UInt8] {
    switch self {
    case .memory(let bytes): Array(bytes[range.clamped(to: bytes.indices)])
    case .file(let body): body.bytes(range)
    }
  }
}
