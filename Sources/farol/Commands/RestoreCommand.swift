import App
import ArgumentParser
import Foundation
import Logging
import Operations
import PrivacyMap
import Service
import SpatialDatabase

/// `farol restore BACKUP`: replaces the instance with a backup.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Restore a backup while no server is running. Later erasures are repeated.")

  @OptionGroup var options: CommonOptions

  @Argument(help: "The folder of the backup.")
  var backup: String

  @Flag(help: "Move the existing files aside under another name.")
  var replace = false

  @Flag(help: "Accept a backup from before the list of erasures begins.")
  var old = false

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let location = DatabaseLocation(options, reader)
    _ = try location.file(for: "restore")
    let place = InstanceDatabase.place(options, reader)
    var logger = try LogFormat(options.log, environment).logger
    // Messages about serving, such as a missing base map, are irrelevant here.
    logger.logLevel = .error
    let restore = Restore(
      backup: backup, to: place,
      program: Restore.Program(front: home.front, seed: home.seed, migrations: home.migrations),
      erasures: erasures(beside: location.folder, reader),
      environment: try SystemEnvironment.make(environment), logger: logger,
      opening: OpenedInstance.wholly)
    let done: Restore.Done
    do { done = try restore.run(replaces: replace, takesOld: old) } catch let fault as DatabaseFault
    { throw CommandFailure("\(backup) was not restored: \(fault.message)") }
    print("\(place.database) is as it was at \(done.madeAt.text)")
    print("\(done.devices) devices, \(done.photos) pictures; all users must sign in again")
    print(
      done.knewErasures
        ? "\(done.erasedAgain) items erased since the backup were erased again"
        : "later erasures are unknown: no \(ErasureList.name) was found")
    for path in done.setAside { print("moved aside: \(path)") }
  }

  /// The list of erasures next to the database, and the lists in the backup folders.
  private func erasures(beside own: URL, _ reader: SettingReader) -> ErasureList {
    let folders = [
      URL(fileURLWithPath: backup).deletingLastPathComponent(),
      reader.text(nil, "FAROL_BACKUPS").map { URL(fileURLWithPath: $0) },
    ]
    return ErasureList(
      files: [own.appendingPathComponent(ErasureList.name).path],
      others: folders.compactMap { $0?.appendingPathComponent(ErasureList.name).path })
  }
}
