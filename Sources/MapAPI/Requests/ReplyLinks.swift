import PrivacyMap
import Secrets
import SpatialDatabase
import WebServer

/// Links by which an operator answers a letter without an account.
///
/// A link is made of a choice's random name and a proof that is derived with a key of the instance, so
/// that it stands nowhere but in the letter.
struct ReplyLinks: Sendable {
  let key: [UInt8]

  /// Days that a link works after the end of the ledger.
  static let daysAfterTheEnd = 90
  private static let purpose = "reply"

  /// The path of ours that a letter names.
  func path(of choice: StoredChoice) -> String {
    "/reply#token=\(SealedName(choice.replyKey, for: Self.purpose, key: key).text)"
  }

  /// What nobody can open: never given, erased, over, or not sent yet. Which of them is not told.
  static let spent = Refusal(.notFound, "error.reply.spent", type: "token-spent")

  /// The choice whose letter holds a link.
  ///
  /// - Throws: ``spent``.
  func choice(
    _ text: String, at now: Timestamp, in store: ChoiceStore, _ connection: borrowing Connection
  ) throws -> StoredChoice {
    guard let name = SealedName(text: text, for: Self.purpose, key: key),
      let found = try store.choice(repliedBy: name.name, connection), found.replyLink,
      found.ledger.state != .wanted
    else { throw Self.spent }
    if found.ledger.state.followers.isEmpty, let last = found.ledger.entries.last {
      guard now.day <= last.at.day.adding(days: Self.daysAfterTheEnd) else { throw Self.spent }
    }
    return found
  }
}
