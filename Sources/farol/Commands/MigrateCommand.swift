import ArgumentParser
import Foundation
import SpatialDatabase

/// `farol migrate`: creates the database or migrates its schema.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Create the database, or migrate its schema.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    let reader = SettingReader(environment: ProcessInfo.processInfo.environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let path = reader.text(options.database, "FAROL_DATABASE") ?? "data/farol.db"
    let database = try Instance.open(path, home: home)
    try database.close()
    print("\(path) is up to date")
  }
}
