internal import Glibc

/// The file on standard input.
enum InputFile {
  /// Its first bytes, enough to recognise it.
  static func head() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(STDIN_FILENO, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// Whether it contains some bytes.
  static func contains(_ wanted: [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    var offset: off_t = 0
    while true {
      let count = pread(STDIN_FILENO, &piece, piece.count, offset)
      guard count >= wanted.count else { return false }
      if piece[..<count].firstRange(of: wanted) != nil { return true }
      // The next piece begins before the end of this one, where the bytes may have begun.
      offset += off_t(count - wanted.count + 1)
    }
  }

  /// Its size in bytes; it does not change.
  static let size: Int64 = {
    let place = lseek(STDIN_FILENO, 0, SEEK_CUR)
    defer { lseek(STDIN_FILENO, place, SEEK_SET) }
    return Int64(lseek(STDIN_FILENO, 0, SEEK_END))
  }()
}

/// Standard output, in large pieces.
final class Output {
  private var buffer: [UInt8] = []
  private static let pieceSize = 64 << 10

  func write(line: String) throws {
    try write(Array(line.utf8) + [0x0A])
  }

  func write(_ bytes: some Collection<UInt8>) throws {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  func flush() throws {
    try buffer.withUnsafeBytes { try Self.write($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// - Throws: ``Failure`` when the reader is gone.
  private static func write(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(STDOUT_FILENO, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(sentence: "standard output cannot be written") }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }
}
