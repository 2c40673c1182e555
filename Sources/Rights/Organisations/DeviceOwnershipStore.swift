import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The table `organisation_claim`: the operators of devices, as claimed by organisations.
struct DeviceOwnershipStore: Sendable {
  let map: LiveMap
  let mails: OrganisationMails

  enum State: String, CaseIterable, Sendable { case standing, waiting, refused }

  /// A row.
  struct Claim: Sendable {
    let rowid: Int64
    let device: Int64
    let organisation: Int64
    let state: State
  }

  static let notThere = NotFound(Message("error.not_found.operator_claim"))

  private var now: String { map.environment.now().text }

  /// The organisation that operates a device (UUID); nil if none has a valid claim.
  static func standing(
    of device: String, _ connection: borrowing Connection
  ) throws -> Organisation? {
    try connection.first(standing, [.text(device)]) { Organisation($0) }
  }

  static let standing = """
    SELECT \(Organisation.columns) FROM organisation_claim AS claim
    JOIN organisation ON organisation.rowid = claim.organisation_rowid
    WHERE claim.device_rowid = (SELECT rowid FROM device WHERE id = ? AND hidden = 0)
      AND claim.state = 'standing'
    """

  func claim(
    on device: Int64, by organisation: Int64, _ connection: borrowing Connection
  ) throws -> Claim? {
    try connection.first(
      """
      SELECT rowid, device_rowid, organisation_rowid, state FROM organisation_claim
      WHERE device_rowid = ? AND organisation_rowid = ?
      """, [.integer(device), .integer(organisation)], decode: Self.claim)
  }

  /// A claim with this UUID, the UUID of its device and the account of its organisation.
  func claim(
    _ id: String, _ connection: borrowing Connection
  ) throws -> (Claim, device: String, speaker: Int64) {
    let found = try connection.first(
      """
      SELECT claim.rowid, claim.device_rowid, claim.organisation_rowid, claim.state,
        device.id, organisation.account_rowid
      FROM organisation_claim AS claim JOIN device ON device.rowid = claim.device_rowid
      JOIN organisation ON organisation.rowid = claim.organisation_rowid WHERE claim.id = ?
      """, [.text(DeviceID(text: id)?.text ?? id)]
    ) { (Self.claim($0), $0.text(4), $0.int(5)) }
    guard let found else { throw Self.notThere }
    return found
  }

  /// The columns shown for a claim: all that a decision is based on.
  private static let shown = """
    SELECT claim.rowid, claim.id, claim.note, claim.made_at, device.id, device.name,
      device.category, operator.name, operator.kind, organisation.id, organisation.name,
      organisation.kind, organisation.domain, organisation.website, rival.id, rival.name
    FROM organisation_claim AS claim
    JOIN device ON device.rowid = claim.device_rowid
    JOIN organisation ON organisation.rowid = claim.organisation_rowid
    LEFT JOIN operator ON operator.rowid = device.operator_rowid
    LEFT JOIN organisation_claim AS other
      ON other.device_rowid = claim.device_rowid AND other.state = 'standing'
    LEFT JOIN organisation AS rival ON rival.rowid = other.organisation_rowid
    """
  static let page = """
    \(shown) WHERE claim.state = 'waiting' AND claim.rowid > ? ORDER BY claim.rowid LIMIT ?
    """

  /// Claims that wait for a moderator, oldest first, after a row.
  func waiting<T>(
    after last: Int64, limit: Int, _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(Self.page, [.integer(last), SQLValue(limit)], decode: decode)
  }

