import Accounts
import Devices
import Mail
import PrivacyMap
import Service
import SpatialDatabase

/// Mails about a choice to the organisation that received its request.
extension Choices {
  /// Queues a mail to an organisation. A request contains a name and an address, so it is mailed only to a verified
  /// address; without one it waits in the inbox. The waiting mail is deleted if the person's account is deleted.
  ///
  /// `arguments` are the values for a language, without the names of both sides.
  func mail(
    _ template: MailTemplate, to organisation: Organisation, about choice: StoredChoice,
    _ connection: borrowing Connection, arguments: (_ language: String) -> [String: String]
  ) throws {
    guard let speaker = try AccountStore().account(organisation.account, connection) else { return }
    let proven = organisation.lettersAddress?.text ?? (speaker.isConfirmed ? speaker.email : nil)
    guard let proven else { return }
    let request = try requests.request(ofChoice: choice.rowid, connection)
    let sides = [
      "device": try names.shown(choice.device.named, in: speaker.locale, connection),
      "organisation": organisation.details.name,
    ]
    try mails.add(
      OutgoingMail(
        to: proven, language: speaker.locale, account: choice.account, template: template.rawValue,
        arguments: arguments(speaker.locale).merging(sides) { $1 },
        link: choice.replyLink
          ? replies.path(of: choice) : "/operator/requests/\(request?.id ?? "")"), connection)
  }

  /// Notifies the organisation that received a request through Farol that the person does not regard it as done.
  func mailObjection(
    _ entry: LedgerEntry, to choice: StoredChoice, _ connection: borrowing Connection
  ) throws {
    // A person who enters both sides in turn cannot send mails with them.
    guard let claim = choice.ledger.entries.last(where: { $0.event == .honoured }),
      claim.by == .operator,
      let organisation = try requests.destination(of: choice, connection)
    else { return }
    try mail(.operatorContested, to: organisation, about: choice, connection) { language in
      [
        "day": catalogue.written(claim.at.day, in: language), "reason": entry.reason ?? "–",
      ]
    }
  }
}
