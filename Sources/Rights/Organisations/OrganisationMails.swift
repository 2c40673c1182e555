import Accounts
import Devices
import Mail
import PrivacyMap
import Secrets
import Service
import SpatialDatabase

/// Mails about organisations, queued in the transaction of the change that they report.
struct OrganisationMails: Sendable {
  let queue: MailQueue
  let now: @Sendable () -> Timestamp
  let names: DeviceNames

  /// Lifetime of a verification link, in seconds.
  static let seconds: Int64 = 48 * 3_600

  /// Sends a verification link to an address. Opening it proves access to the organisation's mail. The mail contains no
  /// text chosen by a user, because the address may belong to another person. For the same reason its language is the
  /// language of the domain's country: the account's language is known to its owner alone. The `template` is
  /// `operatorCheck` for the domain, or `operatorContact` for a contact at another domain.
  func check(
    _ template: MailTemplate, _ token: SecretToken, to address: EmailAddress, account: Int64,
    _ connection: borrowing Connection
  ) throws {
    try queue.add(
      OutgoingMail(
        to: address.text, language: Self.language(of: address.domain), account: account,
        template: template.rawValue,
        link: "/operator/check#token=\(token.text)",
        expires: now().later(Self.seconds)),
      connection)
  }

  /// The top-level domains of countries where Portuguese is an official language: the members of the CPLP.
  private static let portuguese: Set<Substring> = [
    "ao", "br", "cv", "gq", "gw", "mz", "pt", "st", "tl",
  ]

  /// The language of mails to a domain; ``MailSender`` falls back to English.
  static func language(of domain: String) -> String {
    domain.split(separator: ".").last.map { portuguese.contains($0) } == true ? "pt" : "en"
  }

  /// Notifies the account of an organisation of a decision: `operator_approved`, `operator_refused`,
  /// `operator_withdrawn`, `operator_claim_approved` or `operator_claim_refused`.
  func tell(
    _ organisation: Organisation, _ template: MailTemplate, reason: String?,
    device: (id: String, name: String)? = nil, _ connection: borrowing Connection
  ) throws {
    try queue.tell(
      organisation.account, template,
      link: device.map { "/devices/\($0.id)" } ?? "/operators/register", connection
    ) { language in
      [
        "organisation": organisation.details.name, "reason": reason ?? "–",
        "device": try device.map {
          try names.shown(of: $0.id, in: language, connection) ?? $0.name
        } ?? "–",
      ]
    }
  }
}
