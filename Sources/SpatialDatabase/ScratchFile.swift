internal import CSpatiaLite
internal import Glibc

/// A new plain SQLite file for an export in a database format.
///
/// No other process knows the file, and after an error it is deleted, so it is written without a journal. The file is
/// also deleted with the last reference to this object.
package final class ScratchFile: Sendable {
  /// The path of the file, valid as long as this object exists.
  package let path: String
  private let session: Session

  /// - Parameter limit: the maximum size of the file, in bytes.
  /// - Throws: ``DatabaseFault`` of kind `unreadable` if the file cannot be created.
  package init(limit: Int) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // mkstemp replaces six letters X at the end with a unique name.
    let unique = String(repeating: "X", count: 6)
    var template = Array("\(folder)/farol-export-\(unique)".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw DatabaseFault(.unreadable, "no file can be made in \(folder)")
    }
    close(descriptor)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.path = path
    do {
      session = try ConnectionSettings(part: .scratch, busyTimeout: .seconds(1)).open(path)
      try execute("PRAGMA max_page_count = \(max(1, limit / 4_096))")
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit {
    try? session.close()
    unlink(path)
  }

  /// Runs `body` in one transaction.
  ///
  /// - Throws: ``DatabaseFault``, of kind `diskFull` when there is no space, and errors from
  ///   `body`.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T {
    try session.use {
      try session.transaction("BEGIN", limit: nil) { try body(Connection(session: session)) }
    }
  }

  /// Runs a statement outside a transaction, such as a PRAGMA.
  package func execute(_ sql: String) throws {
    try session.use { try session.run(sql) }
  }

  /// Writes all data and closes the database. The file remains until this object is released.
  package func finish() throws { try session.close() }
}
