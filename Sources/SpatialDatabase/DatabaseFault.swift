internal import CSpatiaLite
internal import Glibc
internal import PostgreSQL

/// The reason why a database operation failed.
///
/// ``message`` comes from the engine or is a sentence for the administrator. It and ``sql`` belong in
/// the log, not in a response, because they name tables and, for a constraint, columns.
package struct DatabaseFault: Error, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The file is missing, not accessible, or not an SQLite file.
    case unreadable
    /// SQLite detected damaged structures.
    case corrupt
    /// A valid SQLite file of another program.
    case notFarol
    /// Created or changed by a newer Farol version.
    case newerSchema
    /// The file was moved, deleted or replaced while it was open.
    case misplaced
    /// Another process is serving from this file.
    case locked
    /// Contains tables, although it should be new.
    case notEmpty
    /// A copy has other rows than its original.
    case differs
    /// A write on a read-only database.
    case readOnly
    case diskFull
    case ioError
    /// The busy timeout expired.
    case busy
    /// A read exceeded its time limit.
    case interrupted
    case constraint(Constraint)
    /// A migration failed, or was edited after it had run.
    case migration
    /// Used after ``Database/close()``.
    case closed
    /// The transaction was rolled back before a later statement.
    case transactionLost
    /// No PostgreSQL server answers, or the connection ended; nothing is stored then.
    case unreachable
    /// The connection ended during COMMIT, and the server does not report whether the changes are stored.
    case unknownOutcome
    /// The PostgreSQL database is behind the state that this server has seen, see ``SeenState``.
    case behind
    /// Two PostgreSQL transactions excluded each other.
    case conflict
    /// A value that PostgreSQL cannot store, such as a text with U+0000.
    case value
    /// The engine rejected the statement, usually because of an error in Farol.
    case statement
  }

  /// The violated constraint.
  package enum Constraint: Sendable, Equatable {
    case unique, check, foreignKey, notNull
    /// `RAISE` in a trigger, including SpatiaLite's geometry triggers.
    case trigger
    case other
  }

  package var kind: Kind
  /// SQLite's extended result code. 0 if the error does not come from SQLite.
  package var code: Int32
  /// PostgreSQL's SQLSTATE. Empty if the error does not come from it.
  package var sqlState = ""
  /// Whether PostgreSQL gave no sign of life, not even to a request to cancel.
  var isHang = false
  /// Whether the same read may succeed if it has more time.
  var isOfDelay: Bool { kind == .interrupted || kind == .busy || isHang }
  package var message: String
  package var sql: String?

  init(_ kind: Kind, _ message: String, code: Int32 = 0, sql: String? = nil) {
    self.kind = kind
    self.code = code
    self.message = message
    self.sql = sql
  }

  init(_ fault: ServerFault) {
    self.init(Kind(fault.kind), fault.message, sql: fault.sql)
    sqlState = fault.sqlState
    isHang = fault.kind == .unresponsive
  }

  /// The last error of a connection.
  init(connection: OpaquePointer, sql: String? = nil) {
    let code = sqlite3_extended_errcode(connection)
    let message = String(cString: sqlite3_errmsg(connection))
    var kind = Kind(code: code)
    // SQLite reports a full disk as an I/O error if the -shm file is affected.
    let number = sqlite3_system_errno(connection)
    if kind == .ioError, number == ENOSPC || number == EDQUOT { kind = .diskFull }
    // SQLite also reports a failed disk read as a damaged file (SQLITE_IOERR_CORRUPTFS). Each fault
    // clears the stored disk error, so that it does not explain a later fault.
    let refused = kind.isOfTheFile ? takeRefusal(connection) : nil
    if kind == .corrupt, let refused {
      self.init(
        .ioError, "the disk could not be read: \(systemError(refused))", code: code, sql: sql)
    } else {
      self.init(kind, message, code: code, sql: sql)
    }
  }
}

