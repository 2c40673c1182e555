import PrivacyMap
import Secrets
import Service
import SpatialDatabase
import WebServer

/// Links with which an operator answers a letter without an account.
///
/// A link consists of the random name of a choice and a proof derived with a key of the instance, so that
/// the complete link exists only in the letter.
struct ReplyLinks: Sendable {
  let key: [UInt8]

  /// Days that a link stays valid when the operator has nothing more to answer. An objection of the person makes it
  /// valid again.
  static let daysAfterTheEnd = 90
  private static let purpose = "reply"

  /// The path of the link in a letter.
  func path(of choice: StoredChoice) -> String {
    "/reply#token=\(SealedName(choice.replyKey, for: Self.purpose, key: key).text)"
  }

  /// An invalid link: unknown, erased, expired, or not sent yet. The response does not reveal which.
  static let spent = Refusal(.notFound, "error.reply.spent", type: "token-spent")

  /// The choice that a link belongs to.
  ///
  /// - Throws: ``spent``.
  func choice(
    _ text: String, at now: Timestamp, in store: ChoiceStore, _ connection: borrowing Connection
  ) throws -> StoredChoice {
    guard let name = SealedName(text: text, for: Self.purpose, key: key),
      let found = try store.choice(repliedBy: name.name, connection), found.replyLink,
      found.ledger.state != .wanted
    else { throw Self.spent }
    let waits = found.ledger.state.followers.contains { $0.isOpen(to: .operator) }
    if !waits, let last = found.ledger.entries.last {
      guard now.day <= last.at.day.adding(days: Self.daysAfterTheEnd) else { throw Self.spent }
    }
    return found
  }
}
