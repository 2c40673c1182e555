import Foundation
import Secrets
import Service
package import SpatialDatabase

/// Copies the database of an instance to a new one, perhaps of the other engine.
package struct InstanceCopy {
  /// Where to.
  package enum Target {
    /// The path of a file that does not exist.
    case file(String)
    /// An empty PostgreSQL database, open.
    case server(Database)
  }

  private let source: Database
  /// The folder of the migrations.
  private let migrations: String
  /// Nil if both databases are on PostgreSQL, which contain their files.
  private let files: CopiedFiles?

  package init(of source: Database, migrations: String, files: CopiedFiles?) {
    (self.source, self.migrations, self.files) = (source, migrations, files)
  }

  /// Copies all tables and compares them, with photos and snapshots. A file gets its name only when it is complete.
  ///
  /// - Parameters:
  ///   - target: the new database.
  ///   - report: receives each table after the comparison.
  /// - Throws: ``DatabaseFault``; the target is then as before.
  package func run(to target: Target, report: (TableSum) -> Void) throws {
    do {
      switch target {
      case .server(let database): try fill(database, report)
      case .file(let path): try create(path, report)
      }
    } catch {
      files?.takeBack()
      throw error
    }
  }

  private func fill(_ database: Database, _ report: (TableSum) -> Void) throws {
    try source.copy(
      to: database, migrations: migrations, without: files == nil ? [] : CopiedFiles.tables,
      digest: Digest.sha256, report: report
    ) { old, new in try files?.move(from: old, to: new, isInTables: database.holdsFiles) }
  }

  /// Fills a draft with another name. No server opens it, also after an interruption.
  private func create(_ path: String, _ report: (TableSum) -> Void) throws {
    let files = FileManager.default
    guard !files.fileExists(atPath: path) else {
      throw CopyFailure("\(path) exists. Name a file that does not exist.")
    }
    let draft = path + ".copying"
    guard !files.fileExists(atPath: draft) else {
      throw CopyFailure(
        "\(draft) is left of a copy that was interrupted, or of a running one. Remove it first.")
    }
    defer {
      for end in ["", "-wal", "-shm", ".lock"] { try? files.removeItem(atPath: draft + end) }
    }
    var configuration = Database.Configuration()
    configuration.servesNobody = true
    let database = try Database(path: draft, configuration: configuration)
    do {
      try fill(database, report)
      try database.optimize()
    } catch {
      try? database.close()
      throw error
    }
    // Moves the log into the file.
    try database.close()
    try DurableFile.sync(draft)
    // Fails if the file exists by now.
    do { try files.moveItem(atPath: draft, toPath: path) } catch {
      throw CopyFailure("\(path) cannot be created: \(error.localizedDescription)")
    }
    try DurableFile.sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }
}

/// A copy that cannot begin or end, with a sentence for the administrator.
package struct CopyFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
