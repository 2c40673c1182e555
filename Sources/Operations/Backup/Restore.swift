import Devices
package import Foundation
import Glibc
package import Logging
import Pictures
package import PrivacyMap
package import Service
import SpatialDatabase

/// Replaces an instance with a backup.
///
/// The database changes in one step, by renaming a finished file. Nothing that the instance needs is
/// touched before that, so an interrupted restore can simply be repeated.
package struct Restore: Sendable {
  /// The paths at which an instance stores the contents of a backup.
  package struct Place: Sendable {
    package var database: String
    package var media: String
    package var snapshots: String

    package init(database: String, media: String, snapshots: String) {
      self.database = database
      self.media = media
      self.snapshots = snapshots
    }
  }

  /// The folders of the program.
  package struct Program: Sendable {
    package var front: URL
    package var seed: URL
    package var migrations: URL

    package init(front: URL, seed: URL, migrations: URL) {
      self.front = front
      self.seed = seed
      self.migrations = migrations
    }
  }

  /// The result of a restore.
  package struct Done: Sendable {
    package let madeAt: Timestamp
    package let devices: Int
    package let photos: Int
    /// The number of objects that were erased again because people had erased them since the backup.
    package let erasedAgain: Int
    /// The new paths of the replaced database and folders.
    package let setAside: [String]
    /// Whether a list of erasures since the backup was available.
    package let knewErasures: Bool
  }

  private let backup: String
  private let place: Place
  private let program: Program
  private let erasures: ErasureList
  private let environment: Environment
  private let logger: Logger
  private let opening: OpenedInstance.Opening

  /// `erasures` contains the erasures since the backup; see ``ErasureList``. `opening` opens an instance on
  /// the copied database.
  package init(
    backup: String, to place: Place, program: Program, erasures: ErasureList,
    environment: Environment, logger: Logger, opening: @escaping OpenedInstance.Opening
  ) {
    self.backup = backup
    self.place = place
    self.program = program
    self.erasures = erasures
    self.environment = environment
    self.logger = logger
    self.opening = opening
  }

  /// Restores the backup.
  ///
  /// - Parameters:
  ///   - replaces: whether an existing database is renamed; otherwise it is an error.
  ///   - takesOld: whether the backup may be older than the retention period of the erasure list.
  /// - Returns: a summary of the restored and the replaced data.
  /// - Throws: ``BackupTrouble`` or ``DatabaseFault``. The existing instance is unchanged then.
  package func run(replaces: Bool, takesOld: Bool) throws -> Done {
    let check = try BackupCheck(folder: backup)
    let made = check.manifest.madeAt
    try confirmAge(of: made, takesOld)
    let isThere = FileManager.default.fileExists(atPath: place.database)
    guard replaces || !isThere else {
      throw BackupTrouble(
        "\(place.database) already exists; with --replace it is kept under another name")
    }
    let waiting = isThere ? try closed() : []
    let found = try check.run()
    guard found.damages.isEmpty else {
      throw BackupTrouble("\(backup) is damaged: " + found.damages.joined(separator: "; "))
    }
    // Hold the lock until the end, so that no server starts during the restore.
    let lock = try InstanceLock(besides: place.database)
    defer { withExtendedLifetime(lock) {} }
    let known = erasures.entries() + waiting
    let draft = place.database + ".restoring"
    try? FileManager.default.removeItem(atPath: draft)
    defer { try? FileManager.default.removeItem(atPath: draft) }
    try DurableFile.makeFolder(draft)
    let outcome = try prepare(
      "\(draft)/\(BackupManifest.database)", known, remaking: Set(found.findings.compactMap(\.part))
    )
    if !known.isEmpty { try erasures.add(known) }
    let setAside = try swap(check.manifest, outcome, draft, isThere: isThere)
    return Done(
      madeAt: made, devices: outcome.devices, photos: outcome.pictures.count,
      erasedAgain: outcome.erasedAgain, setAside: setAside,
      knewErasures: isThere || !known.isEmpty)
  }

  private func confirmAge(of made: Timestamp, _ takesOld: Bool) throws {
    let age = environment.now().day.daysSinceEpoch - made.day.daysSinceEpoch
    guard takesOld || age <= ErasureList.daysKept else {
      throw BackupTrouble(
        """
        \(backup) is \(age) days old, but the list of erased data covers only \
        \(ErasureList.daysKept) days: restoring it could bring back data that people had erased. \
        Use --old to restore it anyway.
        """)
    }
  }

  /// Closes the existing database cleanly, and reads the erasures that are not in the list yet.
  ///
  /// - Throws: ``DatabaseFault`` of kind `locked` if a server is running. An unreadable database is
  ///   ignored, because it is a common reason for a restore.
  private func closed() throws -> [ErasureList.Entry] {
    do {
      let database = try Database(path: place.database)
      defer { try? database.close() }
      return try database.read { try ErasureList.waiting($0) }
    } catch let fault as DatabaseFault where fault.kind == .locked {
      throw fault
    } catch { return [] }
  }

  /// Copies the database of the backup and prepares it. `parts` are derived data to rebuild.
  private func prepare(
    _ file: String, _ erasures: [ErasureList.Entry], remaking parts: Set<DerivedPart>
  ) throws -> RestoredDatabase.Outcome {
    try DurableFile.copy("\(backup)/\(BackupManifest.database)", to: file)
    let database = try Database(path: file)
    defer { try? database.close() }
    _ = try database.migrate(directory: program.migrations.path)
    let instance = try opening(
      database,
      Folders(
        front: program.front, seed: program.seed,
        data: [URL(fileURLWithPath: (file as NSString).deletingLastPathComponent)]),
      environment, logger)
    defer { instance.stop() }
    if !parts.isEmpty { try DerivedData(map: instance.map).remake(parts) }
    let outcome = try RestoredDatabase(instance: instance).settle(erasures)
    try database.checkpoint(truncate: true)
    return outcome
  }

  private func swap(
    _ manifest: BackupManifest, _ outcome: RestoredDatabase.Outcome, _ draft: String, isThere: Bool
  ) throws -> [String] {
    let mark = ".before-" + String(BackupFolder.name(at: environment.now()).dropFirst(6))
    let wanted = Set(
      outcome.pictures.flatMap { name in
        MediaFolder.Size.allCases.map { "media/\(MediaFolder.file(name, $0))" }
      })
    let parts = [
      RestoredFolder(
        path: place.media, source: "\(backup)/media",
        files: manifest.files(in: "media/").filter { wanted.contains("media/" + $0.path) }),
      RestoredFolder(
        path: place.snapshots, source: "\(backup)/snapshots",
        files: manifest.files(in: "snapshots/")),
    ]
    var setAside = try parts.compactMap { try $0.setAside(mark) }
    for part in parts { try part.fill() }
    let file = "\(draft)/\(BackupManifest.database)"
    try DurableFile.sync(file)
    if isThere { setAside.insert(try setAsideDatabase(mark), at: 0) }
    try DurableFile.move(file, to: place.database)
    for part in parts { part.eraseOthers() }
    return setAside
  }

  /// Hard-links the database under a new name. A write-ahead log exists only after an unclean stop and
  /// is moved along, because SQLite must not apply it to the restored database.
  private func setAsideDatabase(_ mark: String) throws -> String {
    let aside = place.database + mark
    guard link(place.database, aside) == 0 else {
      throw DurableFile.Fault("kept as \(aside)", place.database)
    }
    let log = place.database + "-wal"
    let attributes = try? FileManager.default.attributesOfItem(atPath: log)
    if let size = attributes?[.size] as? Int {
      guard size == 0 ? unlink(log) == 0 : rename(log, aside + "-wal") == 0 else {
        throw DurableFile.Fault("moved", log)
      }
    }
    // SQLite recreates the index of the write-ahead log.
    unlink(place.database + "-shm")
    return aside
  }
}

extension BackupManifest {
  /// The files below one of its folders, with paths relative to that folder.
  fileprivate func files(in folder: String) -> [File] {
    files.filter { $0.path.hasPrefix(folder) }.map {
      File(path: String($0.path.dropFirst(folder.count)), content: $0.content)
    }
  }
}
