internal import CSpatiaLite
internal import Glibc

extension Database {
  /// Copies the database into a new file while other connections read and write.
  ///
  /// The copy is one snapshot, readable only by its owner. It gets its name only when it is
  /// complete and synced to disk. It has no log file, so reading it creates no further files.
  ///
  /// - Parameter copyPath: the path of the copy. The file must not exist yet.
  /// - Throws: ``DatabaseFault``, of kind `diskFull` when the copy does not fit.
  package func backup(to copyPath: String) throws {
    if isOnServer {
      throw DatabaseFault(
        .statement,
        "a database of PostgreSQL is copied with pg_basebackup and its archive of the log")
    }
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
      throw error
    }
  }

  /// Uses a separate connection, so that a long copy does not occupy a reader of the pool.
  private func copySnapshot(to draft: String) throws {
    let source = try ConnectionSettings(part: .reader, busyTimeout: configuration.busyTimeout)
      .open(path)
    let copy = try ConnectionSettings(part: .scratch, busyTimeout: configuration.busyTimeout)
      .open(draft)
    try source.use {
      try source.transaction("BEGIN", limit: nil) {
        // Starts the snapshot. Without it, every commit of another connection would restart the
        // copy.
        try source.run("SELECT count(*) FROM sqlite_schema")
        try Self.copyPages(from: source.handle, to: copy.handle)
      }
    }
    // The copied header demands a log file.
    try copy.use { try copy.run("PRAGMA journal_mode = DELETE") }
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
  /// Renames a finished file to its final name and syncs both to disk.
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
