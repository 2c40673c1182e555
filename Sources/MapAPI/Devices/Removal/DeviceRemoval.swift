import JSON
import PrivacyMap
import SpatialDatabase

/// Takes a device out of every table that answers anybody, and puts it back.
///
/// What it said is kept apart for undoing until its day, or erased at once; a tombstone says for good
/// that it was there.
struct DeviceRemoval: Sendable {
  /// Who deletes a device, and why.
  struct Reason: Sendable {
    /// `admin`, `moderator` or `import`.
    var role: String
    var account: Int64?
    /// What everybody is told: a code of `tombstone.reason`.
    var code: String
    /// The reason in words, for moderators.
    var note: String?
    /// The id of the device that this one was merged into.
    var mergedInto: String?
  }

  let writer: DeviceWriter

  private var surroundings: Surroundings { writer.surroundings }

  /// Days for which what a deleted device said is kept, unless the setting `tombstone_days` says
  /// otherwise.
  static let usualDays: Int64 = 30

  /// Deletes a device; with `purge` nothing is kept for undoing.
  ///
  /// - Returns: the files of its photos that nobody needs any more.
  func remove(
    _ rowid: Int64, _ id: DeviceID, _ reason: Reason, purge: Bool,
    _ connection: borrowing Connection
  ) throws -> [String] {
    let now = surroundings.now()
    try connection.execute(
      """
      INSERT INTO tombstone (id, deleted_at, role, account_rowid, reason, note, merged_into)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id.text), .text(now.text), .text(reason.role), SQLValue(reason.account),
        .text(reason.code), SQLValue(reason.note), SQLValue(reason.mergedInto),
      ])
    let rows = try DeviceRows(of: rowid, connection)
    if !purge { try keep(rows, rowid, id, now, connection) }
    try JobRunner.schedule(
      DeviceErasure.job, key: purge ? nil : "\(DeviceErasure.job) \(id.text)",
      due: purge ? now : try eraseMoment(now, connection), connection)
    try writer.remove(rowid, connection)
    guard purge else { return [] }
    try ErasureList.note(.device, [id.text], at: now, connection)
    try OperatorStore().eraseUnused(rows.operators, connection)
    return rows.photoFiles
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
        .text(try eraseMoment(now, connection).day.text),
      ])
  }

  private func eraseMoment(
    _ now: Timestamp, _ connection: borrowing Connection
  ) throws -> Timestamp {
    let stored = try connection.text("SELECT value FROM setting WHERE name = 'tombstone_days'")
    let days = stored.flatMap { Int64($0) }.map { min(max($0, 0), 3_650) } ?? Self.usualDays
    return Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + days * 86_400)
  }

  /// Puts a deleted device back, with its history, claims and photos, under its own id.
  ///
  /// - Returns: its row; nil where it was never deleted, or what it said is erased.
  func undo(_ id: DeviceID, _ connection: borrowing Connection) throws -> Int64? {
    let content = try connection.text(
      "SELECT content FROM tombstone_content WHERE id = ?", [.text(id.text)])
    guard let content, let rows = DeviceRows(json: content) else { return nil }
    try connection.execute("DELETE FROM tombstone WHERE id = ?", [.text(id.text)])
    try connection.execute(
      "DELETE FROM job WHERE key = ?", [.text("\(DeviceErasure.job) \(id.text)")])
    let rowid = try rows.insert(connection)
    try FullText.write(rowid, connection)
    try writer.settleCountry(rowid, connection)
    try writer.change(rowid, kind: "added", surroundings.now(), connection)
    return rowid
  }
}
