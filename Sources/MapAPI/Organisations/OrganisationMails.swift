import Mail
import PrivacyMap
import Secrets
import SpatialDatabase

/// The mails about organisations, put into the queue in the transaction of what they tell.
struct OrganisationMails: Sendable {
  let queue: MailQueue
  let now: @Sendable () -> Timestamp

  /// How long a mail that checks an address is good.
  static let seconds: Int64 = 48 * 3_600

  /// A link to an address at a domain: whoever can press it reads the organisation's mail. It carries
  /// no words that anybody chose, since the address may be anybody's. The `template` is
  /// `operatorCheck` for the domain and `operatorContact` for a contact elsewhere.
  func check(
    _ template: MailTemplate, _ token: SecretToken, to address: EmailAddress, _ language: String,
    account: Int64, _ connection: borrowing Connection
  ) throws {
    try queue.add(
      OutgoingMail(
        to: address.text, language: language, account: account, template: template.rawValue,
        link: "/operator/check#token=\(token.text)",
        expires: Timestamp(secondsSinceEpoch: now().secondsSinceEpoch + Self.seconds)),
      connection)
  }

  /// Tells the account of an organisation what was decided: `operator_approved`, `operator_refused`,
  /// `operator_withdrawn`, `operator_claim_approved` or `operator_claim_refused`.
  func tell(
    _ organisation: Organisation, _ template: MailTemplate, reason: String?,
    device: (id: String, name: String)? = nil, _ connection: borrowing Connection
  ) throws {
    try queue.tell(
      organisation.account, template,
      [
        "organisation": organisation.details.name, "reason": reason ?? "–",
        "device": device?.name ?? "–",
      ], link: device.map { "/devices/\($0.id)" } ?? "/operators/register", connection)
  }
}
