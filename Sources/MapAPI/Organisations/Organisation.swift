import JSON
import Mail
import PrivacyMap
import SpatialDatabase

/// A row of `organisation`.
struct Organisation: Petition, Sendable {
  enum State: String, CaseIterable, Sendable { case waiting, approved, refused }

  /// How it was found out that an account speaks for it.
  enum Method: String, CaseIterable, Sendable {
    /// A mail to an address at its domain was answered.
    case email
    /// A file that we named lies on its web site.
    case file
    /// An admin looked, and wrote down at what.
    case manual
  }

  /// A check that was passed.
  struct Check: Sendable {
    let method: Method
    let doneAt: String
    /// What was looked at.
    let note: String?
  }

  let rowid: Int64
  let id: String
  /// Who speaks for it.
  let account: Int64
  let details: OrganisationDetails
  let state: State
  let check: Check?
  let createdAt: String
  let decidedAt: String?
  let reason: String?
  /// The contact, in small letters, whose owner agreed by a mailed link to be written to.
  let confirmedContact: String?

  static let columns = """
    organisation.rowid, organisation.id, organisation.account_rowid, organisation.name,
    organisation.kind, organisation.domain, organisation.website, organisation.contact,
    organisation.data_protection_contact, organisation.privacy_policy, organisation.state,
    organisation.check_method, organisation.checked_at, organisation.check_note,
    organisation.created_at, organisation.decided_at, organisation.reason,
    organisation.confirmed_contact
    """
  /// How many ``columns`` there are.
  static let width = 18

  init(_ row: borrowing Row) {
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

  /// Where letters to it are mailed: the first of its contacts that was proven; nil where none is, and
  /// letters go to the account that speaks for it.
  var lettersAddress: EmailAddress? { details.mailAddresses.first(where: isProven) }

  /// Contacts that are shown but not written to, since nobody has proven them.
  var unprovenContacts: [EmailAddress] { details.mailAddresses.filter { !isProven($0) } }

  /// Whether mail may go to an address: it is at the domain, which was checked by mail or by a file,
  /// or its owner has confirmed it. A check by hand shows an admin something, but not whose mail it is.
  private func isProven(_ address: EmailAddress) -> Bool {
    let isDomainProven = check.map { $0.method != .manual } ?? false
    return address.key == confirmedContact
      || (isDomainProven && address.domain == details.domain)
  }

  /// As those get it who speak for it, and admins.
  var isWaiting: Bool { state == .waiting }

  var json: JSONValue { .object(members) }

  var members: JSONObject { SeenVersion.named(shown) }

  /// All that a decision is made by, without the version of it.
  var shown: JSONObject {
    [
      "id": .string(id), "name": .string(details.name), "kind": .string(details.kind.rawValue),
      "domain": .string(details.domain), "website": Self.text(details.website),
      "contact": Self.text(details.contact),
      "data_protection_contact": Self.text(details.dataProtectionContact),
      "privacy_policy": Self.text(details.privacyPolicy), "state": .string(state.rawValue),
      "check": check.map { check in
        [
          "method": .string(check.method.rawValue), "done_at": .string(check.doneAt),
          "note": Self.text(check.note),
        ]
      } ?? .null,
      "created_at": .string(createdAt), "decided_at": Self.text(decidedAt),
      "reason": Self.text(reason), "letters_to": Self.text(lettersAddress?.text),
      "unproven_contacts": .array(unprovenContacts.map { .string($0.text) }),
    ]
  }

  /// As everybody gets it who is approved; `devices` are those on the map that it answers for, and
  /// `outcomes` what became of requests, where enough people have asked.
  func publicJSON(devices: Int64, outcomes: Outcome?) -> JSONValue {
    [
      "id": .string(id), "name": .string(details.name), "kind": .string(details.kind.rawValue),
      "website": Self.text(details.website), "privacy_policy": Self.text(details.privacyPolicy),
      "data_protection_contact": Self.text(details.dataProtectionContact),
      "approved_on": Self.text(decidedAt.map { String($0.prefix(10)) }),
      "checked_by": Self.text(check?.method.rawValue), "devices": .integer(devices),
      "outcomes": outcomes?.json ?? .null,
    ]
  }

  private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
