@testable import DevicePhotos
@testable import App
@testable import Devices
import Foundation
import Logging
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

extension TestApp {
  /// The folder for the backups of a test.
  var backups: BackupFolder {
    BackupFolder(path: folder.appendingPathComponent("backups").path)
  }

  private var backup: Backup {
    Backup(
      database: database, media: media.path,
      snapshots: folder.appendingPathComponent("snapshots").path, environment: environment)
  }

  /// Makes a backup.
  func backUp() throws -> Backup.Made { try backup.make(in: backups) }

  /// Overwrites the first page of a table, which SQLite's own check detects.
  func damage(_ table: String) throws {
    try database.checkpoint(truncate: true)
    let root = try database.readPrivate { connection in
      try connection.integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = ?", [.text(table)])
    }
    // By another process, because closing a descriptor in this process would release the locks.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/dd")
    process.arguments = [
      "if=/dev/urandom", "of=\(database.path)", "bs=4096", "count=1", "conv=notrunc", "status=none",
      "seek=\((root ?? 1) - 1)",
    ]
    try process.run()
    process.waitUntilExit()
  }

  /// Runs the due jobs.
  func doJobs() throws {
    let runner = JobRunner(
      database: database, environment: environment,
      logger: Logger(label: "test") { [log] _ in log }, works: app.works)
    while try runner.runOne() {}
  }

  /// Adds a photo whose pictures are `bytes`, in the state after a picture was decoded.
  ///
  /// - Returns: the name of its files.
  func keptPhoto(
    of device: TestDevice, _ bytes: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
  ) throws -> String {
    let name = MediaFolder.name(environment.randomBytes(16))
    let picture = DrawnPicture.Encoded(width: 8, height: 6, bytes: bytes)
    let drawn = DrawnPicture(large: picture, thumb: picture)
    try app.photos.pictures.prepare(drawn, as: name)
    let id = environment.newDeviceID().text
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO photo (id, device_rowid, position, alt, state, file, width, height, created_at)
        VALUES (?, ?, 1, 'A pole', 'public', ?, 8, 6, ?)
        """, [.text(id), .integer(device.rowid), .text(name), .text(clock.now.text)])
      try PhotoVersions.add(
        drawn, as: name, of: id, to: app.photos.pictures, connection)
    }
    return name
  }
}

/// A folder for a restored backup, and the instance that runs there afterwards.
final class RestoredPlace {
  let folder: URL

  init() throws { folder = try TestFolder.make() }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var database: String { folder.appendingPathComponent("farol.db").path }
  var media: String { folder.appendingPathComponent("media").path }

  /// Restores a backup there. The erasure list is next to `app`.
  func restore(
    _ backup: String, from app: TestApp, replaces: Bool = false, takesOld: Bool = false,
    list: String? = nil
  ) throws -> Restore.Done {
    try Restore(
      backup: backup,
      to: Restore.Place(
        database: database, media: media,
        snapshots: folder.appendingPathComponent("snapshots").path),
      program: Restore.Program(
        front: TestFolder.front, seed: Repository.root.appendingPathComponent("seed"),
        migrations: Repository.root.appendingPathComponent("migrations")),
      erasures: ErasureList(
        files: [folder.appendingPathComponent(ErasureList.name).path],
        others: [list ?? app.folder.appendingPathComponent(ErasureList.name).path]),
      environment: app.environment, logger: Logger(label: "test") { [log = app.log] _ in log },
      opening: OpenedInstance.wholly
    ).run(replaces: replaces, takesOld: takesOld)
  }

  /// Opens the database there.
  func read<T>(_ body: (Connection) throws -> T) throws -> T {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let opened = try Database(path: database, configuration: configuration)
    defer { try? opened.close() }
    return try opened.read(body)
  }

  /// The findings of `farol check` for the database there.
  func findings() throws -> [Finding] {
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let opened = try Database(path: database, configuration: configuration)
    defer { try? opened.close() }
    return try IndexCheck(database: opened).findings()
  }

  func count(_ table: String) throws -> Int64? {
    try read { try $0.integer("SELECT count(*) FROM \(table)") }
  }

  /// The names of the files there.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }
}

/// The text of the refusal that `body` throws.
func trouble(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch { return (error as? DatabaseFault)?.message ?? "\(error)" }
}
