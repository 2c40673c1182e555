internal import CPostgreSQL

/// A whole result, and its memory.
///
/// The address of the memory stays inside, because Swift may release a result after its last use, before the memory is
/// read through its address.
final class StatementResult {
  private let handle: OpaquePointer

  /// Takes the result of libpq over.
  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  var status: ExecStatusType { PQresultStatus(handle) }

  var isSuccess: Bool { status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK }

  /// The command that ran, such as `COMMIT`.
  var command: String { String(cString: PQcmdStatus(handle)) }

  /// The number of rows that an INSERT, UPDATE, DELETE or SELECT concerned.
  var changedRowCount: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  var rowCount: Int { Int(PQntuples(handle)) }

  /// The types of the parameters of a prepared statement that was described.
  var parameterTypes: [Oid] { (0..<PQnparams(handle)).map { PQparamtype(handle, $0) } }

  var columnTypes: [Oid] { (0..<PQnfields(handle)).map { PQftype(handle, $0) } }

  /// The error of a statement that failed.
  func fault(sql: String?) -> ServerFault { ServerFault(result: handle, sql: sql) }

  /// Passes a row to `body`, and keeps the memory until it returns.
  func withRow<T>(_ number: Int, _ body: (ResultRow) throws -> T) rethrows -> T {
    try withExtendedLifetime(self) {
      try body(
        ResultRow(
          result: handle, number: Int32(truncatingIfNeeded: number),
          isBinary: PQbinaryTuples(handle) != 0))
    }
  }

  /// Passes each row to `body` in order.
  func forEach(_ body: (ResultRow) throws -> Void) rethrows {
    for number in 0..<rowCount { try withRow(number, body) }
  }
}
