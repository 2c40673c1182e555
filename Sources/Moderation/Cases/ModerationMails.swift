import Devices
import PrivacyMap
import Service
package import SpatialDatabase

/// The mails of moderation, queued in the transaction of the change that they report.
///
/// A person who reports without an account gets mails with texts by moderators only. The address could
/// belong to another person, so the mail must not contain text that a visitor can choose.
package struct ModerationMails: Sendable {
  let queue: MailQueue
  let catalogue: Catalogue
  let names: DeviceNames
  private var store: SubjectStore { SubjectStore() }

  /// Confirms to a person without an account that their report was received.
  func acknowledge(
    to address: String, _ language: String, _ subject: Subject, _ connection: borrowing Connection
  ) throws {
    try queue.add(
      OutgoingMail(
        to: address, language: language, account: nil, template: "report_received",
        link: subject.deviceID.map { "/devices/\($0)" }), connection)
  }

  /// Notifies people of the outcome of their flags, with the reason where they may see it. The address of
  /// a report is erased once the mail is queued.
  func answer(
    _ flags: [ClosedFlag], _ outcome: FlagOutcome, because reason: String?,
    _ connection: borrowing Connection
  ) throws {
    func words(_ language: String) -> String {
      let sentence = sentence("mail.outcome.\(outcome.rawValue)", language)
      guard let reason else { return sentence }
      return sentence + "\n"
        + catalogue.text(Message("mail.outcome.reason", ["reason": reason]), in: language)
    }
    for flag in flags {
      if let email = flag.email {
        try queue.add(
          OutgoingMail(
            to: email, language: flag.locale, account: nil, template: "report_answered",
            arguments: ["outcome": words(flag.locale)],
            link: flag.deviceID.map { "/devices/\($0)" }), connection)
        try store.eraseAddress(of: flag.rowid, connection)
      } else if let account = flag.account, let recipient = try store.recipient(account, connection)
      {
        try queue.add(
          OutgoingMail(
            to: recipient.email, language: recipient.locale, account: account,
            template: "flag_answered",
            arguments: ["username": recipient.username, "outcome": words(recipient.locale)],
            link: flag.deviceID.map { "/devices/\($0)" }), connection)
      }
    }
  }

  /// Notifies the author of a contribution of a decision and its reason; `act` selects the sentence, such
  /// as `hide_device` of `mail.act.hide_device`. The words of the code of a `deletion` precede the reason.
  func decided(
    _ act: String, author: Int64?, device: (id: String, name: String)?, reason: String,
    deletion: String? = nil, _ connection: borrowing Connection
  ) throws {
    guard let author, let recipient = try store.recipient(author, connection) else { return }
    let code = deletion.map { sentence("mail.deletion.\($0)", recipient.locale) }
    try queue.add(
      OutgoingMail(
        to: recipient.email, language: recipient.locale, account: author,
        template: "moderation_decided",
        arguments: [
          "username": recipient.username,
          "decision": sentence("mail.act.\(act)", recipient.locale),
          "device": try device.map {
            try names.shown(of: $0.id, in: recipient.locale, connection) ?? $0.name
          } ?? "–",
          "reason": [code, reason].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n"),
        ], link: device.map { "/devices/\($0.id)" }), connection)
  }

  /// Notifies a person of a change to their account: `warned`, `suspended`, `unsuspended` or
  /// `role_changed`.
  package func tell(
    _ account: Int64, _ template: String, _ arguments: [String: String],
    _ connection: borrowing Connection
  ) throws {
    guard let recipient = try store.recipient(account, connection) else { return }
    var arguments = arguments
    arguments["username"] = recipient.username
    if let role = arguments["role"] {
      arguments["role"] = sentence("mail.role.\(role)", recipient.locale)
    }
    if arguments["until"] == "" {
      arguments["until"] = sentence("mail.until_further_notice", recipient.locale)
    }
    try queue.add(
      OutgoingMail(
        to: recipient.email, language: recipient.locale, account: account, template: template,
        arguments: arguments), connection)
  }

  private func sentence(_ key: String, _ language: String) -> String {
    catalogue.text(Message(key), in: language)
  }
}
