package import JSON
package import SpatialDatabase

/// The organisation that operates a device, as confirmed by a moderator, and its statement.
package enum ConfirmedOperator {
  /// The id and name of the organisation that operates a device (row); nil if none has a valid claim.
  static func name(of device: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try connection.first(nameQuery, [.integer(device)]) {
      ["id": .string($0.text(0)), "name": .string($0.text(1))]
    }
  }

  static let nameQuery = """
    SELECT organisation.id, organisation.name FROM organisation_claim AS claim
    JOIN organisation ON organisation.rowid = claim.organisation_rowid
    WHERE claim.device_rowid = ? AND claim.state = 'standing'
    """

  /// The public statement of a device's operator, or nil.
  package static func statement(of device: Int64, _ connection: borrowing Connection) throws
    -> JSONValue?
  {
    try connection.first(statementQuery, [.integer(device)]) { row in
      var object = JSONObject([
        ("operator", ["id": .string(row.text(0)), "name": .string(row.text(1))] as JSONValue),
        ("stated_at", .string(row.text(2))),
      ])
      let content = (try? JSONValue(parsing: Array(row.text(3).utf8)))?.objectValue
      for member in content?.members ?? [] { object[member.key] = member.value }
      object["note"] = row.optionalText(4).map { .string($0) } ?? .null
      return .object(object)
    }
  }

  static let statementQuery = """
    SELECT organisation.id, organisation.name, statement.stated_at, statement.content,
      statement.note
    FROM organisation_claim AS claim
    JOIN operator_statement AS statement ON statement.claim_rowid = claim.rowid
    JOIN organisation ON organisation.rowid = claim.organisation_rowid
    WHERE claim.device_rowid = ? AND claim.state = 'standing'
    """
}
