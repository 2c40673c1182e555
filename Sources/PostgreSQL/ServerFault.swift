internal import CPostgreSQL

/// The reason why a PostgreSQL operation failed.
///
/// ``message`` comes from the server or is a sentence for the administrator. It and ``sql`` belong in the log, not in a
/// response. Neither contains the user name, the password, or a bound value that the server did not quote itself.
package struct ServerFault: Error, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The URL is not valid.
    case address
    /// No server answers at the address, or it does not accept connections yet.
    case unreachable
    /// The server is connected and hangs: it does not even react to a cancelled statement.
    case unresponsive
    /// The program that answers is not PostgreSQL.
    case notPostgreSQL
    /// The server refused the user or the password.
    case refused
    /// The database does not exist, or its encoding is not UTF-8.
    case database
    /// The database has no PostGIS.
    case noPostGIS
    /// The role of reads is missing, or the user may not use it.
    case readerRole
    /// The server is older than ``ServerConnection/oldestVersion``.
    case tooOld
    /// The connection ended. Its transaction is rolled back; a write outside a transaction may be stored.
    case connectionLost
    /// The connection ended during COMMIT, and the server does not report whether the changes are stored.
    case unknownOutcome
    /// No connection, or no lock, was free in time.
    case busy
    /// The statement exceeded its time limit or was interrupted.
    case interrupted
    /// Two transactions excluded each other. The transaction may be repeated.
    case conflict
    case constraint(Constraint)
    /// A write in a transaction that reads, or on a standby.
    case readOnly
    case diskFull
    /// A value cannot be bound.
    case value
    /// An earlier statement of the transaction failed, so the server refuses further ones.
    case transactionLost
    /// The server is behind the state that this process has seen, see ``ServerFence``.
    case behind
    /// The condition of a write does not hold, see ``TransactionMode/write(turn:notifying:payload:unless:)``.
    case barred
    /// Used after it was closed.
    case closed
    /// The server rejected the statement.
    case statement
  }

  /// The violated constraint.
  package enum Constraint: Sendable, Equatable {
    case unique, check, foreignKey, notNull
    /// `RAISE` in a trigger.
    case trigger
    case other
  }

  package var kind: Kind
  /// Five letters and digits (PostgreSQL, appendix A). Empty if the fault does not come from the server.
  package var sqlState: String
  package var message: String
  /// The name of the violated constraint, if the server gave one.
  package var constraintName: String?
  package var sql: String?

  package init(_ kind: Kind, _ message: String, sqlState: String = "", sql: String? = nil) {
    self.kind = kind
    self.sqlState = sqlState
    self.message = message
    self.sql = sql
  }

  /// The error in a result.
  ///
  /// The detail that the server sends is left out, because it contains values of rows.
  init(result: OpaquePointer, sql: String?) {
    func field(_ field: postgresql_field) -> String? {
      PQresultErrorField(result, Int32(field.rawValue)).map { String(cString: $0) }
    }
    let state = field(POSTGRESQL_SQLSTATE) ?? ""
    let message = field(POSTGRESQL_MESSAGE)
    self.init(
      Kind(sqlState: state), message ?? "the connection to PostgreSQL ended", sqlState: state,
      sql: sql)
    constraintName = field(POSTGRESQL_CONSTRAINT)
  }

  static func standby(_ address: ServerAddress) -> ServerFault {
    ServerFault(
      .readOnly, "PostgreSQL at \(address) is a standby or read-only; Farol needs the primary.")
  }

  static func lost(sql: String? = nil) -> ServerFault {
    ServerFault(.connectionLost, "the connection to PostgreSQL ended", sql: sql)
  }
}

extension ServerFault: CustomStringConvertible {
  package var description: String {
    var text = message
    if !sqlState.isEmpty { text += " (SQLSTATE \(sqlState))" }
    if let sql { text += " in: \(sql)" }
    return text
  }
}

extension ServerFault.Kind {
  /// The kind for an SQLSTATE (PostgreSQL, appendix A). Without one the connection broke.
  init(sqlState: String) {
    switch sqlState {
    case "": self = .connectionLost
    case "57P01", "57P02", "57P05", "25P03": self = .connectionLost
    case "57P03": self = .unreachable
    case "57014": self = .interrupted
    case "55P03", "53300": self = .busy
    case "40001", "40P01": self = .conflict
    case "25006": self = .readOnly
    case "53100": self = .diskFull
    case "25P02": self = .transactionLost
    case "P0001": self = .constraint(.trigger)
    case "23505", "23P01": self = .constraint(.unique)
    case "23514": self = .constraint(.check)
    case "23503": self = .constraint(.foreignKey)
    case "23502": self = .constraint(.notNull)
    case "3D000": self = .database
    default:
      self =
        switch sqlState.prefix(2) {
        case "08": .connectionLost
        case "23": .constraint(.other)
        case "28": .refused
        default: .statement
        }
    }
  }
}