  /// A claim with the columns of ``page``.
  func shown<T>(
    _ claim: Claim, _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> T? {
    try connection.first(
      "\(Self.shown) WHERE claim.rowid = ?", [.integer(claim.rowid)], decode: decode)
  }

  private static func claim(_ row: borrowing Row) -> Claim {
    Claim(
      rowid: row.int(0), device: row.int(1), organisation: row.int(2),
      state: State(rawValue: row.text(3)) ?? .refused)
  }

  /// Claims a device for an organisation. The claim takes effect at once if users name no operator or the
  /// same one. Otherwise, and always after a refusal, a moderator decides.
  func add(
    _ organisation: Organisation, on device: FoundDevice, note: String?,
    _ connection: borrowing Connection
  ) throws -> State {
    let before = try claim(on: device.rowid, by: organisation.rowid, connection)
    if let before, before.state != .refused { return before.state }
    let isTaken =
      try connection.integer(
        "SELECT 1 FROM organisation_claim WHERE device_rowid = ? AND state = 'standing'",
        [.integer(device.rowid)]) != nil
    let isClear =
      try before == nil && !isTaken && agrees(organisation, with: device.rowid, connection)
    let state: State = isClear ? .standing : .waiting
    if state == .waiting { try checkMayWait(organisation.rowid, connection) }
    try connection.execute(
      """
      INSERT INTO organisation_claim (id, device_rowid, organisation_rowid, state, note, made_at)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (device_rowid, organisation_rowid) DO UPDATE SET state = excluded.state,
        note = excluded.note, made_at = excluded.made_at, decided_at = NULL, reason = NULL
      """,
      [
        .text(map.environment.newDeviceID().text), .integer(device.rowid),
        .integer(organisation.rowid), .text(state.rawValue), SQLValue(note), .text(now),
      ])
    if state == .standing {
      try DeviceChanges.note([device.rowid], at: map.environment.now(), connection)
    }
    return state
  }

  /// - Throws: a 409 ``Refusal`` if the organisation has reached the limit of waiting claims.
  private func checkMayWait(
    _ organisation: Int64, _ connection: borrowing Connection
  ) throws {
    let waiting = try connection.integer(
      "SELECT count(*) FROM organisation_claim WHERE organisation_rowid = ? AND state = 'waiting'",
      [.integer(organisation)])
    guard waiting ?? 0 < Organisations.maxWaiting else {
      throw Refusal(
        .conflict, "error.operator.claims", ["maximum": "\(Organisations.maxWaiting)"],
        type: "too-many-claims")
    }
  }

  /// Whether the operator named by users is compatible with a claim: none is named, or the same under any
  /// known spelling.
  private func agrees(
    _ organisation: Organisation, with device: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    let observed = try OperatorStore().named(by: device, connection)
    guard let observed else { return true }
    if observed.kind == .household { return false }
    guard let name = observed.name else { return observed.kind == .unknown }
    let own = ContactBook.key(organisation.details.name)
    return ([name] + observed.spellings).contains { ContactBook.key($0) == own }
  }

  /// Accepts or refuses a claim.
  func decide(
    _ claim: Claim, stands: Bool, reason: String?, _ connection: borrowing Connection
  ) throws {
    if stands {
      let rival = try connection.first(
        """
        SELECT rowid, device_rowid, organisation_rowid, state FROM organisation_claim
        WHERE device_rowid = ? AND state = 'standing'
        """, [.integer(claim.device)], decode: Self.claim)
      if let rival { try settle(rival, .refused, reason, connection) }
    }
    try settle(claim, stands ? .standing : .refused, reason, connection)
  }

  private func settle(
    _ claim: Claim, _ state: State, _ reason: String?, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE organisation_claim SET state = ?, decided_at = ?, reason = ? WHERE rowid = ?",
      [.text(state.rawValue), .text(now), SQLValue(reason), .integer(claim.rowid)])
    if state == .refused { try eraseStatement(under: claim, connection) }
    try DeviceChanges.note([claim.device], at: map.environment.now(), connection)
    let organisation = try connection.first(
      "SELECT \(Organisation.columns) FROM organisation WHERE rowid = ?",
      [.integer(claim.organisation)]
    ) { Organisation($0) }
    let device = try connection.first(
      "SELECT id, name FROM device WHERE rowid = ?", [.integer(claim.device)]
    ) { (id: $0.text(0), name: $0.text(1)) }
    guard let organisation else { return }
    try mails.tell(
      organisation, state == .standing ? .operatorClaimApproved : .operatorClaimRefused,
      reason: reason, device: device, connection)
  }

  /// Stores the statement of an organisation about the device of its claim.
  func keep(
    _ statement: Statement, under claim: Claim, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO operator_statement (claim_rowid, content, note, stated_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (claim_rowid) DO UPDATE SET content = excluded.content, note = excluded.note,
        stated_at = excluded.stated_at
      """,
      [
        .integer(claim.rowid), .text(JSONValue.object(statement.content).text),
        SQLValue(statement.note), .text(now),
      ])
    try noteStatement(true, under: claim, connection)
    try DeviceChanges.note([claim.device], at: map.environment.now(), connection)
  }

  /// Returns whether there was a statement.
  @discardableResult
  func eraseStatement(under claim: Claim, _ connection: borrowing Connection) throws -> Bool {
    try connection.execute(
      "DELETE FROM operator_statement WHERE claim_rowid = ?", [.integer(claim.rowid)])
    guard connection.changedRowCount > 0 else { return false }
    try noteStatement(false, under: claim, connection)
    return true
  }

  private func noteStatement(
    _ isThere: Bool, under claim: Claim, _ connection: borrowing Connection
  ) throws {
    try ErasureList.note(
      .statement, "organisation_claim", row: claim.rowid, value: "\(isThere)",
      at: map.environment.now(), connection)
  }

  /// Deletes a claim or a statement that a restored backup has brought back.
  ///
  /// - Returns: whether it was there.
  func eraseAgain(_ entry: ErasureList.Entry, _ connection: borrowing Connection) throws -> Bool {
    let found = try connection.first(
      "SELECT rowid, device_rowid, organisation_rowid, state FROM organisation_claim WHERE id = ?",
      [.text(entry.id)], decode: Self.claim)
    guard let claim = found else { return false }
    guard entry.kind == .statement else {
      try erase(claim, connection)
      return true
    }
    guard entry.value == "false", try eraseStatement(under: claim, connection) else { return false }
    try DeviceChanges.note([claim.device], at: map.environment.now(), connection)
    return true
  }

  /// Deletes a claim and the statement made under it.
  func erase(_ claim: Claim, _ connection: borrowing Connection) throws {
    try ErasureList.note(
      .claim, "organisation_claim", row: claim.rowid, at: map.environment.now(), connection)
    try connection.execute(
      "DELETE FROM organisation_claim WHERE rowid = ?", [.integer(claim.rowid)])
    if claim.state == .standing {
      try DeviceChanges.note([claim.device], at: map.environment.now(), connection)
    }
  }
}
