import Mail
import PrivacyMap
import Secrets
import SpatialDatabase
import WebServer

/// The table `organisation`, and the rows that depend on an approval.
struct OrganisationStore: Sendable {
  let surroundings: Surroundings

  static let notThere = NotFound(Message("error.not_found.operator"))

  private var now: String { surroundings.now().text }

  func organisation(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> Organisation? {
    try connection.first(
      "SELECT \(Organisation.columns) FROM organisation WHERE account_rowid = ?",
      [.integer(account)]
    ) { Organisation($0) }
  }

  func organisation(_ id: String, _ connection: borrowing Connection) throws -> Organisation? {
    try connection.first(
      "SELECT \(Organisation.columns) FROM organisation WHERE id = ?",
      [.text(DeviceID(text: id)?.text ?? id)]
    ) { Organisation($0) }
  }

  /// The approved organisation that the account represents.
  ///
  /// - Throws: a 403 ``Refusal`` if there is no such organisation or the account has lost the role of
  ///   operator.
  func approved(
    _ principal: Principal, _ connection: borrowing Connection
  ) throws -> Organisation {
    guard let found = try organisation(of: principal.account, connection),
      found.state == .approved, principal.role >= .operator
    else { throw Self.none }
    return found
  }

  static let none = Refusal(.forbidden, "error.operator.none", type: "no-organisation")

  func add(
    _ details: OrganisationDetails, of account: Int64, _ connection: borrowing Connection
  ) throws {
    guard try organisation(of: account, connection) == nil else {
      throw Refusal(.conflict, "error.operator.exists", type: "operator-exists")
    }
    try connection.execute(
      """
      INSERT INTO organisation (id, account_rowid, name, name_key, kind, domain, website, contact,
        data_protection_contact, privacy_policy, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [.text(surroundings.newDeviceID().text), .integer(account)] + Self.values(details)
        + [.text(now)])
  }

  private static func values(_ details: OrganisationDetails) -> [SQLValue] {
    [
      .text(details.name), .text(ContactBook.key(details.name)), .text(details.kind.rawValue),
      .text(details.domain), SQLValue(details.website), SQLValue(details.contact),
      SQLValue(details.dataProtectionContact), SQLValue(details.privacyPolicy),
    ]
  }

  /// Updates the details of an organisation. A new domain is unverified; a refused organisation waits for
  /// a decision again.
  func change(
    _ organisation: Organisation, to details: OrganisationDetails,
    _ connection: borrowing Connection
  ) throws {
    if organisation.state == .approved, details.checked != organisation.details.checked {
      throw Refusal(.conflict, "error.operator.checked", type: "operator-checked")
    }
    try connection.execute(
      """
      UPDATE organisation SET name = ?, name_key = ?, kind = ?, domain = ?, website = ?,
        contact = ?, data_protection_contact = ?, privacy_policy = ?, confirmed_contact = ?,
        state = CASE state WHEN 'refused' THEN 'waiting' ELSE state END
      WHERE rowid = ?
      """,
      Self.values(details) + [
        SQLValue(Self.contact(of: organisation, after: details)), .integer(organisation.rowid),
      ])
    guard details.domain != organisation.details.domain else { return }
    try connection.execute(
      """
      UPDATE organisation SET check_method = NULL, checked_at = NULL, check_note = NULL,
        mail_digest = NULL, mail_address = NULL, mail_ends_at = NULL WHERE rowid = ?
      """, [.integer(organisation.rowid)])
  }

  /// The contact that stays confirmed. A replaced contact must confirm again, and a confirmation does not
  /// carry over to another organisation.
  private static func contact(
    of organisation: Organisation, after details: OrganisationDetails
  ) -> String? {
    guard details.checked == organisation.details.checked else { return nil }
    return organisation.confirmedContact.flatMap { key in
      details.mailAddresses.contains { $0.key == key } ? key : nil
    }
  }

  /// Stores that the owner of a contact has agreed to receive mail.
  func confirm(
    contact: EmailAddress, of organisation: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE organisation SET confirmed_contact = ?, mail_digest = NULL, mail_address = NULL,
        mail_ends_at = NULL WHERE rowid = ?
      """, [.text(contact.key), .integer(organisation)])
  }

  /// Stores a passed check and its evidence.
  func note(
    _ method: Organisation.Method, _ note: String?, of organisation: Int64,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE organisation SET check_method = ?, checked_at = ?, check_note = ?,
        mail_digest = NULL, mail_address = NULL, mail_ends_at = NULL WHERE rowid = ?
      """,
      [.text(method.rawValue), .text(now), SQLValue(note), .integer(organisation)])
  }

  func decide(
    _ state: Organisation.State, of organisation: Int64, reason: String?,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE organisation SET state = ?, decided_at = ?, reason = ? WHERE rowid = ?",
      [.text(state.rawValue), .text(now), SQLValue(reason), .integer(organisation)])
  }

  /// Whether another approved organisation has the same domain.
  func isTaken(
    _ organisation: Organisation, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM organisation WHERE domain = ? AND state = 'approved' AND rowid <> ?",
      [.text(organisation.details.domain), .integer(organisation.rowid)]) != nil
  }

  /// Deletes the rights that come with an approval: the claims on devices and the statements about them.
  func endClaims(of organisation: Int64, _ connection: borrowing Connection) throws {
    for sql in [
      """
      INSERT INTO change (device_rowid, kind, changed_at)
      SELECT device_rowid, 'changed', ? FROM organisation_claim
      WHERE organisation_rowid = ? AND state = 'standing'
      """,
      """
      UPDATE device SET updated_at = ? WHERE rowid IN (SELECT device_rowid FROM organisation_claim
        WHERE organisation_rowid = ? AND state = 'standing')
      """,
    ] { try connection.execute(sql, [.text(now), .integer(organisation)]) }
    try connection.execute(
      "DELETE FROM organisation_claim WHERE organisation_rowid = ?", [.integer(organisation)])
  }

  func erase(_ organisation: Organisation, _ connection: borrowing Connection) throws {
    try endClaims(of: organisation.rowid, connection)
    try connection.execute(
      "DELETE FROM organisation WHERE rowid = ?", [.integer(organisation.rowid)])
  }

  /// The number of devices on the map that an organisation operates.
  func devices(of organisation: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(Self.deviceCount, [.integer(organisation)]) ?? 0
  }

  static let deviceCount = """
    SELECT count(*) FROM organisation_claim AS claim
    JOIN device ON device.rowid = claim.device_rowid AND device.hidden = 0
    WHERE claim.organisation_rowid = ? AND claim.state = 'standing'
    """

  /// The row of `operator` linked to an account of the organisation: the name used by devices.
  func operatorRow(
    of details: OrganisationDetails, _ connection: borrowing Connection
  ) throws -> Int64? {
    try OperatorStore().rowid(ofOrganisation: details.name, details.kind, connection)
  }
}
