package import JSON
package import SpatialDatabase

/// The organisation that operates a device, as confirmed by a moderator, and its statement.
package enum ConfirmedOperator {
  /// A column of a statement over `device` for ``name(in:at:)`` and ``statement(in:at:)``. At most one claim is valid.
  static let rows = NestedRows.column(
    columns, "\(tables) WHERE claim.device_rowid = device.rowid AND claim.state = 'standing'")

  private static let columns = """
    organisation.id, organisation.name, statement.stated_at, statement.content, statement.note
    """
  private static let tables = """
    FROM organisation_claim AS claim
    JOIN organisation ON organisation.rowid = claim.organisation_rowid
    LEFT JOIN operator_statement AS statement ON statement.claim_rowid = claim.rowid
    """

  /// The id and name of the organisation that operates the device of a row; nil if none has a valid claim.
  static func name(in row: borrowing Row, at column: Int) throws -> JSONValue? {
    guard let found = try row.rows(column, keys: 0).first, found.count == 5 else { return nil }
    let name: JSONValue = ["id": found[0], "name": found[1]]
    return name
  }

  /// The public statement of the operator of the device of a row, or nil.
  static func statement(in row: borrowing Row, at column: Int) throws -> JSONValue? {
    guard let found = try row.rows(column, keys: 0).first else { return nil }
    return statement(found)
  }

  /// The public statement of a device's operator, or nil.
  package static func statement(of device: Int64, _ connection: borrowing Connection) throws
    -> JSONValue?
  {
    let found = try connection.first(
      "SELECT \(columns) \(tables) WHERE claim.device_rowid = ? AND claim.state = 'standing'",
      [.integer(device)]
    ) { row -> [JSONValue] in
      (0..<5).map { row.optionalText($0).map { JSONValue.string($0) } ?? JSONValue.null }
    }
    return found.flatMap { statement($0) }
  }

  private static func statement(_ found: [JSONValue]) -> JSONValue? {
    guard found.count == 5, found[2] != .null else { return nil }
    var object = JSONObject([
      ("operator", ["id": found[0], "name": found[1]] as JSONValue), ("stated_at", found[2]),
    ])
    let content = found[3].stringValue.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
    for member in content?.objectValue?.members ?? [] { object[member.key] = member.value }
    object["note"] = found[4]
    return .object(object)
  }
}
