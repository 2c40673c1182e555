import Devices
import Accounts
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// An answer of an operator, read from a request body.
struct OperatorAnswer: Sendable {
  let event: LedgerEvent
  private let reason: String?
  private let note: String?

  static let members: Set<String> = ["event", "reason", "note"]
  static let events = LedgerEvent.allCases.filter { $0.isOpen(to: .operator) }

  /// - Returns: nil if a member is invalid, as noted in `body`.
  init?(_ body: inout RequestBody) {
    let event = body.code("event", Self.events.map(\.rawValue), isRequired: true)
    reason = body.text("reason", 1...100)
    note = body.text("note", 1...2_000, lines: true)
    guard let event = event.flatMap(LedgerEvent.init(rawValue:)) else { return nil }
    self.event = event
  }

  /// The ledger entry for the answer.
  ///
  /// - Throws: a 422 naming `reason` if a reason is required but missing, or not one provided by law.
  func entry(
    for choice: StoredChoice, through channel: RequestChannel, _ rights: RightsBook, now: Timestamp
  ) throws -> LedgerEntry {
    let codes = rights.reasons(of: event, for: choice.right)
    if codes.isEmpty ? reason != nil : !codes.contains(reason ?? "") {
      let message =
        reason.map { Message("error.unknown_code", ["value": PlainText.clipped($0)]) }
        ?? Message("error.reply.reason")
      throw InvalidInput([("reason", message)], status: .unprocessableContent)
    }
    // The person's last entry may be later than now, in a time zone where the day begins earlier.
    let at = choice.ledger.entries.last.map { max($0.at, now) } ?? now
    return LedgerEntry(
      event, at: at, by: .operator, note: note, reason: reason, channel: channel)
  }
}

extension Choices {
  /// Stores the answer of an operator and notifies the person.
  func take(
    _ answer: OperatorAnswer, to choice: StoredChoice, through channel: RequestChannel,
    _ connection: borrowing Connection
  ) throws -> StoredChoice {
    var choice = choice
    guard choice.ledger.state.followers.contains(answer.event) else {
      throw LedgerRefusal.transition.refusal(choice.ledger.state, answer.event)
    }
    let entry = try answer.entry(for: choice, through: channel, rights, now: now)
    try take(entry, into: &choice, connection)
    guard choice.reminders,
      let account = try AccountStore().account(choice.account, connection), account.isConfirmed
    else { return choice }
    try mails.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: MailTemplate.choiceAnswered.rawValue,
        arguments: [
          "username": account.username,
          "device": try names.shown(choice.device.named, in: account.locale, connection),
          "organisation": try requests.destination(of: choice, connection)?.details.name
            ?? choice.device.operatorName
            ?? catalogue.text(Message("mail.operator.unknown"), in: account.locale),
          "outcome": catalogue.text(
            Message("mail.answer.\(answer.event.rawValue)"), in: account.locale),
        ], link: "/choices/\(choice.id)"), connection)
    return choice
  }
}
