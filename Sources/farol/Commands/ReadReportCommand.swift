import ArgumentParser
import Confinement
import Glibc
import Mail

/// The confined parser of ``ReportProcess``: a mail on standard input, its parts on standard output. Not for users.
struct ReadReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: ReportProcess.command, abstract: "Parse a delivery report.", shouldDisplay: false)

  /// The program itself needs some 30 MB, and GMime a few times the size of a mail.
  private static let confinement = Confinement(
    seconds: 4, memory: 256 << 20, addresses: 8 << 30, files: 16, isTimed: true)

  func run() throws {
    do { try Self.confinement.begin() } catch { throw CommandFailure(error.sentence) }
    ReportParts.prepare()
    Confinement.tighten()
    guard let parts = ReportParts(of: Self.input()) else {
      Glibc.exit(ReportProcess.isNoReport)
    }
    Self.write(parts.encoded)
  }

  private static func input() -> [UInt8] {
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while true {
      let count = read(STDIN_FILENO, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  private static func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { Glibc.exit(1) }
      rest = rest.dropFirst(count)
    }
  }
}
