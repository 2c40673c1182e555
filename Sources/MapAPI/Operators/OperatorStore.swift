import Foundation
import PrivacyMap
import SpatialDatabase

/// The `operator` table: who answers for devices, each under the spellings it is known by.
struct OperatorStore {
  /// An operator with the key that it is found by.
  struct Entry: Sendable {
    let who: Operator
    let key: String

    /// Nil where nothing is known of who answers.
    init?(_ who: Operator) {
      if who.kind == .unknown && who.name == nil { return nil }
      self.who = who
      key = OperatorStore.key(who)
    }
  }

  /// The row of an operator, added when it is new.
  ///
  /// - Returns: nil where nothing is known of who answers.
  func rowid(for who: Operator, _ connection: borrowing Connection) throws -> Int64? {
    try Entry(who).map { try rowid(for: $0, connection) }
  }

  /// The row of an operator, added when it is new.
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

  /// The row of an organisation under its own name: of several the one with most devices, added where there
  /// is none.
  func rowid(
    ofOrganisation name: String, _ kind: Operator.Kind, _ connection: borrowing Connection
  ) throws -> Int64? {
    let known = try connection.integer(
      """
      SELECT rowid FROM operator WHERE name = ? AND kind IN ('public', 'company')
      ORDER BY (SELECT count(*) FROM device WHERE operator_rowid = operator.rowid) DESC, rowid
      """, [.text(name)])
    return try known ?? rowid(for: Operator(name: name, kind: kind), connection)
  }

  /// Erases those of some operators that no device names, now or in its history, and no account
  /// belongs to.
  func eraseUnused(_ rowids: Set<Int64>, _ connection: borrowing Connection) throws {
    for rowid in rowids.sorted() {
      try connection.execute(
        """
        DELETE FROM operator WHERE rowid = ?
          AND NOT EXISTS (SELECT 1 FROM device WHERE operator_rowid = operator.rowid)
          AND NOT EXISTS (SELECT 1 FROM account WHERE operator_rowid = operator.rowid)
          AND NOT EXISTS (
            SELECT 1 FROM revision
            WHERE before IS NOT NULL AND json_extract(before, '$.operator_rowid') = operator.rowid)
        """, [.integer(rowid)])
    }
  }

  /// The name folded (lower case, no marks, single spaces), its kind and contacts: two operators
  /// with other contacts are two rows.
  static func key(_ who: Operator) -> String {
    let contacts = [who.contact, who.privacyPolicy, who.dataProtectionContact].map { $0 ?? "" }
    return ([who.kind.rawValue, key(name: who.name ?? "")] + contacts).joined(separator: "\u{1F}")
  }

  /// A name folded: lower case, no marks, one width, single spaces.
  static func key(name: String) -> String {
    folded(name).split { $0.isWhitespace }.joined(separator: " ")
  }

  private static func folded(_ name: String) -> String {
    // Most names are ASCII, which has no marks and one width: folding costs more than a row written.
    if name.utf8.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    return name.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
