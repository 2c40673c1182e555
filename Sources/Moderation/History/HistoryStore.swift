import Devices
import JSON
import Pictures
import PrivacyMap
import SpatialDatabase

/// One entry of a device's history.
struct RevisionEntry: Sendable {
  let number: Int64
  let kind: String
  let madeAt: String
  /// A username; nil for an import or a deleted account.
  let author: String?
  let comment: String?
  let importRun: Int64?
  /// The previous values of the changed columns; nil if the revision added the device.
  let before: JSONObject?

  /// Names of the properties that changed, in the order of properties. `exact_place` means that the true place moved
  /// inside the cell of the public point.
  var changed: [String] {
    guard let before else { return [] }
    // Earlier versions stored nothing about such a move, and every other edit has members.
    guard !before.members.isEmpty else { return [StoredDevice.exactPlace] }
    let names = Set(before.members.compactMap { Self.property(of: $0.key) })
    return Self.order.filter(names.contains)
  }

  private static let order =
    ["geometry", StoredDevice.exactPlace] + DeviceProperty.all.map(\.name).filter { $0 != "photos" }
    + ["photos", "hidden"]

  /// The property that a member of `before` belongs to; nil for derived columns.
  private static func property(of member: String) -> String? {
    switch member {
    case "longitude", "latitude": "geometry"
    case "operator_rowid": "operator"
    case "choices_offered": "choices"
    case "stale_on", "last_confirmed": nil
    default: member
    }
  }
}

/// The `revision` table. True points are stored in another table.
struct HistoryStore {
  /// Entries per page.
  static let pageSize = 50

  /// The newest entries below a number, one more than fits on a page.
  func entries(
    of rowid: Int64, before number: Int64?, _ connection: borrowing Connection
  ) throws -> [RevisionEntry] {
    try connection.rows(
      "\(Self.selection) AND number < ? ORDER BY number DESC LIMIT ?",
      [.integer(rowid), .integer(number ?? .max), SQLValue(Self.pageSize + 1)], decode: Self.entry)
  }

  /// - Returns: nil if there is no such revision.
  func entry(
    _ number: Int64, of rowid: Int64, _ connection: borrowing Connection
  ) throws -> RevisionEntry? {
    try connection.first(
      "\(Self.selection) AND number = ?", [.integer(rowid), .integer(number)], decode: Self.entry)
  }

  private static let selection = """
    SELECT number, kind, made_at, account.username, comment, import_rowid, before
    FROM revision LEFT JOIN account ON account.rowid = revision.account_rowid
    WHERE device_rowid = ?
    """

  private static func entry(_ row: borrowing Row) -> RevisionEntry {
    RevisionEntry(
      number: row.int(0), kind: row.text(1), madeAt: row.text(2), author: row.optionalText(3),
      comment: row.optionalText(4), importRun: row.optionalInt(5),
      before: row.optionalBlob(6).flatMap { try? JSONValue(parsing: $0).objectValue })
  }

  /// A device as it was after one of its revisions, reconstructed backwards from its present state.
  ///
  /// Number 0 is the state before the device was added: it has no values.
  func past(
    _ number: Int64, of rowid: Int64, _ connection: borrowing Connection
  ) throws -> PastDevice? {
    guard let stored = try StoredDevice(rowid: rowid, withPlace: false, connection) else {
      return nil
    }
    var edit = DeviceEdit(of: stored)
    try connection.forEach(
      "SELECT before FROM revision WHERE device_rowid = ? AND number > ? ORDER BY number DESC",
      [.integer(rowid), .integer(number)]
    ) { row in
      let before = row.optionalBlob(0).flatMap { try? JSONValue(parsing: $0).objectValue }
      for member in before?.members ?? [] { edit.restore(member.key, to: member.value) }
    }
    return PastDevice(rowid: rowid, number: number, stored, edit)
  }

  /// Whether the last move after a revision was inside the cell, and no restoring or reverting one. Public, like the
  /// history that shows it.
  func wasMadeExact(
    since number: Int64, of rowid: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    let moves = try connection.rows(
      """
      SELECT kind, before FROM revision WHERE device_rowid = ? AND number > ? ORDER BY number DESC
      """, [.integer(rowid), .integer(number)]
    ) { row -> (kind: RevisionKind, isExact: Bool)? in
      guard let kind = RevisionKind(rawValue: row.text(0)),
        let before = row.optionalBlob(1).flatMap({ try? JSONValue(parsing: $0).objectValue })
      else { return nil }
      let isExact = before.members.isEmpty || before[StoredDevice.exactPlace] != nil
      let isMove = isExact || before["longitude"] != nil || before["latitude"] != nil
      return isMove ? (kind, isExact) : nil
    }.compactMap { $0 }
    return moves.first.map { $0.isExact && $0.kind != .restore && !$0.kind.takesBack } ?? false
  }

  /// The state of a photo, and its state before it was deleted.
  func state(
    ofPhoto id: String, _ connection: borrowing Connection
  ) throws -> (String, before: String?)? {
    try connection.first(
      "SELECT state, state_before FROM photo WHERE id = ?", [.text(id)]
    ) { ($0.text(0), $0.optionalText(1)) }
  }

}

/// The public data of a device at one of its revisions.
struct PastDevice: Sendable {
  let rowid: Int64
  let number: Int64
  /// The editable columns at that revision.
  let columns: [String: SQLValue]
  let choices: [OfferedChoice]
  let photos: [KeptPhoto]

  /// `edit` changes the present state to the former one.
  init(rowid: Int64, number: Int64, _ stored: StoredDevice, _ edit: DeviceEdit) {
    (self.rowid, self.number) = (rowid, number)
    columns = stored.columns.merging(edit.columns.map { ($0.name, $0.value) }) { $1 }
    choices = edit.choices ?? stored.choices
    photos = edit.photos ?? stored.photos
  }

  var precision: Precision {
    columns["precision"]?.textValue.flatMap(Precision.init(rawValue:)) ?? .area
  }

  var isHidden: Bool { columns["hidden"] != 0 }

  /// The public point at that revision, at the same or a coarser precision.
  ///
  /// A coarser point can be calculated from a finer one (``Precision/publicPoint(for:)``), so the true
  /// point is not needed.
  func point(at shown: Precision) -> Coordinate {
    shown.publicPoint(
      for: .clamped(
        longitude: columns["longitude"]?.realValue ?? 0,
        latitude: columns["latitude"]?.realValue ?? 0))
  }
}
