package import PrivacyMap
import Service
package import SpatialDatabase

/// Deletes a device from all tables that requests read, and restores it.
///
/// The contents are stored separately for undo until the end of the retention period, or erased at
/// once. A permanent tombstone records that the device existed.
package struct DeviceRemoval: Sendable {
  /// The actor of a deletion, and the reason.
  package struct Reason: Sendable {
    /// `admin`, `moderator` or `import`.
    package var role: String
    package var account: Int64?
    /// The public reason: a code of `tombstone.reason`.
    package var code: String
    /// The reason in words, for moderators.
    package var note: String?
    /// The id of the device that this one was merged into.
    package var mergedInto: String?

    package init(
      role: String, account: Int64? = nil, code: String, note: String? = nil,
      mergedInto: String? = nil
    ) {
      self.role = role
      self.account = account
      self.code = code
      self.note = note
      self.mergedInto = mergedInto
    }
  }

  package let writer: DeviceWriter

  package init(writer: DeviceWriter) {
    self.writer = writer
  }

  private var environment: Environment { writer.environment }

  /// The retention of a deleted device's contents in days.
  package static let keptDays: Int64 = 30

  /// Deletes a device; with `purge` the contents are not stored for undo.
  ///
  /// - Returns: the photo files that are no longer needed.
  package func remove(
    _ rowid: Int64, _ id: DeviceID, _ reason: Reason, purge: Bool,
    _ connection: borrowing Connection
  ) throws -> [String] {
    let now = environment.now()
    try connection.execute(
      """
      INSERT INTO tombstone (id, deleted_at, role, account_rowid, reason, note, merged_into)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id.text), .text(now.text), .text(reason.role), SQLValue(reason.account),
        .text(reason.code), SQLValue(reason.note), SQLValue(reason.mergedInto),
      ])
    let rows = try DeviceRows(of: rowid, writer.tables, connection)
    if !purge { try keep(rows, rowid, id, now, connection) }
    try JobRunner.schedule(
      DeviceErasure.job, key: purge ? nil : "\(DeviceErasure.job) \(id.text)",
      due: purge ? now : Self.eraseMoment(now), connection)
    try writer.remove(rowid, connection)
    guard purge else {
      try ErasureList.note(.removed, [id.text], value: "true", at: now, connection)
      return []
    }
    try ErasureList.note(.device, [id.text], at: now, connection)
    try OperatorStore().eraseUnused(rows.operators, connection)
    return rows.photoFiles
  }

  /// Deletes the device with an id, or its stored contents, which a restored backup has brought back.
  ///
  /// - Returns: whether it was there.
  func eraseAgain(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    let row = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
    guard let row, let device = DeviceID(text: id) else {
      try connection.execute("DELETE FROM tombstone_content WHERE id = ?", [.text(id)])
      return connection.changedRowCount > 0
    }
    // The original reason was stored only in the database that is being replaced.
    let reason = Reason(role: Role.admin.rawValue, code: "other")
    _ = try remove(row, device, reason, purge: true, connection)
    return true
  }

  /// Repeats a removal, a decision to hide a device, or a coarser precision, which a restored backup has undone.
  ///
  /// - Returns: whether the device was still on the map, visible or more precise.
  func protectAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    let row = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(entry.id)])
    guard let row, let device = DeviceID(text: entry.id),
      let stored = try StoredDevice(rowid: row, connection)
    else { return false }
    switch entry.kind {
    case .precision:
      let before = stored.columns["precision"]?.textValue.flatMap(Precision.init(rawValue:))
      guard let before, let precision = entry.value.flatMap(Precision.init(rawValue:)),
        precision != before, precision.coarser(before) == precision
      else { return false }
      var edit = DeviceEdit(
        stored: stored, wanted: [("precision", .text(precision.rawValue))], merging: .replacing)
      edit.settlePublicPoint()
      edit.dropUnchanged()
      try writer.apply(
        edit, to: row, by: DeviceWriter.Author(kind: .edit), kind: .changed, connection)
    case .hidden:
      guard entry.value == "true", stored.columns["hidden"] == 0 else { return false }
      try writer.setHidden(row, true, connection)
    default:
      guard entry.value == "true" else { return false }
      // The original reason was stored only in the database that is being replaced.
      let reason = Reason(role: Role.admin.rawValue, code: "other")
      _ = try remove(row, device, reason, purge: false, connection)
    }
    return true
  }

  private func keep(
    _ content: DeviceRows, _ rowid: Int64, _ id: DeviceID, _ now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    let name = try connection.text("SELECT name FROM device WHERE rowid = ?", [.integer(rowid)])
    try connection.execute(
      "INSERT INTO tombstone_content (id, name, content, erase_on) VALUES (?, ?, ?, ?)",
      [
        .text(id.text), .text(name ?? ""), .text(content.json),
        .text(Self.eraseMoment(now).day.text),
      ])
  }

  private static func eraseMoment(_ now: Timestamp) -> Timestamp {
    now.later(Seconds.days(keptDays))
  }

  /// Restores a deleted device with its history, claims and photos, under the same id.
  ///
  /// - Returns: its rowid; nil if it was never deleted, or if its contents are erased.
  package func undo(_ id: DeviceID, _ connection: borrowing Connection) throws -> Int64? {
    let content = try connection.text(
      "SELECT content FROM tombstone_content WHERE id = ?", [.text(id.text)])
    guard let content, let rows = DeviceRows(json: content) else { return nil }
    try ErasureList.note(
      .removed, [id.text], value: "false", at: environment.now(), connection)
    try connection.execute("DELETE FROM tombstone WHERE id = ?", [.text(id.text)])
    try StoredJobs.delete("\(DeviceErasure.job) \(id.text)", connection)
    let rowid = try rows.insert(writer.tables, connection)
    try FullText.write(rowid, connection)
    try writer.settleCountry(rowid, connection)
    try writer.change(rowid, kind: .added, environment.now(), connection)
    return rowid
  }
}
