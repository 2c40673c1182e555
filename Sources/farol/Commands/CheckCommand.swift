import ArgumentParser
import Foundation
import Operations
import PrivacyMap
import Service
import SpatialDatabase

/// `farol check [BACKUP]`: checks for damage, orphaned files and inconsistencies.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the database or a backup. A server may be running.")

  @OptionGroup var options: CommonOptions

  @Argument(help: "The folder of a backup to check instead of the database.")
  var backup: String?

  func run() throws {
    let reader = SettingReader(environment: ProcessInfo.processInfo.environment)
    if let backup { return try check(backup) }
    let place = InstanceDatabase.place(options, reader)
    let location = DatabaseLocation(options, reader)
    let database = try InstanceDatabase.openToRead(location)
    let findings = try IndexCheck(database: database).findings()
    let files =
      try IndexCheck.mediaFindings(database: database, media: place.media)
      + IndexCheck.nightlyFindings(database: database, snapshots: place.snapshots)
    let warnings = try database.serverWarnings()
    try database.close()
    for warning in warnings { print("\(location): warning: \(warning)") }
    do { try tell(findings.map(\.description) + files, of: location.description) } catch {
      if !findings.contains(where: \.stopsBackups) {
        print("\(location): nothing of it stops a backup")
      }
      throw error
    }
  }

  private func check(_ backup: String) throws {
    let check = try BackupCheck(folder: backup)
    let outcome = try check.run()
    try tell(outcome.damages, of: backup, sound: "undamaged")
    for finding in outcome.findings {
      print("\(backup): its database does not agree with itself: \(finding)")
    }
    print("made at \(check.manifest.madeAt.text) with schema \(check.manifest.schema)")
  }

  private func tell(
    _ findings: [String], of what: String, sound: String = "no damage, no orphans, no drift"
  ) throws {
    guard findings.isEmpty else {
      throw CommandFailure("\(what): " + findings.joined(separator: "; "))
    }
    print("\(what): \(sound)")
  }
}
