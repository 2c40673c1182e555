import App
import ArgumentParser
import Foundation
import Operations
import PrivacyMap
import Service
import SpatialDatabase

/// `farol retention`: retention periods of personal data, and data that is due for erasure.
struct RetentionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retention",
    abstract: "Show retention periods of personal data, data due, and the last erasures.")

  @OptionGroup var options: CommonOptions

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let database = try InstanceDatabase.openToRead(DatabaseLocation(options, reader))
    defer { try? database.close() }
    let retention = Retention(
      App.retention, database: database, environment: try SystemEnvironment.make(environment))
    print("kept\tdue\terased\tlast run\twhat, and what for")
    for standing in try retention.standings() {
      let rule = standing.rule
      let last = standing.lastRun
      print(
        [
          Self.words(rule.period), "\(standing.due)", last.map { "\($0.erased)" } ?? "-",
          last?.at.text ?? "-", "\(rule.what), \(rule.why)",
        ].joined(separator: "\t"))
    }
  }

  private static func words(_ period: RetentionRule.Period) -> String {
    switch period {
    case .hours(let count): count == 0 ? "at once" : "\(count) h"
    case .days(let count): "\(count) d"
    case .years(let count): "\(count) y"
    }
  }
}
