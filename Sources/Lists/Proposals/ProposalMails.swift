import Accounts
import PrivacyMap
import Service
import SpatialDatabase

/// Tells contributors about decisions on their proposals, queued in the transaction of the decision.
struct ProposalMails: Sendable {
  let queue: MailQueue
  let catalogue: Catalogue

  /// Tells the result of a decision that is stored.
  func decided(_ id: String, _ connection: borrowing Connection) throws {
    guard let proposal = try ProposalStore().one(id, connection), let decision = proposal.decision
    else { return }
    let whole = decision.accepted == Int64(proposal.counts.devices)
    let key = decision.accepted == 0 ? "refused" : whole ? "accepted" : "part"
    try tell(proposal, key, reason: decision.reason, connection)
  }

  func undone(
    _ proposal: Proposal, reason: String, _ connection: borrowing Connection
  ) throws {
    try tell(proposal, "undone", reason: reason, connection)
  }

  /// Accounts without a confirmed address get no mail.
  private func tell(
    _ proposal: Proposal, _ outcome: String, reason: String?, _ connection: borrowing Connection
  ) throws {
    guard let account = proposal.account,
      let recipient = try AccountStore().account(account, connection), recipient.isConfirmed
    else { return }
    let words = catalogue.text(
      Message(
        "mail.list.\(outcome)",
        [
          "accepted": "\(proposal.decision?.accepted ?? 0)",
          "devices": "\(proposal.counts.devices)",
        ]), in: recipient.locale)
    try queue.add(
      OutgoingMail(
        to: recipient.email, language: recipient.locale, account: account,
        template: MailTemplate.listDecided.rawValue,
        arguments: [
          "username": recipient.username, "file": proposal.file, "decision": words,
          "reason": reason ?? "–",
        ], link: "/lists/\(proposal.id)"), connection)
  }
}
