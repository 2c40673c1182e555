import Foundation
import Locking
import SpatialDatabase
import TestPostgreSQL

/// The engine of the databases of tests: SQLite, or PostgreSQL if `FAROL_TEST_ENGINE` is `postgresql`. Then each path of
/// a database stands for a database of the test server.
enum TestEngine {
  static let isPostgreSQL =
    ProcessInfo.processInfo.environment["FAROL_TEST_ENGINE"] == "postgresql"

  /// The name of the database for each path.
  private static let names = Locked<[String: String]>([:])

  /// Opens the database at a path; creates it if necessary.
  static func open(_ path: String, _ configuration: Database.Configuration) throws -> Database {
    guard isPostgreSQL else { return try Database(path: path, configuration: configuration) }
    let server = try TestPostgreSQL.shared.get()
    let name = try names.withLock { names in
      if let name = names[path] { return name }
      let name = try server.newDatabaseName()
      names[path] = name
      return name
    }
    return try Database(server: server.url(name), path: path, configuration: configuration)
  }

  /// Copies a database that is not open.
  static func copy(_ template: URL, to file: URL) throws {
    guard isPostgreSQL else {
      return try FileManager.default.copyItem(at: template, to: file)
    }
    let server = try TestPostgreSQL.shared.get()
    guard let name = names.withLock({ $0[template.path] }) else { throw TestPostgreSQL.Failure() }
    let copy = try server.copy(of: name)
    names.withLock { $0[file.path] = copy }
  }

  /// Removes what ``open(_:_:)`` or ``copy(_:to:)`` made on the server.
  static func remove(_ path: String) {
    guard let name = names.withLock({ $0.removeValue(forKey: path) }) else { return }
    try? TestPostgreSQL.shared.get().drop(name)
  }
}
