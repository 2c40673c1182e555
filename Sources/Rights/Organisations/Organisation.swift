import Accounts
package import JSON
import Mail
import PrivacyMap
import Service
package import SpatialDatabase

/// A row of `organisation`.
package struct Organisation: Petition, Sendable {
  package enum State: String, CaseIterable, Sendable { case waiting, approved, refused }

  /// The evidence that an account represents the organisation.
  enum Method: String, CaseIterable, Sendable {
    /// A link mailed to an address at its domain.
    case email
    /// A verification file on its web site.
    case file
    /// An admin's decision, with a note of the evidence.
    case manual
  }

  /// A passed check.
  struct Check: Sendable {
    let method: Method
    let doneAt: String
    /// The evidence.
    let note: String?
  }

  package let rowid: Int64
  package let id: String
  /// The account that represents it.
  package let account: Int64
  let details: OrganisationDetails
  package let state: State
  let check: Check?
  let createdAt: String
  let decidedAt: String?
  let reason: String?
  /// The contact address (lower case) whose owner agreed, through a mailed link, to receive mail.
  let confirmedContact: String?

  static let columns = """
    organisation.rowid, organisation.id, organisation.account_rowid, organisation.name,
    organisation.kind, organisation.domain, organisation.website, organisation.contact,
    organisation.data_protection_contact, organisation.privacy_policy, organisation.state,
    organisation.check_method, organisation.checked_at, organisation.check_note,
    organisation.created_at, organisation.decided_at, organisation.reason,
    organisation.confirmed_contact
    """
  /// The number of ``columns``.
  package static let width = 18

  package init(_ row: borrowing Row) {
    rowid = row.int(0)
    id = row.text(1)
    account = row.int(2)
    details = OrganisationDetails(
      name: row.text(3), kind: Operator.Kind(rawValue: row.text(4)) ?? .company,
      domain: row.text(5), website: row.optionalText(6), contact: row.optionalText(7),
      dataProtectionContact: row.optionalText(8), privacyPolicy: row.optionalText(9))
    state = State(rawValue: row.text(10)) ?? .waiting
    let checkedAt = row.optionalText(12)
    let note = row.optionalText(13)
    check = row.optionalText(11).flatMap(Method.init(rawValue:)).map {
      Check(method: $0, doneAt: checkedAt ?? "", note: note)
    }
    createdAt = row.text(14)
    decidedAt = row.optionalText(15)
    reason = row.optionalText(16)
    confirmedContact = row.optionalText(17)
  }

  /// Address for letters to the organisation: the first verified contact. If nil, letters go to the
  /// account that represents it.
  var lettersAddress: EmailAddress? { details.mailAddresses.first(where: isProven) }

  /// Contacts that are shown but get no mail, because they are not verified.
  var unprovenContacts: [EmailAddress] { details.mailAddresses.filter { !isProven($0) } }

  /// Whether mail may be sent to an address: its owner has confirmed it, or it is at the domain and the
  /// domain was verified by mail or file. A manual check convinces an admin, but does not prove who reads
  /// the mail.
  private func isProven(_ address: EmailAddress) -> Bool {
    let isDomainProven = check.map { $0.method != .manual } ?? false
    return address.key == confirmedContact
      || (isDomainProven && address.domain == details.domain)
  }

  package var isWaiting: Bool { state == .waiting }

  /// The response for the organisation's own account and for admins.
  var json: JSONValue { .object(members) }

  package var members: JSONObject { SeenVersion.named(shown) }

  /// All members that a decision is based on, without the version.
  var shown: JSONObject { Self.shape.object(self) }

  static let shape = JSONShape<Organisation>(
    "organisation", .uuid("id", \.id), .init("name", .text(maximum: 200), \.details.name),
    .init("kind", .organisationKind, \.details.kind.rawValue), .text("domain", \.details.domain),
    .text("website", \.details.website), .text("contact", \.details.contact),
    .text("data_protection_contact", \.details.dataProtectionContact),
    .text("privacy_policy", \.details.privacyPolicy), .oneOf("state", \.state),
    .object("check", passed, \.check), .time("created_at", \.createdAt),
    .time("decided_at", \.decidedAt), .text("reason", \.reason),
    .text("letters_to", \.lettersAddress?.text),
    .texts("unproven_contacts") { $0.unprovenContacts.map(\.text) }, .added("version", .text),
    .added("account", .petitioner))

  private static let passed = JSONShape<Check>(
    nil, .oneOf("method", \.method), .time("done_at", \.doneAt), .text("note", \.note))

  static let shapeOfPage = JSONShape<ListPage>(
    "organisations", of: shape.schema, in: "operators", hasCounts: true)
}

/// The public response for an approved organisation.
struct OperatorJSON {
  let organisation: Organisation
  /// The number of its devices on the map.
  let devices: Int64
  /// The outcomes of requests, if enough people have sent one.
  let outcomes: Outcome?

  static let shape = JSONShape<OperatorJSON>(
    "operator", .uuid("id", \.organisation.id), .text("name", \.organisation.details.name),
    .init("kind", .organisationKind, \.organisation.details.kind.rawValue),
    .text("website", \.organisation.details.website),
    .text("contact", \.organisation.details.contact),
    .text("privacy_policy", \.organisation.details.privacyPolicy),
    .text("data_protection_contact", \.organisation.details.dataProtectionContact),
    .day("approved_on") { $0.organisation.decidedAt.map { String($0.prefix(10)) } },
    .text("checked_by", \.organisation.check?.method.rawValue), .count("devices", \.devices),
    .object("outcomes", Outcome.shape, \.outcomes))

  static let page = JSONShape<ListPage>("operators", of: shape.schema, in: "operators")
}
