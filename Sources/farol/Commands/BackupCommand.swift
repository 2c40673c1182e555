import ArgumentParser
import Foundation
import Operations
import SpatialDatabase

/// `farol backup [FOLDER]`: copies the instance, with or without a running server.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy database, photos and snapshots into a new folder. A server may be running.")

  @OptionGroup var options: CommonOptions

  @Argument(
    help: """
      The parent folder of the backup, whose own folder is named after the time \
      (FAROL_BACKUPS; default: backups beside the database).
      """)
  var folder: String?

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let location = DatabaseLocation(options, reader)
    _ = try location.file(for: "backup")
    let place = InstanceDatabase.place(options, reader)
    let folder =
      reader.text(folder, "FAROL_BACKUPS")
      ?? location.folder.appendingPathComponent("backups").path
    let database = try InstanceDatabase.openToRead(location)
    defer { try? database.close() }
    let backup = Backup(
      database: database, media: place.media, snapshots: place.snapshots,
      environment: try SystemEnvironment.make(environment))
    let made = try backup.make(in: BackupFolder(path: folder))
    print("\(made.path): \(made.files) files, \(made.bytes) bytes, checked")
    if made.missing > 0 { print("\(made.missing) photos lack a picture file; run farol check") }
    for file in made.missingSnapshots { print("the snapshot \(file) is missing or damaged") }
    for finding in made.findings { print("the database does not agree with itself: \(finding)") }
  }
}
