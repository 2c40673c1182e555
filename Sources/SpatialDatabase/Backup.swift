internal import CSpatiaLite
internal import GRDB
internal import Glibc

extension Database {
  /// Copies the database as it stands now into a new file, while others read and write.
  ///
  /// The copy is one snapshot, readable by its owner alone, and appears under its name only when it
  /// is whole and on the disk. It has no log beside it, so that reading it leaves no file there.
  ///
  /// - Parameter copyPath: where to; nothing may be there yet.
  /// - Throws: ``DatabaseFault``, of kind `diskFull` when the copy does not fit.
  package func backup(to copyPath: String) throws {
    guard FileFormat.size(copyPath) == nil else {
      throw DatabaseFault(.unreadable, "\(copyPath) exists already")
    }
    let draft = copyPath + ".part"
    unlink(draft)
    try FileFormat.makePrivate(draft)
    do {
      try copySnapshot(to: draft)
      try FileFormat.publish(draft, as: copyPath)
    } catch {
      unlink(draft)
      throw DatabaseFault.translated(error, path: copyPath)
    }
  }

  /// A connection of its own, so that a long copy takes no reader from the map.
  private func copySnapshot(to draft: String) throws {
    let settings = ConnectionSettings(part: .reader, busyTimeout: configuration.busyTimeout)
    let (source, session) = try settings.open(path)
    var plain = GRDB.Configuration()
    // Nobody else knows the draft and a broken one is thrown away, so it needs no journal.
    plain.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = OFF") }
    let copy = try DatabaseQueue(path: draft, configuration: plain)
    try source.inDatabase { _ in
      defer { session.close() }
      try session.transaction("BEGIN", limit: nil) {
        // Fixes the snapshot: without one, every commit beside us would start the copy anew.
        try session.run("SELECT count(*) FROM sqlite_schema")
        try copy.inDatabase { target in
          guard let handle = target.sqliteConnection else { return }
          try Self.copyPages(from: session.handle, to: handle)
          try target.execute(sql: "PRAGMA journal_mode = DELETE")
        }
      }
    }
    try copy.close()
    try source.close()
  }

  private static func copyPages(from source: OpaquePointer, to target: OpaquePointer) throws {
    guard let backup = sqlite3_backup_init(target, "main", source, "main") else {
      throw DatabaseFault(connection: target)
    }
    var code = SQLITE_OK
    while code == SQLITE_OK { code = sqlite3_backup_step(backup, 1_024) }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw DatabaseFault(connection: target) }
  }
}

extension FileFormat {
  /// Gives a finished file its name and makes both last through a power failure.
  static func publish(_ draft: String, as path: String) throws(DatabaseFault) {
    try sync(draft)
    guard rename(draft, path) == 0 else {
      throw DatabaseFault(.ioError, "\(path) cannot be made: \(systemError())")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    try sync(folder)
  }

  private static func sync(_ path: String) throws(DatabaseFault) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DatabaseFault(.ioError, "\(path) cannot be opened: \(systemError())")
    }
    defer { Glibc.close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw DatabaseFault(.ioError, "\(path) cannot be written to the disk: \(systemError())")
    }
  }
}
