internal import CPostgreSQL

/// A statement that the server has prepared for one connection.
final class PreparedStatement {
  let sql: String
  let name: String
  let parameterTypes: [Oid]
  /// Whether all columns are of types that are read in binary.
  let isBinary: Bool
  fileprivate(set) var lastUse: UInt64 = 0

  fileprivate init(_ sql: String, name: String, description: StatementResult) {
    self.sql = sql
    self.name = name
    parameterTypes = description.parameterTypes
    isBinary = description.columnTypes.allSatisfy(\.isReadInBinary)
  }
}

extension PreparedStatement {
  /// The values in the form that the parameters need.
  func encode(_ values: [BoundValue]) throws(ServerFault) -> ParameterBuffer {
    guard values.count == parameterTypes.count else {
      throw ServerFault(
        .statement, "\(parameterTypes.count) values wanted, \(values.count) given", sql: sql)
    }
    var buffer = ParameterBuffer()
    for (place, (value, type)) in zip(values, parameterTypes).enumerated() {
      do throws(ParameterBuffer.Defect) { try buffer.append(value, as: type) } catch {
        throw ServerFault(.value, "value \(place + 1): \(error.rawValue)", sql: sql)
      }
    }
    return buffer
  }
}

/// The statements of one connection by their SQL.
struct PreparedStatements {
  /// More than the number of SQL texts that one connection uses often.
  static let capacity = 400

  private var bySQL: [String: PreparedStatement] = [:]
  private var uses: UInt64 = 0
  private var made = 0

  mutating func nextName() -> String {
    made += 1
    return "s\(made)"
  }

  mutating func find(_ sql: String) -> PreparedStatement? {
    uses += 1
    let found = bySQL[sql]
    found?.lastUse = uses
    return found
  }

  mutating func insert(_ statement: PreparedStatement) {
    statement.lastUse = uses
    bySQL[statement.sql] = statement
  }

  mutating func remove(_ statement: PreparedStatement) { bySQL[statement.sql] = nil }

  /// Takes out the least recently used quarter if there are too many.
  mutating func takeSurplus() -> [PreparedStatement] {
    guard bySQL.count > Self.capacity else { return [] }
    let surplus = bySQL.values.sorted { $0.lastUse < $1.lastUse }.prefix(Self.capacity / 4)
    for statement in surplus { bySQL[statement.sql] = nil }
    return Array(surplus)
  }
}

extension ServerConnection {
  /// The statement for a text, which the server prepares and describes in one round trip if necessary.
  func prepared(_ sql: String, isKept: Bool = true) throws(ServerFault) -> PreparedStatement {
    if let statement = statements.find(sql) { return statement }
    let numbered = try NumberedStatement(sql)
    // An unnamed statement lasts until the next one.
    let name = isKept ? statements.nextName() : ""
    let results = try pipeline { () throws(ServerFault) in
      guard PQsendPrepare(handle, name, numbered.text, 0, nil) == 1,
        PQsendDescribePrepared(handle, name) == 1
      else { throw refusedToSend(sql) }
    }
    if let failed = results.first(where: { !$0.isSuccess }) { throw failed.fault(sql: sql) }
    guard let description = results.last else { throw ServerFault.lost(sql: sql) }
    let statement = PreparedStatement(sql, name: name, description: description)
    if isKept { statements.insert(statement) }
    return statement
  }

  /// Makes the server forget statements beyond the capacity. Outside a transaction.
  func forgetSurplus() throws(ServerFault) {
    let surplus = statements.takeSurplus()
    if !surplus.isEmpty {
      try control(surplus.map { "DEALLOCATE \($0.name)" }.joined(separator: "; "))
    }
  }
}
