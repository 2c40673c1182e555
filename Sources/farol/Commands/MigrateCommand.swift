import ArgumentParser
import Foundation
import SpatialDatabase

/// `farol migrate`: makes the database or brings its schema up to date.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Make the database, or bring its schema up to date.")

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
