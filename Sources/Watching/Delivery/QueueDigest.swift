import Accounts
import Moderation
import Service
import SpatialDatabase

/// The digest of the moderation queue: how many items wait, and since when. It contains no details of the items.
struct QueueDigest: Sendable {
  let catalogue: Catalogue
  let pending: QueueStore

  /// The number of waiting items, and a line for each kind of them; nil if none waits, or if the account no longer
  /// moderates.
  func news(
    for account: StoredAccount, _ connection: borrowing Connection
  ) throws -> (count: Int, list: String)? {
    guard account.role >= .moderator else { return nil }
    let waiting = try pending.waiting(connection)
    let lines = QueueStore.Kind.allCases.compactMap { kind in
      waiting[kind].map { found in
        let values = ["count": "\(found.count)", "day": String(found.since.prefix(10))]
        let line = Message("mail.watch_queue.\(kind.rawValue)", values)
        return "• \(catalogue.text(line, in: account.locale))"
      }
    }
    let count = waiting.values.reduce(0) { $0 + Int($1.count) }
    return count > 0 ? (count, lines.joined(separator: "\n")) : nil
  }
}
