import JSON
import PrivacyMap
import SpatialDatabase

/// Takes back some of a device's revisions, field by field, by one more: what others changed later
/// stands.
struct RevisionUndo {
  /// A revision as far as taking it back goes.
  struct Revision {
    let number: Int64
    let importRun: Int64?
    /// Who made it; nil for imports, moderators' acts and people who are gone.
    let account: Int64?
    /// What the changed columns said until then; nil when it added the device.
    fileprivate let before: JSONObject?
    /// Where the device truly stood until then, where it was moved.
    fileprivate let place: Coordinate?
  }

  /// What became of a device.
  enum Outcome: Equatable {
    /// It says again what it said before, save what others have changed since.
    case restored(revision: Int64)
    /// It came with a revision that is taken back, and is off the map.
    case withdrawn(revision: Int64)
    /// It came with a revision that is taken back, and stays, as others have worked on it.
    case kept
    /// There is nothing to take back, or others have changed all of it since.
    case unchanged
  }

  let writer: DeviceWriter
  /// As whom the new revision is written.
  let author: DeviceWriter.Author
  /// `device.hidden` of a device whose adding is taken back.
  let hidden: Int64

  /// Takes back the revisions that `isMeant` names; `keepsDevice` names those for whose sake a device
  /// stays on the map although its adding is taken back.
  func undo(
    _ rowid: Int64, where isMeant: (Revision) -> Bool, keptFor keepsDevice: (Revision) -> Bool,
    _ connection: borrowing Connection
  ) throws -> Outcome {
    let revisions = try Self.revisions(of: rowid, connection)
    guard let first = revisions.last(where: isMeant),
      let stored = try StoredDevice(rowid: rowid, connection)
    else { return .unchanged }
    let isAdded = first.number == 1
    if isAdded, !revisions.contains(where: keepsDevice) {
      return try withdraw(rowid, stored, connection)
    }
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    var changedSince: Set<String> = []
    var movedSince = false
    for revision in revisions where revision.number >= first.number {
      let isTakenBack = isMeant(revision)
      if let place = revision.place {
        if isTakenBack, !movedSince { edit.place = place } else { movedSince = true }
      }
      for member in revision.before?.members ?? [] {
        if isTakenBack, !changedSince.contains(member.key) {
          edit.restore(member.key, to: member.value)
        } else {
          changedSince.insert(member.key)
        }
      }
    }
    edit.settlePublicPoint()
    edit.dropUnchanged()
    guard !edit.isEmpty else { return isAdded ? .kept : .unchanged }
    try write(edit, rowid, stored, connection)
    return isAdded ? .kept : .restored(revision: stored.revision + 1)
  }

  private func withdraw(
    _ rowid: Int64, _ stored: StoredDevice, _ connection: borrowing Connection
  ) throws -> Outcome {
    guard stored.columns["hidden"] == 0 else { return .unchanged }
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    edit.columns = [("hidden", .integer(hidden))]
    try write(edit, rowid, stored, connection)
    return .withdrawn(revision: stored.revision + 1)
  }

  private func write(
    _ edit: DeviceEdit, _ rowid: Int64, _ stored: StoredDevice, _ connection: borrowing Connection
  ) throws {
    var kind = "changed"
    if let hidden = edit.columns.first(where: { $0.name == "hidden" })?.value {
      kind = hidden == 0 ? "added" : "removed"
    }
    try writer.apply(edit, to: rowid, stored, by: author, kind: kind, connection)
  }

  /// All revisions of a device, the newest first.
  private static func revisions(
    of rowid: Int64, _ connection: borrowing Connection
  ) throws -> [Revision] {
    try connection.rows(
      """
      SELECT number, import_rowid, account_rowid, before, revision_location.longitude,
        revision_location.latitude
      FROM revision LEFT JOIN revision_location USING (device_rowid, number)
      WHERE device_rowid = ? ORDER BY number DESC
      """, [.integer(rowid)]
    ) { row in
      Revision(
        number: row.int(0), importRun: row.optionalInt(1), account: row.optionalInt(2),
        before: row.optionalBlob(3).flatMap { try? JSONValue(parsing: $0).objectValue },
        place: row.isNull(4)
          ? nil : try? Coordinate(longitude: row.double(4), latitude: row.double(5)))
    }
  }
}

extension DeviceEdit {
  /// Puts back what a revision's `before` says of one column.
  mutating func restore(_ name: String, to value: JSONValue) {
    if name == "choices_offered" {
      choices = value.arrayValue?.compactMap(OfferedChoice.init)
      return
    }
    if name == "photos" {
      photos = value.arrayValue?.compactMap(KeptPhoto.init)
      return
    }
    guard StoredDevice.editable.contains(name) else { return }
    columns.removeAll { $0.name == name }
    columns.append((name, SQLValue(value)))
  }
}

extension SQLValue {
  /// A stored value as a revision keeps it.
  init(_ json: JSONValue) {
    switch json {
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .bool(let flag): self = .integer(flag ? 1 : 0)
    default: self = .null
    }
  }
}

extension OfferedChoice {
  /// A choice as a revision keeps it.
  init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.stringValue else { return nil }
    self.init(kind: kind)
    channel = json["channel"]?.stringValue.flatMap(Channel.init(rawValue:))
    target = json["target"]?.stringValue
    instructions = json["instructions"]?.stringValue
    deadlineDays = json["deadline_days"]?.intValue
    checkedOn = json["checked_on"]?.stringValue.flatMap { Day(text: $0) }
  }
}
