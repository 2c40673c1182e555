import Accounts
import Devices
import Mail
package import PrivacyMap
import Secrets
import Service
package import SpatialDatabase
import WebServer

/// The table `organisation`, and the rows that depend on an approval.
package struct OrganisationStore: Sendable {
  package let environment: Environment

  package init(environment: Environment) {
    self.environment = environment
  }

  static let notThere = NotFound(Message("error.not_found.operator"))

  private var now: String { environment.now().text }

  package func organisation(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> Organisation? {
    try connection.first(
      "SELECT \(Organisation.columns) FROM organisation WHERE account_rowid = ?",
      [.integer(account)]
    ) { Organisation($0) }
  }

  /// The organisations of admins' lists: waiting ones first, then the others, newest first; one statement
  /// for all filters.
  static let adminPage = """
    SELECT \(Organisation.columns), account.id, account.username FROM organisation
    JOIN account ON account.rowid = organisation.account_rowid
    WHERE (CAST(?1 AS TEXT) IS NULL OR organisation.state = ?1)
      AND (CAST(?2 AS BOOLEAN) IS NULL
        OR (organisation.state <> 'waiting', -organisation.rowid) > (?2, ?3))
    ORDER BY organisation.state <> 'waiting', organisation.rowid DESC LIMIT ?4
    """

  static let counts = "SELECT state, count(*) FROM organisation GROUP BY state"

  func organisation(_ id: String, _ connection: borrowing Connection) throws -> Organisation? {
    try connection.first(
      "SELECT \(Organisation.columns) FROM organisation WHERE id = ?",
      [.text(DeviceID(text: id)?.text ?? id)]
    ) { Organisation($0) }
  }

  static func page(_ connection: borrowing Connection) -> String {
    """
    SELECT \(Organisation.columns), organisation.name_key
    FROM organisation \(connection.indexed(by: "organisation_by_name"))
    WHERE state = 'approved' AND (name_key, rowid) > (?1, ?2)
      AND (CAST(?3 AS TEXT) IS NULL OR instr(name_key, ?3) > 0)
    ORDER BY name_key, rowid LIMIT ?4
    """
  }

  /// A page of approved organisations by name, after a name and row, each with its folded name.
  func approved(
    named words: String?, after last: (name: String, rowid: Int64), limit: Int,
    _ connection: borrowing Connection
  ) throws -> [(Organisation, String)] {
    try connection.rows(
      Self.page(connection),
      [.text(last.name), .integer(last.rowid), SQLValue(words), SQLValue(limit)]
    ) { (Organisation($0), $0.text(Organisation.width)) }
  }

  /// The name of an approved organisation.
  package static func approvedName(
    of id: String, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      "SELECT name FROM organisation WHERE id = ? AND state = 'approved'", [.text(id)])
  }

  /// The ids and names of all approved organisations.
  package static func approvedNames(
    _ connection: borrowing Connection
  ) throws -> [(id: String, name: String)] {
    try connection.rows(approvedNames) { ($0.text(0), $0.text(1)) }
  }

  static let approvedNames = """
    SELECT id, name FROM organisation WHERE state = 'approved' ORDER BY name_key, rowid
    """

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
      [.text(environment.newDeviceID().text), .integer(account)] + Self.values(details)
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

  /// Stores that a verification link was mailed to an address.
  func keep(
    _ token: SecretToken, mailedTo address: EmailAddress, for organisation: Int64,
    _ connection: borrowing Connection
  ) throws {
    let end = environment.now().secondsSinceEpoch + OrganisationMails.seconds
    try connection.execute(
      "UPDATE organisation SET mail_digest = ?, mail_address = ?, mail_ends_at = ? WHERE rowid = ?",
      [
        .blob(token.digest), .text(address.text), .text(Timestamp(secondsSinceEpoch: end).text),
        .integer(organisation),
      ])
  }

  /// The organisation of a mailed verification link that has not expired, and the address of the mail.
  func organisation(
    mailed token: SecretToken, _ connection: borrowing Connection
  ) throws -> (Organisation, String)? {
    try connection.first(
      """
      SELECT \(Organisation.columns), mail_address FROM organisation
      WHERE mail_digest = ? AND mail_ends_at > ?
      """, [.blob(token.digest), .text(now)]
    ) { (Organisation($0), $0.text(Organisation.width)) }
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

  /// Ends an approval and the claims based on it.
  package func endApproval(
    of organisation: Organisation, reason: String?, _ connection: borrowing Connection
  ) throws {
    try endClaims(of: organisation.rowid, connection)
    try decide(.refused, of: organisation.rowid, reason: reason, connection)
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
    let devices = try connection.rows(
      """
      SELECT device_rowid FROM organisation_claim
      WHERE organisation_rowid = ? AND state = 'standing'
      """, [.integer(organisation)]
    ) { $0.int(0) }
    try DeviceChanges.note(devices, at: environment.now(), connection)
    try connection.execute(
      "DELETE FROM organisation_claim WHERE organisation_rowid = ?", [.integer(organisation)])
  }

  package func erase(_ organisation: Organisation, _ connection: borrowing Connection) throws {
    try endClaims(of: organisation.rowid, connection)
    try connection.execute(
      "DELETE FROM organisation WHERE rowid = ?", [.integer(organisation.rowid)])
  }

  /// Deletes the organisation with an id, which a restored backup has brought back, and ends the role of
  /// its account.
  ///
  /// - Returns: whether it was there.
  func eraseAgain(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    let account = try connection.integer(
      "SELECT account_rowid FROM organisation WHERE id = ?", [.text(id)])
    guard let account, let found = try organisation(of: account, connection) else { return false }
    try erase(found, connection)
    try AccountStore().endOperatorRole(of: account, connection)
    return true
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
