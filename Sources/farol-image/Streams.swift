import Glibc

/// Complete standard input and output.
enum Streams {
  /// All of standard input, at most ``Limits/bytes``.
  static func read() throws -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 256 * 1_024)
    while true {
      let count = Glibc.read(STDIN_FILENO, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(sentence: "standard input cannot be read") }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= Limits.bytes else { throw Refusal.tooManyBytes }
      bytes.append(contentsOf: piece.prefix(count))
    }
  }

  static func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(sentence: "standard output cannot be written") }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes one line to standard error.
  static func complain(_ sentence: String) {
    let line = Array((sentence + "\n").utf8)
    _ = Glibc.write(STDERR_FILENO, line, line.count)
  }
}
