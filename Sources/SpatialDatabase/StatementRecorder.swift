internal import Foundation
internal import Glibc
internal import Locking

/// Records the statements that a test run prepares, for the dialect gate (`make test-dialect`).
///
/// `FAROL_RECORD_STATEMENTS` names an existing folder. Each process appends to its own file there, so processes do
/// not wait for each other. Without the variable there is no recorder.
///
/// A record is a line with addresses of the call stack, innermost first, the SQL, and a NUL. The addresses are
/// hexadecimal offsets from the symbol `__dso_handle` of the program that the first record of the process names. The
/// gate finds the caller with them: tests also run statements of their own, which need not work on another engine.
final class StatementRecorder: Sendable {
  /// The recorder of this process, or nil.
  static let shared: StatementRecorder? = getenv("FAROL_RECORD_STATEMENTS").flatMap {
    StatementRecorder(folder: String(cString: $0))
  }

  /// The frames of the recorder and of `SpatialDatabase` are fewer.
  private static let depth = 24

  private let file: Int32
  /// The records written so far.
  private let written = Locked(Set<String>())

  private init?(folder: String) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC
    file = open("\(folder)/\(getpid()).statements", flags, 0o600)
    guard file >= 0, let program = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(program) }
    write("program\n" + String(cString: program))
  }

  /// Records a statement, unless the same call stack prepared it before.
  func record(_ sql: String) {
    let start = UInt(bitPattern: #dsohandle)
    let offsets = Thread.callStackReturnAddresses.lazy.map { $0.uintValue &- start }
    let stack = offsets.prefix(Self.depth).map { String($0, radix: 16) }
    let record = stack.joined(separator: " ") + "\n" + sql
    guard written.withLock({ $0.insert(record).inserted }) else { return }
    write(record)
  }

  /// One system call, so that records of several threads do not mix.
  private func write(_ record: String) {
    let bytes = Array(record.utf8) + [0]
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
  }
}
