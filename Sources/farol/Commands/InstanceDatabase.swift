import Devices
import Foundation
import Logging
import Operations
import PrivacyMap
import SpatialDatabase

/// Opens the database of an instance for a command.
enum InstanceDatabase {
  /// Opens the database, creates it if necessary, and migrates its schema.
  ///
  /// - Parameters:
  ///   - location: the database.
  ///   - home: the installation with the migrations.
  ///   - servesNobody: whether it is opened only for one command.
  ///   - replica: the URL of a standby for public reads.
  ///   - serves: whether it is opened by a server, which must not use a database that is behind.
  ///   - prepare: called before a shared database is migrated.
  /// - Returns: the open database.
  /// - Throws: ``CommandFailure`` with a sentence for the user.
  static func open(
    _ location: DatabaseLocation, home: Home, servesNobody: Bool = false, replica: String? = nil,
    serves: Bool = false, preparing prepare: () throws -> Void = {}
  ) throws -> Database {
    var configuration = Database.Configuration()
    configuration.servesNobody = servesNobody
    configuration.replica = replica
    if serves {
      configuration.continuity = Database.Continuity(
        file: location.local + ".seen", contains: MapIndex.contains)
    }
    do {
      try FileManager.default.createDirectory(
        at: location.folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        "the folder of \(location.local) cannot be made: \(error.localizedDescription)")
    }
    do {
      let database = try location.open(configuration)
      _ = try database.migrate(directory: home.migrations.path, preparing: prepare)
      return database
    } catch let fault as DatabaseFault {
      throw unusable(location, fault)
    }
  }

  /// Opens the database read-only. A server may be running.
  ///
  /// - Throws: ``CommandFailure`` with a sentence for the user.
  static func openToRead(_ location: DatabaseLocation) throws -> Database {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    do {
      return try location.open(configuration)
    } catch let fault as DatabaseFault {
      throw unusable(location, fault)
    }
  }

  /// The difference in seconds between a server's clock and PostgreSQL's clock from which the log warns.
  private static let tolerance = 5

  /// Logs a warning if the clock differs from the database's clock.
  static func compareClocks(
    _ database: Database, _ environment: Environment, _ logger: Logger
  ) throws {
    let ahead = try database.read { try $0.secondsAhead(environment.now().secondsSinceEpoch) }
    guard abs(ahead) > tolerance else { return }
    logger.warning(
      """
      the clock of this server is \(abs(ahead)) s \(ahead > 0 ? "ahead of" : "behind") that of the database: \
      set both by NTP, because sign-ins, limits and jobs of all servers depend on them
      """)
  }

  private static func unusable(
    _ location: DatabaseLocation, _ fault: DatabaseFault
  ) -> CommandFailure {
    CommandFailure("the database \(location) cannot be used: \(fault.message)")
  }

  /// The files of the instance according to the settings, for a command that runs next to a server.
  static func place(_ options: CommonOptions, _ reader: SettingReader) -> Restore.Place {
    place(DatabaseLocation(options, reader), options, reader)
  }

  /// The files of an instance whose database is at a location.
  static func place(
    _ location: DatabaseLocation, _ options: CommonOptions, _ reader: SettingReader
  ) -> Restore.Place {
    let folder = location.folder
    return Restore.Place(
      database: location.local,
      media: reader.text(options.media, "FAROL_MEDIA")
        ?? folder.appendingPathComponent("media").path,
      snapshots: reader.text(nil, "FAROL_SNAPSHOTS")
        ?? folder.appendingPathComponent("snapshots").path)
  }
}

/// The real clock and random source.
enum SystemEnvironment {
  /// `FAROL_TEST_CLOCK` changes the clock: `2027-01-31T12:00:00Z` starts it at that time, `+86400`
  /// or `-60` shifts it by that many seconds, and `@file` reads either form from a file on each
  /// use.
  ///
  /// - Throws: ``InvalidSetting`` for any other value.
  static func make(_ environment: [String: String]) throws -> Environment {
    let system: @Sendable () -> Timestamp = {
      Timestamp(secondsSinceEpoch: Int64(time(nil)))
    }
    guard let text = environment["FAROL_TEST_CLOCK"], !text.isEmpty else {
      return Environment(now: system)
    }
    if text.hasPrefix("@") {
      let path = String(text.dropFirst())
      return Environment {
        let moved = try? String(contentsOfFile: path, encoding: .utf8)
        return moved.flatMap { Self.moved($0, from: system()) } ?? system()
      }
    }
    let start = system()
    guard let moved = moved(text, from: start) else {
      throw InvalidSetting(
        name: "FAROL_TEST_CLOCK", problem: "“\(text)” is neither a moment nor a number of seconds.")
    }
    let shift = moved.secondsSinceEpoch - start.secondsSinceEpoch
    return Environment { system().later(shift) }
  }

  private static func moved(_ text: String, from now: Timestamp) -> Timestamp? {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let seconds = Int64(text), abs(seconds) < 4_000_000_000 {
      return now.later(seconds)
    }
    return Timestamp(text: text)
  }
}
