import JSON
package import PrivacyMap
package import SpatialDatabase

/// The `verdict` table, and the fields of a device that derive from it.
package struct VerificationStore {
  package let vocabulary: Vocabulary
  package let environment: Environment

  package init(vocabulary: Vocabulary, environment: Environment) {
    self.vocabulary = vocabulary
    self.environment = environment
  }

  /// One person's verdict, and whether it counts.
  struct Word {
    let account: Int64?
    let verdict: Verdict
    /// False for verdicts of the author, of new accounts before review, and for lapsed ones.
    let counts: Bool

    /// Nil for a code that this version does not know.
    fileprivate init?(
      account: Int64?, claim: String, verdict: String, basis: String, madeAt: String, counts: Bool
    ) {
      guard let claim = Claim(rawValue: claim), let basis = ClaimBasis(rawValue: basis),
        let madeAt = Timestamp(text: madeAt)
      else { return nil }
      self.account = account
      self.verdict = Verdict(
        claim: claim, confirms: verdict == "confirm", basis: basis, madeAt: madeAt)
      self.counts = counts
    }
  }

  private static let columns = "account_rowid, claim, verdict, basis, made_at, counts"

  /// A column of a statement over `device` for ``words(in:at:)``.
  static let rows = NestedRows.column(
    "rowid, \(columns)", "FROM verdict WHERE device_rowid = device.rowid AND lapsed_at IS NULL")

  /// The verdicts on the device of a row in chronological order.
  static func words(in row: borrowing Row, at column: Int) throws -> [Word] {
    try row.rows(column, keys: 1).compactMap { found in
      guard found.count == 7 else { return nil }
      return Word(
        account: found[1].intValue.map { Int64($0) }, claim: found[2].stringValue ?? "",
        verdict: found[3].stringValue ?? "", basis: found[4].stringValue ?? "",
        madeAt: found[5].stringValue ?? "", counts: found[6].intValue != 0)
    }
  }

  /// The verdicts on a device in chronological order.
  static func words(of rowid: Int64, _ connection: borrowing Connection) throws -> [Word] {
    try connection.rows(
      """
      SELECT \(columns) FROM verdict
      WHERE device_rowid = ? AND lapsed_at IS NULL ORDER BY rowid
      """, [.integer(rowid)]
    ) { row in
      Word(
        account: row.optionalInt(0), claim: row.text(1), verdict: row.text(2), basis: row.text(3),
        madeAt: row.text(4), counts: row.bool(5))
    }.compactMap { $0 }
  }

  /// Removes an account from a portion of its verdicts.
  package static let erasing = """
    UPDATE verdict SET account_rowid = NULL, note = NULL WHERE rowid IN (
      SELECT rowid FROM verdict WHERE account_rowid = ? LIMIT 50)
    """

  /// Status, last confirmation, stale day, day of observation and category of a device.
  static func derived(
    _ rowid: Int64, _ connection: borrowing Connection
  ) throws -> (String, String?, String, String, String)? {
    try connection.first(
      """
      SELECT status, last_confirmed, stale_on,
        COALESCE(observed_on, substr(created_at, 1, 10)), category FROM device WHERE rowid = ?
      """, [.integer(rowid)]
    ) { ($0.text(0), $0.optionalText(1), $0.text(2), $0.text(3), $0.text(4)) }
  }

  /// The trust in a device that results from the verdicts.
  static func trust(_ words: [Word]) -> Trust {
    words.isEmpty ? Trust.none : Trust(words.filter(\.counts).map(\.verdict))
  }

  /// Stores a person's verdict on a claim and updates the device, unless the verdict does not count or does not change the
  /// result.
  ///
  /// - Returns: the rowid of the verdict.
  package func record(
    _ verdict: Verdict, note text: String?, counts: Bool, of rowid: Int64, by account: Int64,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    let before = Self.trust(try Self.words(of: rowid, connection))
    let noted = try note(
      verdict, note: text, counts: counts, of: rowid, by: account, connection)
    let after = Self.trust(try Self.words(of: rowid, connection))
    if after != before { try settle(rowid, connection) }
    return noted
  }

  /// Stores a person's verdict on a claim, replacing an earlier one, and returns its rowid.
  ///
  /// Call ``settle(_:_:)`` afterwards to update the device.
  func note(
    _ verdict: Verdict, note: String?, counts: Bool, of rowid: Int64, by account: Int64,
    _ connection: borrowing Connection
  ) throws -> Int64 {
    // Insert a new row instead of updating, so that the order of rows stays chronological.
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

  /// Updates the status, last confirmation and stale day of a device from the verdicts that count. Call it whenever
  /// these verdicts change. It creates a change of the map, but no revision.
  package func settle(_ rowid: Int64, _ connection: borrowing Connection) throws {
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
    // Keep the last confirmation of an imported list if there are no verdicts here.
    fields.lastConfirmed =
      trust.lastConfirmed
      ?? (found.isImported ? found.lastConfirmed.flatMap { Timestamp(text: $0) } : nil)
    let months = vocabulary.category(found.category)?.staleMonths ?? 24
    let now = environment.now()
    try connection.execute(
      "UPDATE device SET status = ?, last_confirmed = ?, stale_on = ?, updated_at = ? WHERE rowid = ?",
      [
        .text(trust.status(base: found.base).rawValue), SQLValue(fields.lastConfirmed?.text),
        .text(fields.staleOn(after: months, addedOn: found.addedOn).text), .text(now.text),
        .integer(rowid),
      ])
    try DeviceWriter(vocabulary: vocabulary, environment: environment, countries: nil)
      .change(rowid, kind: .changed, now, connection)
  }

  /// Metres that the public point may move without invalidating verdicts on its presence.
  static let sameSpot = 50.0

  /// Marks verdicts on claims that an edit has changed as lapsed: they refer to the previous content.
  func lapse(
    after edit: DeviceEdit, of rowid: Int64, _ connection: borrowing Connection
  ) throws {
    var lapsed = 0
    for claim in Self.claims(changedBy: edit) {
      try connection.execute(
        "UPDATE verdict SET lapsed_at = ? WHERE device_rowid = ? AND claim = ? AND lapsed_at IS NULL",
        [.text(environment.now().text), .integer(rowid), .text(claim.rawValue)])
      lapsed += connection.changedRowCount
    }
    if lapsed > 0 { try settle(rowid, connection) }
  }

  /// Reactivates verdicts that lapsed with revisions that are now reverted, because the device has the confirmed
  /// content again. `moments` are the times of the reverted revisions.
  func revive(
    after edit: DeviceEdit, of rowid: Int64, lapsedAt moments: [String],
    _ connection: borrowing Connection
  ) throws {
    var revived = 0
    for claim in Self.claims(changedBy: edit) {
      for moment in moments {
        try connection.execute(
          "UPDATE verdict SET lapsed_at = NULL WHERE device_rowid = ? AND claim = ? AND lapsed_at = ?",
          [.integer(rowid), .text(claim.rawValue), .text(moment)])
        revived += connection.changedRowCount
      }
    }
    if revived > 0 { try settle(rowid, connection) }
  }

  /// The claims whose content an edit changes.
  private static func claims(changedBy edit: DeviceEdit) -> [Claim] {
    let changed = Set(edit.columns.map(\.name))
    var claims: [Claim] = []
    // Use the public point. Otherwise an author could infer the true point by moving the pin.
    if edit.place != nil, edit.shownDistance > Self.sameSpot { claims.append(.present) }
    if changed.contains("category") { claims.append(.function) }
    if changed.contains("data_collected") { claims.append(.data) }
    if changed.contains("operator_rowid") { claims.append(.operator) }
    return claims
  }
}
