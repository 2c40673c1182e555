import Foundation
import SpatialDatabase

/// A database as an earlier Farol left it.
enum EarlierDatabase {
  /// The folder of the migrations.
  static let migrations = Repository.root.appendingPathComponent("migrations")

  /// Creates one in a folder, with the migrations before `number`, such as `0009`.
  static func make(in folder: URL, before number: String) throws -> Database {
    let early = folder.appendingPathComponent("early")
    try FileManager.default.createDirectory(at: early, withIntermediateDirectories: true)
    for file in try FileManager.default.contentsOfDirectory(atPath: migrations.path)
    where file < number {
      try FileManager.default.copyItem(
        at: migrations.appendingPathComponent(file), to: early.appendingPathComponent(file))
    }
    let database = try Database(path: folder.appendingPathComponent("farol.db").path)
    _ = try database.migrate(directory: early.path)
    return database
  }
}
