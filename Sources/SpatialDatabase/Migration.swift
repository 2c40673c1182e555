internal import CSpatiaLite
internal import Foundation

/// One file of the migrations folder, `NNNN_name.sql`.
struct Migration {
  /// 1, 2, 3, … without gaps. After it has run, this is the `user_version` of the file.
  let number: Int
  /// The file's name without `.sql`.
  let name: String
  let sql: String

  /// The line of a migration after which servers of earlier versions must no longer write to the database. Without it
  /// they write on until they are upgraded (docs/how-to/high-availability.md).
  static let stopsEarlierLine = "-- Stops earlier versions."

  /// Whether the migration contains ``stopsEarlierLine``.
  var stopsEarlier: Bool { sql.split(separator: "\n").contains { $0 == Self.stopsEarlierLine } }

  /// The migrations of a folder in order. Other files are ignored.
  ///
  /// - Parameters:
  ///   - directory: the folder.
  ///   - first: the number of the first one. Nil for any: PostgreSQL begins with a whole schema.
  /// - Returns: the migrations.
  /// - Throws: ``DatabaseFault`` of kind `migration` if a name or number is out of order.
  static func all(in directory: String, first: Int? = 1) throws -> [Migration] {
    let files: [String]
    do {
      files = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw DatabaseFault(.migration, "the folder of migrations \(directory) cannot be read")
    }
    let names = files.filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }.sorted()
    let start = first ?? names.first.flatMap(number) ?? 1
    return try zip(start..., names).map { expected, file in
      let name = String(file.dropLast(4))
      guard let number = number(of: name), number == expected else {
        throw DatabaseFault(
          .migration, "\(file): expected the migration numbered \(expected), as NNNN_name.sql")
      }
      guard let bytes = FileManager.default.contents(atPath: directory + "/" + file),
        let sql = String(validating: bytes, as: UTF8.self)
      else { throw DatabaseFault(.migration, "\(file) cannot be read as UTF-8") }
      return Migration(number: number, name: name, sql: sql)
    }
  }

  /// Checks the names of the migrations that have run.
  ///
  /// - Throws: ``DatabaseFault`` of kind `migration` if one of them has no file, or comes after one that has not run.
  static func check(ran done: Set<String>, against migrations: [Migration]) throws {
    let names = Set(migrations.map(\.name))
    if let missing = done.subtracting(names).min() {
      throw DatabaseFault(.migration, "migration \(missing) has run but its file is gone")
    }
    // Strict order, because a later migration expects the schema after the earlier ones.
    let ran = migrations.map { done.contains($0.name) }
    if let firstNew = ran.firstIndex(of: false), let lastDone = ran.lastIndex(of: true),
      firstNew < lastDone
    {
      throw DatabaseFault(
        .migration, "migration \(migrations[firstNew].name) comes before one that has run")
    }
  }

  /// The four digits before the first underscore.
  private static func number(of name: String) -> Int? {
    let parts = name.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, let digits = parts.first, digits.utf8.count == 4 else { return nil }
    return Int(digits)
  }

  /// Runs the statements in sequence, inside an open transaction.
  ///
  /// SpatiaLite functions return 0 where SQLite would raise an error. A row that starts with the
  /// integer 0 therefore counts as a failure.
  func run(on connection: OpaquePointer) throws(DatabaseFault) {
    var text = sql
    let failure: DatabaseFault? = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        do throws(DatabaseFault) {
          try run(characters, on: connection)
          return nil
        } catch { return error }
      }
    }
    if let failure { throw failure }
  }

  private func run(
    _ text: UnsafeBufferPointer<CChar>, on connection: OpaquePointer
  ) throws(DatabaseFault) {
    guard var position = text.baseAddress else { return }
    let end = position + text.count
    while position < end {
      var handle: OpaquePointer?
      var tail: UnsafePointer<CChar>?
      let count = Int32(clamping: end - position)
      guard sqlite3_prepare_v2(connection, position, count, &handle, &tail) == SQLITE_OK else {
        throw fault(DatabaseFault(connection: connection))
      }
      // No statement: the rest is white space, comments or a NUL byte.
      guard let handle, let tail else { return }
      defer { sqlite3_finalize(handle) }
      try finish(handle, on: connection)
      position = tail
    }
  }

  private func finish(
    _ handle: OpaquePointer, on connection: OpaquePointer
  ) throws(DatabaseFault) {
    let sql = sqlite3_sql(handle).map { String(cString: $0) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        if sqlite3_column_type(handle, 0) == SQLITE_INTEGER, sqlite3_column_int64(handle, 0) == 0 {
          throw fault(DatabaseFault(.migration, "a statement answered 0", sql: sql))
        }
      case SQLITE_DONE:
        guard sqlite3_get_autocommit(connection) == 0 else {
          throw fault(
            DatabaseFault(.migration, "a statement ended the migration's transaction", sql: sql))
        }
        return
      default:
        throw fault(DatabaseFault(connection: connection, sql: sql))
      }
    }
  }

  private func fault(_ cause: DatabaseFault) -> DatabaseFault {
    DatabaseFault(
      .migration, "migration \(name): \(cause.message)", code: cause.code, sql: cause.sql)
  }
}
