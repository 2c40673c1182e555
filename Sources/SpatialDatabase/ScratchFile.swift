internal import CSpatiaLite
internal import GRDB
internal import Glibc

/// A plain SQLite file made from nothing and handed on: an export in a format that is a database.
///
/// Nobody else knows it and a broken one is thrown away, so it is written without a journal. It is gone
/// when nobody holds it any more.
package final class ScratchFile: Sendable {
  /// Where it lies, until it is let go of.
  package let path: String
  private let queue: DatabaseQueue
  private let session: Session

  /// - Parameter limit: how large it may become, in bytes.
  /// - Throws: ``DatabaseFault`` of kind `unreadable` where none can be made.
  package init(limit: Int) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    // mkstemp puts a name that nobody has in the place of its six X.
    var template = Array("\(folder)/farol-export-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else {
      throw DatabaseFault(.unreadable, "no file can be made in \(folder)")
    }
    close(descriptor)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    self.path = path
    do {
      let settings = ConnectionSettings(part: .scratch, busyTimeout: .seconds(1))
      (queue, session) = try settings.open(path)
      try queue.inDatabase { [session] _ in
        try session.run("PRAGMA max_page_count = \(max(1, limit / 4_096))")
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  deinit {
    try? ConnectionSettings.close(queue, session)
    unlink(path)
  }

  /// Runs `body` in one transaction.
  ///
  /// - Throws: ``DatabaseFault``, of kind `diskFull` when there is no room, and what `body` throws.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T {
    try queue.inDatabase { _ in
      try session.transaction("BEGIN", limit: nil) { try body(Connection(session: session)) }
    }
  }

  /// Runs a statement outside of a transaction, such as a PRAGMA.
  package func execute(_ sql: String) throws {
    try queue.inDatabase { _ in try session.run(sql) }
  }

  /// Writes everything and closes; the file stays until it is let go of.
  package func finish() throws { try ConnectionSettings.close(queue, session) }
}
