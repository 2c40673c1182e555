import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// The table `organisation_claim`: the operators of devices, as claimed by organisations.
struct OrganisationClaims: Sendable {
  let map: LiveMap
  let mails: OrganisationMails

  enum State: String, Sendable { case standing, waiting, refused }

  /// A row.
  struct Claim: Sendable {
    let rowid: Int64
    let device: Int64
    let organisation: Int64
    let state: State
  }

  static let notThere = NotFound(Message("error.not_found.operator_claim"))

  private var now: String { map.surroundings.now().text }

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

  /// The id and name of the organisation that operates a device (row); nil if none has a valid claim.
  static func name(of device: Int64, _ connection: borrowing Connection) throws -> JSONValue? {
    try connection.first(nameQuery, [.integer(device)]) {
      ["id": .string($0.text(0)), "name": .string($0.text(1))]
    }
  }

  static let nameQuery = """
    SELECT organisation.id, organisation.name FROM organisation_claim AS claim
    JOIN organisation ON organisation.rowid = claim.organisation_rowid
    WHERE claim.device_rowid = ? AND claim.state = 'standing'
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

  static func claim(_ row: borrowing Row) -> Claim {
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
        .text(map.surroundings.newDeviceID().text), .integer(device.rowid),
        .integer(organisation.rowid), .text(state.rawValue), SQLValue(note), .text(now),
      ])
    if state == .standing { try PhotoStates.noteChange(of: device.rowid, map, connection) }
    return state
  }

  /// - Throws: a 409 ``Refusal`` if the organisation has reached the limit of waiting claims.
  private func checkMayWait(
    _ organisation: Int64, _ connection: borrowing Connection
  ) throws {
    let waiting = try connection.integer(
      "SELECT count(*) FROM organisation_claim WHERE organisation_rowid = ? AND state = 'waiting'",
      [.integer(organisation)])
    guard waiting ?? 0 < Organisations.mostWaiting else {
      throw Refusal(
        .conflict, "error.operator.claims", ["maximum": "\(Organisations.mostWaiting)"],
        type: "too-many-claims")
    }
  }

  /// Whether the operator named by users is compatible with a claim: none is named, or the same under any
  /// known spelling.
  private func agrees(
    _ organisation: Organisation, with device: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    let observed = try connection.rows(
      """
      SELECT operator.kind, operator.name, operator_alias.key
      FROM device JOIN operator ON operator.rowid = device.operator_rowid
      LEFT JOIN operator_alias ON operator_alias.operator_rowid = operator.rowid
      WHERE device.rowid = ?
      """, [.integer(device)]
    ) { (kind: $0.text(0), name: $0.optionalText(1), alias: $0.optionalText(2)) }
    guard let first = observed.first else { return true }
    if first.kind == Operator.Kind.household.rawValue { return false }
    guard let name = first.name else { return first.kind == Operator.Kind.unknown.rawValue }
    // A key consists of the kind, the name and the contacts.
    let aliases = observed.compactMap {
      $0.alias?.split(separator: "\u{1F}", omittingEmptySubsequences: false).dropFirst().first
    }.map(String.init)
    let own = ContactBook.key(organisation.details.name)
    return ([name] + aliases).contains { ContactBook.key($0) == own }
  }

  /// Accepts or refuses a claim.
  func decide(
    _ claim: Claim, stands: Bool, reason: String, _ connection: borrowing Connection
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
    _ claim: Claim, _ state: State, _ reason: String, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE organisation_claim SET state = ?, decided_at = ?, reason = ? WHERE rowid = ?",
      [.text(state.rawValue), .text(now), .text(reason), .integer(claim.rowid)])
    if state == .refused {
      try connection.execute(
        "DELETE FROM operator_statement WHERE claim_rowid = ?", [.integer(claim.rowid)])
    }
    try PhotoStates.noteChange(of: claim.device, map, connection)
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

  /// Deletes a claim and the statement made under it.
  func erase(_ claim: Claim, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM organisation_claim WHERE rowid = ?", [.integer(claim.rowid)])
    if claim.state == .standing {
      try PhotoStates.noteChange(of: claim.device, map, connection)
    }
  }
}
