import JSON
import PrivacyMap
import SpatialDatabase

/// Undoes an import: one more revision of each device it touched.
package struct ImportUndo {
  /// What undoing did.
  package struct Report: Sendable {
    /// Devices the import had added, now off the map.
    package var withdrawn = 0
    /// Devices that say again what they said before it.
    package var restored = 0
    /// Devices left alone because people have changed them since.
    package var kept = 0
  }

  private let app: App
  private static let batchSize = 500

  package init(app: App) { self.app = app }

  /// - Throws: ``ImportNotUndoable`` when there is no such import or it was undone.
  package func undo(_ id: Int64) throws -> Report {
    let state = try app.database.read { connection in
      try connection.text("SELECT state FROM import_run WHERE rowid = ?", [.integer(id)])
    }
    guard let state else { throw ImportNotUndoable(reason: "there is no import \(id)") }
    guard state != "undone" else {
      throw ImportNotUndoable(reason: "import \(id) was undone already")
    }
    var report = Report()
    var last: Int64 = 0
    while true {
      let rowids = try app.database.read { connection in
        try connection.rows(
          """
          SELECT DISTINCT device_rowid FROM revision
          WHERE import_rowid = ? AND kind = 'import' AND device_rowid > ?
          ORDER BY device_rowid LIMIT ?
          """, [.integer(id), .integer(last), SQLValue(Self.batchSize)]
        ) { $0.int(0) }
      }
      guard let end = rowids.last else { break }
      try app.write { connection in
        for rowid in rowids { try undo(id, of: rowid, &report, connection) }
      }
      last = end
    }
    try app.database.write { connection in
      try connection.execute(
        "UPDATE import_run SET state = 'undone', undone_at = ? WHERE rowid = ?",
        [.text(app.surroundings.now().text), .integer(id)])
    }
    return report
  }

  private func undo(
    _ id: Int64, of rowid: Int64, _ report: inout Report, _ connection: borrowing Connection
  ) throws {
    let writer = DeviceWriter(vocabulary: app.vocabulary, surroundings: app.surroundings)
    let author = DeviceWriter.Author(kind: "undo", importRun: id)
    let revisions = try connection.rows(
      """
      SELECT number, import_rowid, before, revision_location.longitude,
        revision_location.latitude
      FROM revision LEFT JOIN revision_location USING (device_rowid, number)
      WHERE device_rowid = ? ORDER BY number DESC
      """, [.integer(rowid)]
    ) { row in
      (
        number: row.int(0), run: row.optionalInt(1), isByPerson: row.isNull(1),
        before: row.optionalBlob(2),
        place: row.isNull(3)
          ? nil : try? Coordinate(longitude: row.double(3), latitude: row.double(4))
      )
    }
    guard let first = revisions.last(where: { $0.run == id }) else { return }
    if first.number == 1 {
      if revisions.contains(where: \.isByPerson) {
        report.kept += 1
      } else {
        try writer.withdraw(rowid, by: author, connection)
        report.withdrawn += 1
      }
      return
    }
    guard let stored = try StoredDevice(rowid: rowid, connection) else { return }
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    var changedSince: Set<String> = []
    var movedSince = false
    for revision in revisions where revision.number >= first.number {
      if revision.run != id {
        movedSince = movedSince || revision.place != nil
      } else if !movedSince, let place = revision.place {
        edit.place = place
      }
      guard let before = revision.before, let old = try? JSONValue(parsing: before).objectValue
      else { continue }
      for member in old.members {
        if revision.run != id {
          changedSince.insert(member.key)
        } else if !changedSince.contains(member.key) {
          edit.restore(member.key, to: member.value)
        }
      }
    }
    guard !edit.isEmpty else { return }
    let kind = edit.columns.contains { $0.name == "hidden" } ? "removed" : "changed"
    try writer.apply(edit, to: rowid, stored, by: author, kind: kind, connection)
    report.restored += 1
  }
}

/// Why an import cannot be undone.
package struct ImportNotUndoable: Error, CustomStringConvertible {
  let reason: String
  package var description: String { reason }
}

extension DeviceEdit {
  /// Puts back what a revision's `before` says of one column.
  mutating func restore(_ name: String, to value: JSONValue) {
    if name == "choices_offered" {
      choices = value.arrayValue?.compactMap(OfferedChoice.init)
      return
    }
    guard StoredDevice.editable.contains(name) else { return }
    columns.removeAll { $0.name == name }
    columns.append((name, SQLValue(value)))
  }
}

extension SQLValue {
  /// A stored value as a revision keeps it.
  fileprivate init(_ json: JSONValue) {
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
  fileprivate init?(_ json: JSONValue) {
    guard let kind = json["kind"]?.stringValue else { return nil }
    self.init(kind: kind)
    channel = json["channel"]?.stringValue.flatMap(Channel.init(rawValue:))
    target = json["target"]?.stringValue
    instructions = json["instructions"]?.stringValue
    deadlineDays = json["deadline_days"]?.intValue
    checkedOn = json["checked_on"]?.stringValue.flatMap { Day(text: $0) }
  }
}
