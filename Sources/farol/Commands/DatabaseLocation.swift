import Foundation
import SpatialDatabase

/// The location of an instance's database: a file, or a PostgreSQL database.
struct DatabaseLocation: CustomStringConvertible {
  /// The URL of a PostgreSQL database, which may contain a password. Nil for a file.
  private let server: String?
  /// The path of the file. With PostgreSQL, the path that the names of local files begin with, such as the socket for
  /// commands.
  let local: String

  /// The location according to the settings.
  init(_ options: CommonOptions, _ reader: SettingReader) {
    self.init(reader.text(options.database, "FAROL_DATABASE") ?? "data/farol.db", options, reader)
  }

  /// The location that a text names: a path, or a URL.
  init(_ text: String, _ options: CommonOptions, _ reader: SettingReader) {
    guard Database.isServer(text) else {
      (server, local) = (nil, text)
      return
    }
    let folder = URL(fileURLWithPath: reader.text(options.state, "FAROL_STATE") ?? "data")
    (server, local) = (text, folder.appendingPathComponent("farol").path)
  }

  /// The folder of the database and of the files created by set-up.
  var folder: URL { URL(fileURLWithPath: local).deletingLastPathComponent() }

  /// Whether the database is on PostgreSQL.
  var isOnServer: Bool { server != nil }

  /// Whether both name the same file, or are the same URL.
  func isSame(as other: DatabaseLocation) -> Bool {
    guard server == nil, other.server == nil else { return server == other.server }
    func resolved(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    return resolved(local) == resolved(other.local)
  }

  /// For messages: without the URL.
  var description: String { server == nil ? local : "on PostgreSQL" }

  /// Opens the database.
  func open(_ configuration: Database.Configuration) throws -> Database {
    if let server {
      try Database(server: server, path: local, configuration: configuration)
    } else {
      try Database(path: local, configuration: configuration)
    }
  }

  /// The URL of a standby for public reads, according to the settings.
  ///
  /// - Throws: ``InvalidSetting``, which does not repeat the URL, because it may contain a password.
  func replica(_ options: ServeOptions, _ reader: SettingReader) throws -> String? {
    guard let url = reader.text(options.databaseReplica, "FAROL_DATABASE_REPLICA") else {
      return nil
    }
    guard isOnServer, Database.isServer(url) else {
      throw InvalidSetting(
        name: "FAROL_DATABASE_REPLICA",
        problem: "It must be a URL postgresql://…, and FAROL_DATABASE must be one, too.")
    }
    return url
  }

  /// The path of the file, for a command that works on files.
  ///
  /// - Throws: ``CommandFailure`` if the database is on PostgreSQL.
  func file(for command: String) throws -> String {
    guard server == nil else {
      throw CommandFailure(
        "farol \(command) copies files; with PostgreSQL use pg_basebackup (docs/how-to/postgresql.md)"
      )
    }
    return local
  }
}
