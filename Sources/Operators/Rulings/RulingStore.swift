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
  /// a digest instead of the name.
  private func remember(
    _ ruling: OperatorRuling, _ value: String, _ connection: borrowing Connection
  ) throws {
    guard ruling.kind == .withhold else { return }
    try ErasureList.note(
      .operatorName, [Self.digest(ruling.key)], value: value, at: environment.now(), connection)
  }

  private static func digest(_ key: String) -> String {
    Hexadecimal.text(of: Digest.sha256(Array(key.utf8)))
  }

  static let names = "SELECT DISTINCT name FROM operator WHERE name IS NOT NULL"

  /// Withholds a name again that a restored backup lists.
  ///
  /// - Returns: whether it was listed.
  func withholdAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    guard entry.value == Self.withheld else { return false }
    let rulings = try rulings(connection)
    var key: String?
    try connection.forEach(Self.names) { row in
      guard key == nil, let name = OperatorName(row.text(0)) else { return }
      let found = rulings.key(of: name)
      if Self.digest(found) == entry.id { key = found }
    }
    guard let key, !rulings.isWithheld(key) else { return false }
    try insert(
      OperatorRuling(
        id: environment.newDeviceID().text, kind: .withhold, key: key, into: nil,
        madeAt: environment.now().text), connection)
    return true
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
    // Nothing is ever erased from the log, so it does not contain the name of a person.
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
