import PrivacyMap
import Secrets
import Service
import SpatialDatabase

/// The table `operator_ruling`.
struct RulingStore: Sendable {
  let environment: Environment

  /// The code that the log has instead of the reason of a withheld name.
  private static let personalData = "personal_data"

  static let standing = """
    SELECT id, kind, key, into_key, made_at FROM operator_ruling WHERE undone_at IS NULL
    ORDER BY rowid
    """

  func rulings(_ connection: borrowing Connection) throws -> OperatorRulings {
    OperatorRulings(try connection.rows(Self.standing) { Self.ruling($0) }.compactMap(\.self))
  }

  private static func ruling(_ row: Row) -> OperatorRuling? {
    OperatorRuling.Kind(rawValue: row.text(1)).map {
      OperatorRuling(
        id: row.text(0), kind: $0, key: row.text(2), into: row.optionalText(3),
        madeAt: row.text(4))
    }
  }

  /// The ruling with an id, if it is in effect.
  func ruling(_ id: String, _ connection: borrowing Connection) throws -> OperatorRuling? {
    try connection.first(
      """
      SELECT id, kind, key, into_key, made_at FROM operator_ruling
      WHERE id = ? AND undone_at IS NULL
      """, [.text(id)]
    ) { Self.ruling($0) } ?? nil
  }

  /// Stores a ruling and logs it.
  func add(
    _ kind: OperatorRuling.Kind, _ key: String, into: String?, reason: String,
    by principal: Principal, _ connection: borrowing Connection
  ) throws -> OperatorRuling {
    let now = environment.now()
    let ruling = OperatorRuling(
      id: environment.newDeviceID().text, kind: kind, key: key, into: into, madeAt: now.text)
    try insert(ruling, connection)
    try note("\(kind.rawValue)_operator", ruling, reason: reason, by: principal, connection)
    try remember(ruling, Self.withheld, connection)
    return ruling
  }

  func undo(
    _ ruling: OperatorRuling, reason: String, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE operator_ruling SET undone_at = ? WHERE id = ? AND undone_at IS NULL",
      [.text(environment.now().text), .text(ruling.id)])
    try note("undo", ruling, reason: reason, by: principal, connection)
    try remember(ruling, Self.listed, connection)
  }

  private static let (withheld, listed) = ("withheld", "listed")

  /// Records outside the database whether a name is withheld, so that a restored backup does not list it. The list has
  /// digests instead of names: also of the names that are merged into it, because a backup may be older than the merge.
  private func remember(
    _ ruling: OperatorRuling, _ value: String, _ connection: borrowing Connection
  ) throws {
    guard ruling.kind == .withhold else { return }
    let keys = try rulings(connection).keys(leadingTo: ruling.key)
    try ErasureList.note(
      .operatorName, keys.map(Self.digest), value: value, at: environment.now(), connection)
  }

  private static func digest(_ key: String) -> String {
    Hexadecimal.text(of: Digest.sha256(Array(key.utf8)))
  }

  static let names = "SELECT DISTINCT name FROM operator WHERE name IS NOT NULL"

  /// Withholds a name again that a restored backup lists. A merge or a split that was undone or made between the backup
  /// and the decision is undone or made again, so that no other name is withheld.
  ///
  /// - Returns: whether it was listed.
  func withholdAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    guard entry.value == Self.withheld else { return false }
    let rulings = try rulings(connection)
    var (keys, merged, splits) = (Set<String>(), Set<String>(), Set<String>())
    try connection.forEach(Self.names) { row in
      guard let name = OperatorName(row.text(0)) else { return }
      let own = rulings.ownKey(of: name)
      let end = rulings.end(of: own)
      let key = [end, own, name.spelling].first { Self.digest($0) == entry.id }
      guard let key, !rulings.isWithheld(end), keys.insert(key).inserted else { return }
      if key == end { return }
      if key == own { merged.insert(key) } else { splits.insert(key) }
    }
    for key in merged { try endMerge(of: key, connection) }
    for key in splits { try insert(.split, key, connection) }
    for key in keys { try insert(.withhold, key, connection) }
    return !keys.isEmpty
  }

  private func endMerge(of key: String, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE operator_ruling SET undone_at = ? WHERE kind = 'merge' AND key = ? AND undone_at IS NULL",
      [.text(environment.now().text), .text(key)])
  }

  private func insert(
    _ kind: OperatorRuling.Kind, _ key: String, _ connection: borrowing Connection
  ) throws {
    try insert(
      OperatorRuling(
        id: environment.newDeviceID().text, kind: kind, key: key, into: nil,
        madeAt: environment.now().text), connection)
  }

  private func insert(_ ruling: OperatorRuling, _ connection: borrowing Connection) throws {
    try connection.execute(
      "INSERT INTO operator_ruling (id, kind, key, into_key, made_at) VALUES (?, ?, ?, ?, ?)",
      [
        .text(ruling.id), .text(ruling.kind.rawValue), .text(ruling.key), SQLValue(ruling.into),
        .text(ruling.madeAt),
      ])
  }

  private func note(
    _ action: String, _ ruling: OperatorRuling, reason: String, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    // The log is never erased, so it does not contain the name of a person.
    let names =
      switch ruling.kind {
      case .merge: " \(ruling.key) → \(ruling.into ?? "")"
      case .split: " \(ruling.key)"
      case .withhold: ""
      }
    try AuditStore(environment: environment).note(
      action, target: "operator_ruling \(ruling.id)\(names)", by: "\(principal.account)",
      reason: ruling.kind == .withhold ? Self.personalData : reason, connection)
    try PublicChanges.note(connection, at: environment.now())
  }
}
