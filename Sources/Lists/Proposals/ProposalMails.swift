import Accounts
import PrivacyMap
import Service
import SpatialDatabase

/// Notifies contributors of decisions on their proposals. The mails are queued in the transaction of the decision.
struct ProposalMails: Sendable {
  let queue: MailQueue
  let catalogue: Catalogue

  /// Queues the mail about a stored decision.
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

  private func tell(
    _ proposal: Proposal, _ outcome: String, reason: String?, _ connection: borrowing Connection
  ) throws {
    guard let account = proposal.account else { return }
    let words = Message(
      "mail.list.\(outcome)",
      [
        "accepted": "\(proposal.decision?.accepted ?? 0)", "devices": "\(proposal.counts.devices)",
      ])
    try queue.tell(account, .listDecided, link: "/lists/\(proposal.id)", connection) { language in
      [
        "file": proposal.file, "decision": catalogue.text(words, in: language),
        "reason": reason ?? "–",
      ]
    }
  }
}
