package import SpatialDatabase

/// One list of the export of an account: rows about a person, ordered by a key.
package struct ExportSection: Sendable {
  /// The JSON type in which a column is written.
  package enum Kind: Sendable {
    case text, number, degrees, flag, json
  }

  package let name: String
  /// Selects the key, then the members. Parameters: account, key to continue after, row limit.
  package let sql: String
  /// A key that is less than every key.
  package let start: [SQLValue]
  package let members: [(name: String, kind: Kind)]
  package var whose: @Sendable (Principal) -> [SQLValue] = { [.integer($0.account)] }
  /// Whether the rows contain true points, which their author may see.
  package var holdsPositions = false

  package init(
    name: String, sql: String, start: [SQLValue], members: [(name: String, kind: Kind)],
    whose: @escaping @Sendable (Principal) -> [SQLValue] = { [.integer($0.account)] },
    holdsPositions: Bool = false
  ) {
    self.name = name
    self.sql = sql
    self.start = start
    self.members = members
    self.whose = whose
    self.holdsPositions = holdsPositions
  }
}
