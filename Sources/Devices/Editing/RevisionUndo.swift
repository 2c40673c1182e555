package import JSON
import Pictures
package import PrivacyMap
package import SpatialDatabase

/// Undoes some of a device's revisions by adding a new one. Fields that others have changed later keep
/// their later values.
package struct RevisionUndo {
  /// The data of a revision that undoing needs.
  package struct Revision {
    package let number: Int64
    package let kind: RevisionKind
    let madeAt: String
    package let importRun: Int64?
    /// The author; nil for imports, moderation actions and deleted accounts.
    package let account: Int64?
    /// The values of the changed columns before the revision; nil if it added the device.
    fileprivate let before: JSONObject?
    /// The true place before the revision, if it moved the device.
    fileprivate let place: Coordinate?
  }

  /// The result for a device.
  package enum Outcome: Equatable {
    /// The previous values are restored, except those that others have changed since.
    case restored(revision: Int64)
    /// The device was added, or put back on the map, by an undone revision, and is now off the map.
    case withdrawn(revision: Int64)
    /// The device was added by an undone revision, but stays because others have edited it; the other
    /// undone changes form a revision.
    case kept(revision: Int64?)
    /// No revision matched, or others have changed all its values since.
    case unchanged

    /// The revision that was added.
    package var revision: Int64? {
      switch self {
      case .restored(let revision), .withdrawn(let revision): revision
      case .kept(let revision): revision
      case .unchanged: nil
      }
    }
  }

  /// The planned changes to a device.
  package struct Plan {
    package let outcome: Outcome
    fileprivate let edit: DeviceEdit
    /// The times of the revisions to undo.
    fileprivate let moments: [String]
  }

  package let writer: DeviceWriter
  /// The author of the new revision.
  package let author: DeviceWriter.Author
  /// The value of `device.hidden` for a device whose addition is undone.
  package let hidden: Int64
  /// Whether to ignore earlier undo actions when looking for later changes of a field.
  package var looksBehindUndoing = false

  package init(
    writer: DeviceWriter, author: DeviceWriter.Author, hidden: Int64,
    looksBehindUndoing: Bool = false
  ) {
    self.writer = writer
    self.author = author
    self.hidden = hidden
    self.looksBehindUndoing = looksBehindUndoing
  }

  /// Undoes the revisions for which `isMeant` is true. A device whose addition is undone stays on the
  /// map if `keepsDevice` is true for any revision.
  package func undo(
    _ rowid: Int64, where isMeant: (Revision) -> Bool, keptFor keepsDevice: (Revision) -> Bool,
    _ connection: borrowing Connection
  ) throws -> Outcome {
    let plan = try plan(rowid, where: isMeant, keptFor: keepsDevice, connection)
    guard let plan, plan.outcome.revision != nil else { return plan?.outcome ?? .unchanged }
    var kind = ChangeKind.changed
    if let hidden = plan.edit.columns.first(where: { $0.name == "hidden" })?.value {
      kind = hidden == 0 ? .added : .removed
    }
    try writer.apply(plan.edit, to: rowid, by: author, kind: kind, connection)
    try VerificationStore(vocabulary: writer.vocabulary, environment: writer.environment).revive(
      after: plan.edit, of: rowid, lapsedAt: plan.moments, connection)
    return plan.outcome
  }

  /// The plan that ``undo(_:where:keptFor:_:)`` would carry out; nil if no revision matches.
  package func plan(
    _ rowid: Int64, where isMeant: (Revision) -> Bool, keptFor keepsDevice: (Revision) -> Bool,
    _ connection: borrowing Connection
  ) throws -> Plan? {
    let revisions = try Self.revisions(of: rowid, connection)
    guard let first = revisions.last(where: isMeant),
      let stored = try StoredDevice(rowid: rowid, connection)
    else { return nil }
    let next = stored.revision + 1
    var edit = DeviceEdit(of: stored)
    let isAdded = first.number == 1
    if isAdded, !revisions.contains(where: keepsDevice) {
      let isShown = stored.columns["hidden"] == 0
      if isShown { edit.columns = [("hidden", .integer(hidden))] }
      return Plan(
        outcome: isShown ? .withdrawn(revision: next) : .unchanged, edit: edit, moments: [])
    }
    takeBack(revisions.prefix { $0.number >= first.number }, where: isMeant, in: &edit)
    let made = edit.isEmpty ? nil : next
    var outcome = Outcome.unchanged
    if isAdded {
      outcome = .kept(revision: made)
    } else if let made, edit.hidesDevice {
      outcome = .withdrawn(revision: made)
    } else if let made {
      outcome = .restored(revision: made)
    }
    return Plan(
      outcome: outcome, edit: edit, moments: revisions.filter(isMeant).map(\.madeAt))
  }

  /// Restores the value of each field before the revisions to undo, unless others have changed it
  /// since; `revisions` begin with the newest.
  private func takeBack(
    _ revisions: some Sequence<Revision>, where isMeant: (Revision) -> Bool,
    in edit: inout DeviceEdit
  ) {
    var changedSince: Set<String> = []
    var movedSince = false
    for revision in revisions {
      let isTakenBack = isMeant(revision)
      if !isTakenBack, looksBehindUndoing, revision.kind.takesBack { continue }
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
  }

  /// All revisions of a device, the newest first.
  private static func revisions(
    of rowid: Int64, _ connection: borrowing Connection
  ) throws -> [Revision] {
    try connection.rows(
      """
      SELECT number, kind, made_at, import_rowid, account_rowid, before, revision_location.longitude,
        revision_location.latitude
      FROM revision LEFT JOIN revision_location USING (device_rowid, number)
      WHERE device_rowid = ? ORDER BY number DESC
      """, [.integer(rowid)]
    ) { row in
      Revision(
        number: row.int(0), kind: RevisionKind(rawValue: row.text(1)) ?? .edit, madeAt: row.text(2),
        importRun: row.optionalInt(3), account: row.optionalInt(4),
        before: row.optionalBlob(5).flatMap { try? JSONValue(parsing: $0).objectValue },
        place: row.isNull(6)
          ? nil : try? Coordinate(longitude: row.double(6), latitude: row.double(7)))
    }
  }
}

extension DeviceEdit {
  /// Whether the edit takes a device off the map.
  fileprivate var hidesDevice: Bool {
    let hidden = columns.first { $0.name == "hidden" }?.value
    return stored.columns["hidden"] == 0 && hidden != nil && hidden != 0
  }

  /// Restores one column from the `before` of a revision.
  package mutating func restore(_ name: String, to value: JSONValue) {
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
  /// Reads a stored value from the JSON of a revision.
  package init(_ json: JSONValue) {
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
  /// Reads a choice from the JSON of a revision.
  package init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.stringValue else { return nil }
    self.init(kind: kind)
    channel = json["channel"]?.stringValue.flatMap(Channel.init(rawValue:))
    target = json["target"]?.stringValue
    instructions = json["instructions"]?.stringValue
    deadlineDays = json["deadline_days"]?.intValue
    checkedOn = json["checked_on"]?.stringValue.flatMap { Day(text: $0) }
  }
}
