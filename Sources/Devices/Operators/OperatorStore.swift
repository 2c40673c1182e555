import Foundation
package import JSON
package import PrivacyMap
package import SpatialDatabase

/// The `operator` table: operators of devices, each with its known spellings.
package struct OperatorStore {

  package init() {}
  /// An operator and its lookup key.
  struct Entry: Sendable {
    let who: Operator
    let key: String

    /// Nil if nothing is known about the operator.
    init?(_ who: Operator) {
      if who.kind == .unknown && who.name == nil { return nil }
      self.who = who
      key = OperatorStore.key(who)
    }
  }

  /// The row of an operator, inserted if it is new.
  ///
  /// - Returns: nil if nothing is known about the operator.
  func rowid(for who: Operator, _ connection: borrowing Connection) throws -> Int64? {
    try Entry(who).map { try rowid(for: $0, connection) }
  }

  /// The row of an operator, inserted if it is new.
  func rowid(for entry: Entry, _ connection: borrowing Connection) throws -> Int64 {
    let (who, key) = (entry.who, entry.key)
    if let known = try connection.integer(
      "SELECT operator_rowid FROM operator_alias WHERE key = ?", [.text(key)])
    {
      return known
    }
    try connection.execute(
      """
      INSERT INTO operator (name, kind, contact, privacy_policy, data_protection_contact)
      VALUES (?, ?, ?, ?, ?)
      """,
      [
        SQLValue(who.name), .text(who.kind.rawValue), SQLValue(who.contact),
        SQLValue(who.privacyPolicy), SQLValue(who.dataProtectionContact),
      ])
    let rowid = connection.lastInsertedRowID
    try connection.execute(
      "INSERT INTO operator_alias (key, operator_rowid) VALUES (?, ?)",
      [.text(key), .integer(rowid)])
    return rowid
  }

  /// The operator that the record of a device names, with the names in all its spellings; nil without an operator.
  package func named(
    by device: Int64, _ connection: borrowing Connection
  ) throws -> (kind: Operator.Kind, name: String?, spellings: [String])? {
    let found = try connection.rows(
      """
      SELECT operator.kind, operator.name, operator_alias.key
      FROM device JOIN operator ON operator.rowid = device.operator_rowid
      LEFT JOIN operator_alias ON operator_alias.operator_rowid = operator.rowid
      WHERE device.rowid = ?
      """, [.integer(device)]
    ) { (kind: $0.text(0), name: $0.optionalText(1), alias: $0.optionalText(2)) }
    guard let first = found.first else { return nil }
    // A key consists of the kind, the name and the contacts.
    let spellings = found.compactMap {
      $0.alias?.split(separator: "\u{1F}", omittingEmptySubsequences: false).dropFirst().first
    }
    return (Operator.Kind(rawValue: first.kind) ?? .unknown, first.name, spellings.map(String.init))
  }

  /// The members of an operator as on its devices.
  package func members(of rowid: Int64, _ connection: borrowing Connection) throws -> JSONObject? {
    let names = ["name", "kind", "contact", "privacy_policy", "data_protection_contact"]
    return try connection.first(
      "SELECT \(names.joined(separator: ", ")) FROM operator WHERE rowid = ?", [.integer(rowid)]
    ) { row in
      var members = JSONObject()
      for (place, name) in names.enumerated() { members[name] = JSONValue(row.value(place)) }
      return members
    }
  }

  /// The row of an organisation under its own name, inserted if missing. If there are several, the one
  /// with the most devices.
  package func rowid(
    ofOrganisation name: String, _ kind: Operator.Kind, _ connection: borrowing Connection
  ) throws -> Int64? {
    let known = try connection.integer(
      """
      SELECT rowid FROM operator WHERE name = ? AND kind IN ('public', 'company')
      ORDER BY (SELECT count(*) FROM device WHERE operator_rowid = operator.rowid) DESC, rowid
      """, [.text(name)])
    return try known ?? rowid(for: Operator(name: name, kind: kind), connection)
  }

  /// Deletes the operators among `rowids` to which no device refers, now or in its history, and no account belongs.
  func eraseUnused(_ rowids: Set<Int64>, _ connection: borrowing Connection) throws {
    for rowid in rowids.sorted() {
      try connection.execute(
        """
        DELETE FROM operator WHERE rowid = ?
          AND NOT EXISTS (SELECT 1 FROM device WHERE operator_rowid = operator.rowid)
          AND NOT EXISTS (SELECT 1 FROM account WHERE operator_rowid = operator.rowid)
          AND NOT EXISTS (
            SELECT 1 FROM revision
            WHERE before IS NOT NULL AND CAST(json_extract(before, '$.operator_rowid') AS BIGINT)
              = operator.rowid)
        """, [.integer(rowid)])
    }
  }

  /// The lookup key: folded name (lower case, no marks, single spaces), kind and contacts. Operators with
  /// different contacts are separate rows.
  static func key(_ who: Operator) -> String {
    let contacts = [who.contact, who.privacyPolicy, who.dataProtectionContact].map { $0 ?? "" }
    return ([who.kind.rawValue, key(name: who.name ?? "")] + contacts).joined(separator: "\u{1F}")
  }

  /// A folded name: lower case, no marks, one width, single spaces.
  package static func key(name: String) -> String {
    folded(name).split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func folded(_ name: String) -> String {
    // Most names are ASCII, with no marks and one width. Unicode folding would cost more than writing a
    // row.
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    return name.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
