import Foundation
import Locking
import SpatialDatabase
import TestPostgreSQL

/// Opens the databases of tests: SQLite files, or PostgreSQL databases if `FAROL_TEST_ENGINE` is `postgresql`.
/// Each path then belongs to a database of the test server.
enum TestEngine {
  static let isPostgreSQL =
    ProcessInfo.processInfo.environment["FAROL_TEST_ENGINE"] == "postgresql"

  /// The name of the database for each path.
  private static let names = Locked<[String: String]>([:])

  /// Opens the database at a path; creates it if necessary.
  static func open(_ path: String, _ configuration: Database.Configuration) throws -> Database {
    if isPostgreSQL { try create(path) }
    guard let name = names.withLock({ $0[path] }) else {
      return try Database(path: path, configuration: configuration)
    }
    let url = try TestPostgreSQL.shared.get().url(name)
    return try Database(server: url, path: path, configuration: configuration)
  }

  /// Creates a PostgreSQL database for a path without a database.
  static func create(_ path: String) throws {
    let server = try TestPostgreSQL.shared.get()
    try names.withLock { names in
      if names[path] == nil { names[path] = try server.newDatabaseName() }
    }
  }

  /// The address of the PostgreSQL database of a path.
  static func url(of path: String) throws -> String {
    guard let name = names.withLock({ $0[path] }) else { throw TestPostgreSQL.Failure() }
    return try TestPostgreSQL.shared.get().url(name)
  }

  /// Uses the database of another path for a path.
  static func share(_ path: String, with other: String) {
    names.withLock { $0[path] = $0[other] }
  }

  /// Copies a closed database.
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
