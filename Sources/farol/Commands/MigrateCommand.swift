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
    let location = DatabaseLocation(options, reader)
    let database = try InstanceDatabase.open(location, home: home)
    try database.close()
    print("\(location) is up to date")
  }
}
