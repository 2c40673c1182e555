import JSON
import PrivacyMap
import SpatialDatabase

/// Takes back some of a device's revisions, field by field, by one more: what others changed later
/// stands.
struct RevisionUndo {
  /// A revision as far as taking it back goes.
  struct Revision {
    let number: Int64
    let kind: String
    let madeAt: String
    let importRun: Int64?
    /// Who made it; nil for imports, moderators' acts and people who are gone.
    let account: Int64?
    /// What the changed columns said until then; nil when it added the device.
    fileprivate let before: JSONObject?
    /// Where the device truly stood until then, where it was moved.
    fileprivate let place: Coordinate?

    /// Whether it is a moderator's act or takes something back, and so nobody's own work.
    var isAct: Bool { kind == "merge" || takesBack }

    /// Whether all it does is to take others back, or to take that back.
    fileprivate var takesBack: Bool { kind == "revert" || kind == "undo" }
  }

  /// What became of a device.
  enum Outcome: Equatable {
    /// It says again what it said before, save what others have changed since.
    case restored(revision: Int64)
    /// It came with a revision that is taken back, and is off the map.
    case withdrawn(revision: Int64)
    /// It came with a revision that is taken back, and stays, as others have worked on it; what else
    /// was taken back is a revision.
    case kept(revision: Int64?)
    /// There is nothing to take back, or others have changed all of it since.
    case unchanged

    /// The revision that was made.
    var revision: Int64? {
      switch self {
      case .restored(let revision), .withdrawn(let revision): revision
      case .kept(let revision): revision
      case .unchanged: nil
      }
    }
  }

  /// What taking back would do to a device.
  struct Plan {
    let outcome: Outcome
    fileprivate let edit: DeviceEdit
    fileprivate let stored: StoredDevice
    /// When the revisions were made that are taken back.
    fileprivate let moments: [String]
  }

  let writer: DeviceWriter
  /// As whom the new revision is written.
  let author: DeviceWriter.Author
  /// `device.hidden` of a device whose adding is taken back.
  let hidden: Int64
  /// Whether what was taken back before, and back again, does not stand in the way.
  var looksBehindUndoing = false

  /// Takes back the revisions that `isMeant` names; `keepsDevice` names those for whose sake a device
  /// stays on the map although its adding is taken back.
  func undo(
    _ rowid: Int64, where isMeant: (Revision) -> Bool, keptFor keepsDevice: (Revision) -> Bool,
    _ connection: borrowing Connection
  ) throws -> Outcome {
    let plan = try plan(rowid, where: isMeant, keptFor: keepsDevice, connection)
    guard let plan, plan.outcome.revision != nil else { return plan?.outcome ?? .unchanged }
    var kind = "changed"
    if let hidden = plan.edit.columns.first(where: { $0.name == "hidden" })?.value {
      kind = hidden == 0 ? "added" : "removed"
    }
    try writer.apply(plan.edit, to: rowid, plan.stored, by: author, kind: kind, connection)
    try ClaimStore(vocabulary: writer.vocabulary, surroundings: writer.surroundings).revive(
      after: plan.edit, of: rowid, from: plan.stored, lapsedAt: plan.moments, connection)
    return plan.outcome
  }

  /// What ``undo(_:where:keptFor:_:)`` would do; nil where nothing is meant.
  func plan(
    _ rowid: Int64, where isMeant: (Revision) -> Bool, keptFor keepsDevice: (Revision) -> Bool,
    _ connection: borrowing Connection
  ) throws -> Plan? {
    let revisions = try Self.revisions(of: rowid, connection)
    guard let first = revisions.last(where: isMeant),
      let stored = try StoredDevice(rowid: rowid, connection)
    else { return nil }
    let next = stored.revision + 1
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    let isAdded = first.number == 1
    if isAdded, !revisions.contains(where: keepsDevice) {
      let isShown = stored.columns["hidden"] == 0
      if isShown { edit.columns = [("hidden", .integer(hidden))] }
      return Plan(
        outcome: isShown ? .withdrawn(revision: next) : .unchanged, edit: edit, stored: stored,
        moments: [])
    }
    takeBack(revisions.prefix { $0.number >= first.number }, where: isMeant, in: &edit)
    let made = edit.isEmpty ? nil : next
    var outcome = Outcome.unchanged
    if isAdded {
      outcome = .kept(revision: made)
    } else if let made {
      outcome = .restored(revision: made)
    }
    return Plan(
      outcome: outcome, edit: edit, stored: stored,
      moments: revisions.filter(isMeant).map(\.madeAt))
  }

  /// Puts back what each field said before the revisions that are meant, where nobody else has changed
  /// it since; `revisions` begin with the newest.
  private func takeBack(
    _ revisions: some Sequence<Revision>, where isMeant: (Revision) -> Bool,
    in edit: inout DeviceEdit
  ) {
    var changedSince: Set<String> = []
    var movedSince = false
    for revision in revisions {
      let isTakenBack = isMeant(revision)
      if !isTakenBack, looksBehindUndoing, revision.takesBack { continue }
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
        number: row.int(0), kind: row.text(1), madeAt: row.text(2),
        importRun: row.optionalInt(3), account: row.optionalInt(4),
        before: row.optionalBlob(5).flatMap { try? JSONValue(parsing: $0).objectValue },
        place: row.isNull(6)
          ? nil : try? Coordinate(longitude: row.double(6), latitude: row.double(7)))
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