/// Returns and clears the system error of the last failed read or write of the file or its log. Nil if none has
/// failed since the last call.
func takeRefusal(_ connection: OpaquePointer) -> Int32? {
  [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].compactMap { operation -> Int32? in
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK, let file,
      let methods = file.pointee.pMethods
    else { return nil }
    var number: Int32 = 0
    guard methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK,
      number != 0
    else { return nil }
    // A read beyond the end of the file is short, which makes SQLite clear the error.
    var byte: UInt8 = 0
    _ = methods.pointee.xRead?(file, &byte, 1, 1 << 40)
    return number
  }.first
}

extension DatabaseFault {
  /// Whether a statement is at fault, or took too long, and not the database: other statements may succeed.
  package var isOfStatement: Bool {
    switch kind {
    case .statement, .value, .interrupted, .constraint: true
    default: false
    }
  }
}

extension DatabaseFault: CustomStringConvertible {
  package var description: String {
    var text = message
    if code != 0 { text += " (SQLite \(code))" }
    if !sqlState.isEmpty { text += " (SQLSTATE \(sqlState))" }
    guard let sql else { return text }
    // The statement of a migration may be as long as a schema.
    if kind == .migration { return text + " in the statement “\(Self.beginning(of: sql))”" }
    return text + " in: \(sql)"
  }

  /// The first line of a statement, at most 80 characters of it.
  private static func beginning(of sql: String) -> String {
    let statement = sql.drop { $0.isWhitespace }
    let beginning = statement.prefix { !$0.isNewline }.prefix(80)
    return beginning.count < statement.count ? beginning + " …" : String(beginning)
  }
}

extension DatabaseFault.Kind {
  /// Whether the disk may be the cause.
  fileprivate var isOfTheFile: Bool { self == .corrupt || self == .ioError || self == .diskFull }

  /// The kind for an extended SQLite result code (https://sqlite.org/rescode.html).
  init(code: Int32) {
    switch code & 0xFF {
    case SQLITE_CANTOPEN, SQLITE_NOTADB, SQLITE_PERM: self = .unreadable
    case SQLITE_CORRUPT: self = .corrupt
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_FULL: self = .diskFull
    case SQLITE_IOERR: self = .ioError
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_INTERRUPT: self = .interrupted
    case SQLITE_CONSTRAINT: self = .constraint(DatabaseFault.Constraint(code: code))
    default: self = .statement
    }
  }

  init(_ kind: ServerFault.Kind) {
    self =
      switch kind {
      case .unreachable, .unresponsive, .connectionLost: .unreachable
      case .address, .notPostgreSQL, .refused, .database, .noPostGIS, .tooOld, .readerRole:
        .unreadable
      case .unknownOutcome: .unknownOutcome
      case .busy: .busy
      case .interrupted: .interrupted
      case .conflict: .conflict
      case .constraint(let constraint): .constraint(DatabaseFault.Constraint(constraint))
      case .readOnly: .readOnly
      case .diskFull: .diskFull
      case .value: .value
      case .transactionLost: .transactionLost
      case .barred: .newerSchema
      case .behind: .behind
      case .closed: .closed
      case .statement: .statement
      }
  }
}

extension DatabaseFault.Constraint {
  fileprivate init(_ constraint: ServerFault.Constraint) {
    self =
      switch constraint {
      case .unique: .unique
      case .check: .check
      case .foreignKey: .foreignKey
      case .notNull: .notNull
      case .trigger: .trigger
      case .other: .other
      }
  }

  fileprivate init(code: Int32) {
    // The extended code is the primary code plus a number in the second byte.
    switch code >> 8 {
    case 8, 6, 10: self = .unique  // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY, _ROWID
    case 1: self = .check  // SQLITE_CONSTRAINT_CHECK
    case 3: self = .foreignKey  // SQLITE_CONSTRAINT_FOREIGNKEY
    case 5: self = .notNull  // SQLITE_CONSTRAINT_NOTNULL
    case 7: self = .trigger  // SQLITE_CONSTRAINT_TRIGGER
    default: self = .other
    }
  }
}
