import JSON
import PrivacyMap
import SpatialDatabase

/// The `verdict` table, and what of a device follows from it.
struct ClaimStore {
  let vocabulary: Vocabulary
  let surroundings: Surroundings

  /// One person's word, with what makes it count.
  struct Word {
    let account: Int64?
    let verdict: Verdict
    /// Neither of the author, nor of a new account that waits for a look, nor lapsed.
    let counts: Bool
  }

  /// What was said of a device, in the order it was said.
  static func words(of rowid: Int64, _ connection: borrowing Connection) throws -> [Word] {
    try connection.rows(
      """
      SELECT account_rowid, claim, verdict, basis, made_at, counts FROM verdict
      WHERE device_rowid = ? AND lapsed_at IS NULL ORDER BY rowid
      """, [.integer(rowid)]
    ) { row -> Word? in
      guard let claim = Claim(rawValue: row.text(1)), let basis = ClaimBasis(rawValue: row.text(3)),
        let madeAt = Timestamp(text: row.text(4))
      else { return nil }
      return Word(
        account: row.optionalInt(0),
        verdict: Verdict(
          claim: claim, confirms: row.text(2) == "confirm", basis: basis, madeAt: madeAt),
        counts: row.bool(5))
    }.compactMap { $0 }
  }

  /// How sure one can be of a device now.
  static func trust(_ words: [Word]) -> Trust {
    Trust(words.filter(\.counts).map(\.verdict))
  }

  /// Notes what a person says of a claim, in place of what they said before, and answers its row.
  ///
  /// Whatever it changes about the device is settled by ``settle(_:_:)``.
  func note(
    _ verdict: Verdict, note: String?, counts: Bool, of rowid: Int64, by account: Int64,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    // A row of its own, so that the order of rows stays the order of words.
    try connection.execute(
      "DELETE FROM verdict WHERE device_rowid = ? AND claim = ? AND account_rowid = ?",
      [.integer(rowid), .text(verdict.claim.rawValue), .integer(account)])
    try connection.execute(
      """
      INSERT INTO verdict (device_rowid, claim, account_rowid, verdict, basis, note, counts, made_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(rowid), .text(verdict.claim.rawValue), .integer(account),
        .text(verdict.confirms ? "confirm" : "dispute"), .text(verdict.basis.rawValue),
        SQLValue(note), SQLValue(counts), .text(verdict.madeAt.text),
      ])
    return connection.lastInsertedRowID
  }

  /// Makes status, last confirmation and stale day of a device follow from what counts now; whoever
  /// lets a verdict count, or no longer, calls it. Not a revision, yet a change of the map.
  func settle(_ rowid: Int64, _ connection: borrowing Connection) throws {
    let found = try connection.first(
      """
      SELECT category, base_status, source_rowid, last_confirmed, observed_on, created_at
      FROM device WHERE rowid = ?
      """, [.integer(rowid)]
    ) { row in
      (
        category: row.text(0), base: DeviceStatus(rawValue: row.text(1)) ?? .reported,
        isImported: !row.isNull(2), lastConfirmed: row.optionalText(3),
        observedOn: row.optionalText(4).flatMap { Day(text: $0) },
        addedOn: Timestamp(text: row.text(5))?.day ?? Day(daysSinceEpoch: 0)
      )
    }
    guard let found else { return }
    let trust = Self.trust(try Self.words(of: rowid, connection))
    var fields = DeviceFields(name: "", category: found.category)
    fields.observedOn = found.observedOn
    // What a list says of its own visits is kept where nobody has said anything here.
    fields.lastConfirmed =
      trust.lastConfirmed
      ?? (found.isImported ? found.lastConfirmed.flatMap { Timestamp(text: $0) } : nil)
    let months = vocabulary.category(found.category)?.staleMonths ?? 24
    let now = surroundings.now()
    try connection.execute(
      "UPDATE device SET status = ?, last_confirmed = ?, stale_on = ?, updated_at = ? WHERE rowid = ?",
      [
        .text(trust.status(base: found.base).rawValue), SQLValue(fields.lastConfirmed?.text),
        .text(fields.staleOn(after: months, addedOn: found.addedOn).text), .text(now.text),
        .integer(rowid),
      ])
    try DeviceWriter(vocabulary: vocabulary, surroundings: surroundings, countries: nil)
      .change(rowid, kind: "changed", now, connection)
  }

  /// Metres a device may be seen to move and still be where people saw it.
  static let sameSpot = 50.0

  /// Lets verdicts lapse on what an edit has changed: nobody has vouched for what it says now.
  func lapse(
    after edit: DeviceEdit, of rowid: Int64, from stored: StoredDevice,
    _ connection: borrowing Connection
  ) throws {
    var lapsed = 0
    for claim in Self.claims(changedBy: edit, from: stored) {
      try connection.execute(
        "UPDATE verdict SET lapsed_at = ? WHERE device_rowid = ? AND claim = ? AND lapsed_at IS NULL",
        [.text(surroundings.now().text), .integer(rowid), .text(claim.rawValue)])
      lapsed += connection.changedRowCount
    }
    if lapsed > 0 { try settle(rowid, connection) }
  }

  /// Lets verdicts count again that lapsed with revisions which are taken back: what people vouched
  /// for is what the device says once more. `moments` are when those revisions were made.
  func revive(
    after edit: DeviceEdit, of rowid: Int64, from stored: StoredDevice, lapsedAt moments: [String],
    _ connection: borrowing Connection
  ) throws {
    var revived = 0
    for claim in Self.claims(changedBy: edit, from: stored) {
      for moment in moments {
        try connection.execute(
          "UPDATE verdict SET lapsed_at = NULL WHERE device_rowid = ? AND claim = ? AND lapsed_at = ?",
          [.integer(rowid), .text(claim.rawValue), .text(moment)])
        revived += connection.changedRowCount
      }
    }
    if revived > 0 { try settle(rowid, connection) }
  }

  /// The claims that an edit makes say something else.
  private static func claims(changedBy edit: DeviceEdit, from stored: StoredDevice) -> [Claim] {
    let changed = Set(edit.columns.map(\.name))
    var claims: [Claim] = []
    // By what everybody sees, or who moves a pin could tell from this how near the true place is.
    if edit.place != nil, edit.shownDistance > Self.sameSpot { claims.append(.present) }
    if changed.contains("category") { claims.append(.function) }
    if changed.contains("data_collected") { claims.append(.data) }
    if changed.contains("operator_rowid") { claims.append(.operator) }
    return claims
  }
}
