import Import
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// The tables `proposal` and `proposal_row`.
struct ProposalStore {
  /// A proposal to be stored.
  struct New {
    let id: String
    let account: Int64
    let form: ProposalForm
    let reading: ProposalReading
    /// For each device.
    let findings: [ProposalCaution.Finding]
    let at: Timestamp

    var flagged: Int {
      zip(reading.devices, findings).count { !$0.notes.isEmpty || !$1.isEmpty }
    }
  }

  func add(_ new: New, _ connection: borrowing Connection) throws {
    let (source, counts) = (new.form.source, new.reading.counts)
    try connection.execute(
      """
      INSERT INTO proposal (id, account_rowid, file, bytes, format, mapping, source_name, licence, attribution, url,
        comment, read_rows, skipped, refused, devices, flagged, created_at, expires_at, compared_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(new.id), .integer(new.account), .text(new.form.file.name),
        SQLValue(new.form.file.size ?? 0), .text(new.reading.format),
        .text(JSONValue.object(new.form.mapping.file).text), .text(source.name),
        .text(source.licence), .text(source.attribution), SQLValue(source.url),
        SQLValue(new.form.comment), SQLValue(counts.rows), SQLValue(counts.skipped),
        SQLValue(counts.refused), SQLValue(counts.devices), SQLValue(new.flagged),
        .text(new.at.text),
        .text(Proposal.end(Proposal.openDays, after: new.at).text), .text(new.at.text),
      ])
    let proposal = connection.lastInsertedRowID
    for (place, (device, finding)) in zip(new.reading.devices, new.findings).enumerated() {
      try add(device, finding, number: place + 1, to: proposal, connection)
    }
  }

  private func add(
    _ device: ImportedDevice, _ finding: ProposalCaution.Finding, number: Int,
    to proposal: Int64, _ connection: borrowing Connection
  ) throws {
    let notes = JSONValue.array(device.notes.map { .object(Self.json($0)) })
    try connection.execute(
      """
      INSERT INTO proposal_row (proposal_rowid, number, file_row, name, category, status, longitude, latitude, device,
        notes, far, duplicates)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(proposal), SQLValue(number), SQLValue(device.row), .text(device.fields.name),
        .text(device.fields.category), .text(device.fields.status.rawValue),
        .real(device.coordinate.longitude), .real(device.coordinate.latitude),
        .text(JSONValue.object(ProposedDeviceJSON.json(device)).text), .text(notes.text),
        .integer(finding.isFar ? 1 : 0), Self.duplicates(finding),
      ])
  }

  /// The ids and distances of duplicates as they are stored. Names would outlive their devices.
  private static func duplicates(_ finding: ProposalCaution.Finding) -> SQLValue {
    guard !finding.duplicates.isEmpty else { return .null }
    return .text(
      JSONValue.array(
        finding.duplicates.map { .array([.string($0.id), .double($0.distance)]) }
      ).text)
  }

  private static func duplicates(_ json: [UInt8]) -> [(id: String, distance: Double)] {
    let list = (try? JSONValue(parsing: json))?.arrayValue ?? []
    return list.compactMap { pair in
      guard let parts = pair.arrayValue, parts.count == 2, let id = parts.first?.stringValue,
        let distance = parts.last?.numberValue
      else { return nil }
      return (id, distance)
    }
  }

  /// Records that a comparison of a proposal with the map begins now.
  ///
  /// - Returns: false if another request has begun to, or if it is decided.
  func beginComparing(
    _ proposal: Proposal, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.execute(
      """
      UPDATE proposal SET compared_at = ?1
      WHERE rowid = ?2 AND state = 'open' AND compared_at IS NOT DISTINCT FROM ?3
      """, [.text(now.text), .integer(proposal.rowid), SQLValue(proposal.comparedAt)])
    return connection.changedRowCount == 1
  }

  /// Stores findings about the rows of an open proposal with these numbers.
  func keep(
    _ findings: [ProposalCaution.Finding], about numbers: [Int], of proposal: Int64,
    _ connection: borrowing Connection
  ) throws {
    let isOpen = try connection.integer(
      "SELECT 1 FROM proposal WHERE rowid = ? AND state = 'open'", [.integer(proposal)])
    guard isOpen == 1 else { return }
    for (number, finding) in zip(numbers, findings) {
      try connection.execute(
        """
        UPDATE proposal_row SET far = ?1, duplicates = ?2 WHERE proposal_rowid = ?3 AND number = ?4
          AND (far <> ?1 OR duplicates IS DISTINCT FROM ?2)
        """,
        [
          .integer(finding.isFar ? 1 : 0), Self.duplicates(finding), .integer(proposal),
          SQLValue(number),
        ])
    }
  }

  private static func json(_ note: ImportNote) -> JSONObject {
    JSONObject([
      ("field", note.field.map(JSONValue.string) ?? .null), ("code", .string(note.code)),
      ("detail", .string(note.detail)),
    ])
  }

  private static func note(_ json: JSONValue) -> ImportNote? {
    guard let code = json["code"]?.stringValue, let detail = json["detail"]?.stringValue else {
      return nil
    }
    return ImportNote(.flagged, field: json["field"]?.stringValue, code: code, detail: detail)
  }

  /// The number of proposals of an account that wait for a decision.
  func open(of account: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM proposal WHERE account_rowid = ? AND state = 'open'",
      [.integer(account)]) ?? 0
  }

  /// The number of all proposals that wait for a decision.
  func open(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT count(*) FROM proposal WHERE state = 'open'") ?? 0
  }

  private static let columns = """
    proposal.rowid, proposal.id, proposal.account_rowid, author.username, proposal.file, proposal.bytes, format,
    source_name, proposal.licence, attribution, url, comment, read_rows, proposal.skipped, proposal.refused, devices,
    proposal.flagged, CASE WHEN import_run.state = 'undone' THEN 'undone' ELSE proposal.state END,
    proposal.created_at, expires_at, decided_at, decider.username, reason, accepted, import_rowid,
    compared_at
    """

  private static let joins = """
    FROM proposal LEFT JOIN account AS author ON author.rowid = proposal.account_rowid
    LEFT JOIN account AS decider ON decider.rowid = proposal.decided_by
    LEFT JOIN import_run ON import_run.rowid = proposal.import_rowid
    """

  private static func proposal(_ row: borrowing Row) -> Proposal {
    var counts = Proposal.Counts()
    (counts.rows, counts.skipped) = (Int(clamping: row.int(12)), Int(clamping: row.int(13)))
    (counts.refused, counts.devices) = (Int(clamping: row.int(14)), Int(clamping: row.int(15)))
    counts.flagged = Int(clamping: row.int(16))
    var decision: Proposal.Decision?
    if let at = row.optionalText(20) {
      decision = Proposal.Decision(
        at: at, by: row.optionalText(21), reason: row.optionalText(22),
        accepted: row.optionalInt(23) ?? 0, importRun: row.optionalInt(24))
    }
    return Proposal(
      rowid: row.int(0), id: row.text(1), account: row.optionalInt(2), by: row.optionalText(3),
      file: row.text(4), bytes: row.int(5), format: row.text(6),
      source: Proposal.Source(
        name: row.text(7), licence: row.text(8), attribution: row.text(9),
        url: row.optionalText(10)),
      comment: row.optionalText(11), counts: counts,
      state: Proposal.State(rawValue: row.text(17)) ?? .open, createdAt: row.text(18),
      expiresAt: row.text(19), decision: decision, comparedAt: row.optionalText(25))
  }

  func one(_ id: String, _ connection: borrowing Connection) throws -> Proposal? {
    try connection.first(
      "SELECT \(Self.columns) \(Self.joins) WHERE proposal.id = ?", [.text(id)],
      decode: { Self.proposal($0) })
  }

  /// The proposals of an account, newest first, before the row `last` if given.
  func all(
    of account: Int64, before last: Int64?, limit: Int, _ connection: borrowing Connection
  ) throws -> [Proposal] {
    try connection.rows(
      """
      SELECT \(Self.columns) \(Self.joins)
      WHERE proposal.account_rowid = ?1 AND (CAST(?2 AS BIGINT) IS NULL OR proposal.rowid < ?2)
      ORDER BY proposal.rowid DESC LIMIT ?3
      """, [.integer(account), SQLValue(last), SQLValue(limit)], decode: { Self.proposal($0) })
  }

  /// All open proposals, oldest first, or all decided ones, newest first.
  func all(
    open isOpen: Bool, after last: Int64?, limit: Int, _ connection: borrowing Connection
  ) throws -> [Proposal] {
    try connection.rows(
      """
      SELECT \(Self.columns) \(Self.joins)
      WHERE proposal.state \(isOpen ? "=" : "<>") 'open'
        AND (CAST(?1 AS BIGINT) IS NULL OR proposal.rowid \(isOpen ? ">" : "<") ?1)
      ORDER BY proposal.rowid \(isOpen ? "" : "DESC") LIMIT ?2
      """, [SQLValue(last), SQLValue(limit)], decode: { Self.proposal($0) })
  }

  /// The rows of a proposal, in their order.
  func rows(of proposal: Int64, _ connection: borrowing Connection) throws -> [ProposedRow] {
    try connection.rows(
      """
      SELECT number, device, notes, accepted, far, duplicates FROM proposal_row
      WHERE proposal_rowid = ? ORDER BY number
      """, [.integer(proposal)]
    ) { row -> ProposedRow? in
      guard let json = (try? JSONValue(parsing: row.blob(1)))?.objectValue,
        var device = ProposedDeviceJSON.device(json)
      else { return nil }
      let notes = (try? JSONValue(parsing: row.blob(2)))?.arrayValue ?? []
      device.notes = notes.compactMap(Self.note)
      return ProposedRow(
        number: Int(clamping: row.int(0)), device: device,
        isAccepted: row.isNull(3) ? nil : row.bool(3),
        caution: ProposalCaution.Finding(isFar: row.bool(4)),
        found: row.isNull(5) ? [] : Self.duplicates(row.blob(5)))
    }.compactMap { $0 }
  }

  func mapping(of proposal: Int64, _ connection: borrowing Connection) throws -> String {
    try connection.text("SELECT mapping FROM proposal WHERE rowid = ?", [.integer(proposal)])
      ?? "{}"
  }

  /// Stores a decision. `accepted` are the numbers of the accepted rows.
  func decide(
    _ proposal: Int64, accepting accepted: Set<Int>, reason: String?, by account: Int64,
    importRun: Int64?, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE proposal SET state = ?, decided_at = ?, decided_by = ?, reason = ?, accepted = ?, import_rowid = ?,
        expires_at = ? WHERE rowid = ?
      """,
      [
        .text(accepted.isEmpty ? "refused" : "accepted"), .text(now.text), .integer(account),
        SQLValue(reason), SQLValue(accepted.count), SQLValue(importRun),
        .text(Proposal.end(Proposal.decidedDays, after: now).text), .integer(proposal),
      ])
    // The findings were only needed for the decision.
    try connection.execute(
      "UPDATE proposal_row SET accepted = 0, far = 0, duplicates = NULL WHERE proposal_rowid = ?",
      [.integer(proposal)])
    for number in accepted.sorted() {
      try connection.execute(
        "UPDATE proposal_row SET accepted = 1 WHERE proposal_rowid = ? AND number = ?",
        [.integer(proposal), SQLValue(number)])
    }
  }

  /// Takes back decisions whose import stored no device, because it failed or the program ended.
  func reopen(at now: Timestamp, _ connection: borrowing Connection) throws {
    let broken = """
      SELECT proposal.rowid FROM proposal JOIN import_run ON import_run.rowid = import_rowid
      WHERE import_run.state = 'failed' AND import_run.added = 0 AND import_run.changed = 0
        AND import_run.unchanged = 0
      """
    for proposal in try connection.rows(broken, decode: { $0.int(0) }) {
      try connection.execute(
        "UPDATE proposal_row SET accepted = NULL WHERE proposal_rowid = ?", [.integer(proposal)])
      try connection.execute(
        """
        UPDATE proposal SET state = 'open', decided_at = NULL, decided_by = NULL, reason = NULL, accepted = NULL,
          import_rowid = NULL, expires_at = ?, compared_at = NULL WHERE rowid = ?
        """,
        [.text(Proposal.end(Proposal.openDays, after: now).text), .integer(proposal)])
    }
  }

  func delete(
    _ proposal: Proposal, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    if try delete(proposal.id, connection) {
      try ErasureList.note(.proposal, [proposal.id], at: now, connection)
    }
  }

  /// Deletes a proposal with its rows.
  ///
  /// - Returns: whether it was there.
  func delete(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.execute("DELETE FROM proposal WHERE id = ?", [.text(id)])
    return connection.changedRowCount > 0
  }

  /// Deletes the proposals whose time is over.
  func deleteExpired(at now: Timestamp, _ connection: borrowing Connection) throws {
    let ids = try connection.rows(
      "SELECT id FROM proposal WHERE expires_at <= ?", [.text(now.text)]
    ) { $0.text(0) }
    for id in ids { _ = try delete(id, connection) }
    try ErasureList.note(.proposal, ids, at: now, connection)
  }
}
