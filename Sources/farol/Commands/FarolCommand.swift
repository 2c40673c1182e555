import ArgumentParser
import Foundation
import Service

/// Farol's command line.
struct FarolCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "farol",
    abstract: "An open, self-hosted map of the connected devices around us.",
    version: Farol.version,
    subcommands: [
      ServeCommand.self, MigrateCommand.self, ImportCommand.self, ImportsCommand.self,
      ExportCommand.self,
      AdminCommand.self, GenerateCommand.self, CheckCommand.self, BackupCommand.self,
      RestoreCommand.self, SettleCommand.self, CopyCommand.self, RetentionCommand.self,
      BaseMapCommand.self, StreetsCommand.self, ReadReportCommand.self,
    ])
}

/// A failure with a sentence for the user. The program exits with 1.
struct CommandFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

@main
struct Main {
  /// Exit codes: 0 success, 1 failure, 2 invalid usage.
  static func main() {
    umask(0o077)
    ProcessMemory.keepLittle()
    do {
      var command = try FarolCommand.parseAsRoot()
      try command.run()
    } catch {
      let code = FarolCommand.exitCode(for: error)
      let isHelp = code == .success
      let isSetting = error is InvalidSetting
      let isWrongUse = code == .validationFailure || isSetting
      let text =
        isHelp || (isWrongUse && !isSetting)
        ? FarolCommand.fullMessage(for: error) : "farol: \(error)"
      (isHelp ? FileHandle.standardOutput : .standardError).write(Data((text + "\n").utf8))
      exit(isHelp ? 0 : isWrongUse ? 2 : 1)
    }
  }
}
