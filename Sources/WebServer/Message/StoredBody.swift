internal import Glibc
internal import Synchronization

/// The body of a request in a file without a name, which is gone when nobody holds it any more.
package final class StoredBody: Sendable {
  private let descriptor: Int32
  private let length = Atomic<Int>(0)

  /// Bytes.
  package var count: Int { length.load(ordering: .acquiring) }

  /// A new empty one.
  ///
  /// - Returns: nil where no file can be made.
  package init?() {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/farol-body-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Only the open descriptor keeps it, so that nothing is left behind however the program ends.
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Adds bytes at its end, from the one thread that writes it.
  ///
  /// - Returns: false when the disk has no room for them.
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

  /// The bytes of a range, fewer where it reaches beyond the end.
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

/// The bytes of a request's body, wherever they lie.
package enum BodyBytes: Sendable {
  case memory([UInt8])
  case file(StoredBody)

  /// Bytes.
  package var count: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .file(let body): body.count
    }
  }

  /// The bytes of a range, fewer where it reaches beyond the end.
  package subscript(range: Range<Int>) -> [UInt8] {
    switch self {
    case .memory(let bytes): Array(bytes[range.clamped(to: bytes.indices)])
    case .file(let body): body.bytes(range)
    }
  }
}
