import ArgumentParser
import Foundation
import JSON

/// `farol generate`: synthetic data for measurements.
struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Add synthetic devices for measurements.")

  @OptionGroup var options: CommonOptions
  @Option(help: "How many devices to add.") var devices: Int
  @Option(help: "The same seed gives the same data.") var seed: Int = 1

  func validate() throws {
    guard (1...20_000_000).contains(devices), seed >= 0 else {
      throw ValidationError("--devices is a whole number from 1 to 20000000, --seed from 0.")
    }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    try RemoteCommand(
      "generate", ["devices": .integer(Int64(devices)), "seed": .integer(Int64(seed))]
    ).run(
      on: DatabaseLocation(options, reader),
      home: Home(named: reader.text(options.home, "FAROL_HOME")), environment: environment)
  }
}
