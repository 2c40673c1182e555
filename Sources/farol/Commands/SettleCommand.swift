import App
import ArgumentParser
import Foundation
import Logging
import Operations
import Service
import SpatialDatabase

/// `farol settle [LIST…]`: finishes a PostgreSQL restore to an earlier time.
struct SettleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settle",
    abstract: "After a restore of PostgreSQL: repeat later erasures, end sign-ins and tokens.")

  @OptionGroup var options: CommonOptions

  @Flag(
    help:
      "Without a restore: only let the next server that starts bring another farol.key."
  )
  var keyOnly = false

  @Argument(help: "Lists of erasures of other servers, the files \(ErasureList.name).")
  var lists: [String] = []

  func validate() throws {
    if keyOnly, !lists.isEmpty { throw ValidationError("--key-only takes no lists of erasures.") }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let location = DatabaseLocation(options, reader)
    guard location.isOnServer else {
      throw CommandFailure("farol settle is for PostgreSQL; farol restore does the same for files")
    }
    for list in lists where !FileManager.default.isReadableFile(atPath: list) {
      throw CommandFailure("the list of erasures \(list) cannot be read")
    }
    var logger = try LogFormat(options.log, environment).logger
    // Messages about serving, such as a missing base map, are irrelevant here.
    logger.logLevel = .error
    let database = try InstanceDatabase.open(location, home: home, servesNobody: true)
    if keyOnly {
      try database.write { try SharedKey.forget($0) }
      try database.close()
      print("the next server that starts brings its key")
      return
    }
    let own = location.folder.appendingPathComponent(ErasureList.name).path
    let done = try Settlement(
      database,
      Folders(front: home.front, seed: home.seed, data: [location.folder, home.data]),
      erasures: ErasureList(files: [own], others: lists),
      environment: try SystemEnvironment.make(environment), logger: logger,
      opening: OpenedInstance.wholly)
    try database.close()
    print("\(done.devices) devices; all users must sign in again")
    print(
      done.knewErasures
        ? "\(done.erasedAgain) items erased since were erased again"
        : "later erasures are unknown: no \(ErasureList.name) was found")
  }
}
