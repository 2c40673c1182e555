import ArgumentParser
import Foundation
import MapAPI
import SpatialDatabase

/// `farol check`: looks for damage, orphans and drift.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the database, also while a server runs.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    let reader = SettingReader(environment: ProcessInfo.processInfo.environment)
    let path = reader.text(options.database, "FAROL_DATABASE") ?? "data/farol.db"
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try Instance.open(
      path, home: Home(named: reader.text(options.home, "FAROL_HOME")),
      configuration: configuration)
    let media =
      reader.text(options.media, "FAROL_MEDIA")
      ?? Instance.dataFolder(of: path).appendingPathComponent("media").path
    let findings =
      try IndexCheck(database: database).findings()
      + IndexCheck.mediaFindings(database: database, media: media)
    try database.close()
    guard findings.isEmpty else {
      throw CommandFailure("\(path): " + findings.joined(separator: "; "))
    }
    print("\(path): no damage, no orphans, no drift")
  }
}
