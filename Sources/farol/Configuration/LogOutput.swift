import Foundation
import Metrics

/// Standard error, where the log goes.
enum LogOutput {
  /// Lines that could not be written, or not to their end.
  static let dropped = Counter()

  /// Writes a line, and the end of the line.
  ///
  /// A log that cannot be written, because its disk is full or nobody reads it any more, stops
  /// nobody: `FileHandle` would end the program.
  static func write(_ line: [UInt8]) {
    var line = line
    line.append(UInt8(ascii: "\n"))
    line.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return dropped.add() }
        rest = rest.dropFirst(count)
      }
    }
  }
}
