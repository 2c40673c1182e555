import ArgumentParser
import Foundation
import Logging
import MapAPI
import PrivacyMap
import SpatialDatabase

/// `farol restore BACKUP`: puts a backup in the place of the instance.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a backup in place, while no server runs; what people erased since stays erased.")

  @OptionGroup var options: CommonOptions

  @Argument(help: "The folder of the backup.")
  var backup: String

  @Flag(help: "Set aside what is there, under another name.")
  var replace = false

  @Flag(help: "Take a backup that is older than what was erased is remembered.")
  var old = false

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let place = Instance.place(options, reader)
    var logger = try LogFormat(options.log, environment).logger
    // What serving would miss, such as a base map, is of no concern here.
    logger.logLevel = .error
    let restore = Restore(
      backup: backup, to: place,
      program: Restore.Program(front: home.front, seed: home.seed, migrations: home.migrations),
      erasures: erasures(beside: place.database, reader),
      surroundings: try SystemSurroundings.make(environment), logger: logger)
    let done: Restore.Done
    do { done = try restore.run(replaces: replace, takesOld: old) } catch let fault as DatabaseFault
    { throw CommandFailure("\(backup) was not put in place: \(fault.message)") }
    print("\(place.database) is as it was at \(done.madeAt.text)")
    print("\(done.devices) devices, \(done.photos) pictures; everybody has to sign in anew")
    print(
      done.knewErasures
        ? "\(done.erasedAgain) things that had been erased since were erased again"
        : "nothing tells what was erased since: no \(ErasureList.name) was found")
    for path in done.setAside { print("what was there before: \(path)") }
  }

  /// The list beside the database, and those beside the backups.
  private func erasures(beside database: String, _ reader: SettingReader) -> ErasureList {
    let own = Instance.dataFolder(of: database)
    let folders = [
      URL(fileURLWithPath: backup).deletingLastPathComponent(),
      reader.text(nil, "FAROL_BACKUPS").map { URL(fileURLWithPath: $0) },
    ]
    return ErasureList(
      files: [own.appendingPathComponent(ErasureList.name).path],
      others: folders.compactMap { $0?.appendingPathComponent(ErasureList.name).path })
  }
}
