internal import Spawning

/// Parses possible delivery reports with `farol read-report`, each in a confined process, because anyone can write to
/// the bounce mailbox, and GMime is a large C parser.
package struct ReportProcess: Sendable {
  /// The program failed for a reason other than the mail.
  package struct Failed: Error, CustomStringConvertible {
    package let description: String
  }

  /// The hidden command of `farol`.
  package static let command = "read-report"
  /// Its exit code for a mail that is not a report.
  package static let isNoReport: Int32 = 3
  /// The time limit for one mail.
  package static let timeLimit = Duration.seconds(5)
  /// Bytes of a result: a status is a part of a mail that ``POP3Mailbox`` has limited.
  private static let maxSize = 2 << 20

  private let program: String

  /// `program` is the path of `farol`.
  package init(program: String = ChildProcess.besideThis("farol")) { self.program = program }

  /// The report in a mail; nil if the mail is not a report, or if the parser crashed or exceeded a limit of time or
  /// memory.
  ///
  /// - Throws: ``Failed``.
  package func report(in mail: [UInt8]) throws(Failed) -> DeliveryReport? {
    let ending: ChildProcess.Ending
    do throws(ChildProcess.NotStarted) {
      ending = try ChildProcess.run(
        program, [Self.command], input: mail, limit: Self.maxSize, within: Self.timeLimit)
    } catch { throw Failed(description: "farol \(Self.command) cannot be started: \(error)") }
    switch ending.status {
    case .exited(0): return ReportParts(encoded: ending.output).map { DeliveryReport($0) }
    case .exited(Self.isNoReport), .killed, .tooLong: return nil
    case .exited(let code):
      throw Failed(description: "farol \(Self.command) failed with code \(code)")
    }
  }
}
