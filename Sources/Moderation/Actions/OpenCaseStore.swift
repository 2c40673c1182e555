import Devices
import PrivacyMap
import SpatialDatabase

/// Open flags, reports and reviews, and closing them by a decision.
package struct OpenCaseStore: Sendable {
  /// The flags that a decision concerns.
  enum Flags {
    case of(Target)
    /// Flags on a device and on everything that belongs to it.
    case onDevice(Int64)
    case one(id: String)

    fileprivate var condition: (sql: String, arguments: [SQLValue]) {
      switch self {
      case .of(let target):
        (
          "flag.target_type = ? AND flag.target_id = ?",
          [.text(target.kind.rawValue), .text(target.id)]
        )
      case .onDevice(let rowid): ("flag.device_rowid = ?", [.integer(rowid)])
      case .one(let id): ("flag.id = ?", [.text(id)])
      }
    }
  }

  typealias Reviews = ReviewStore.Choice
  typealias Review = ReviewStore.Review

  let environment: Environment
  package let mails: ModerationMails

  /// Closes open flags and notifies the people who raised them.
  ///
  /// - Returns: the number of flags closed.
  @discardableResult
  func close(
    _ flags: Flags, as outcome: FlagOutcome, by act: ModerationActionRecord, actor: Int64,
    _ connection: borrowing Connection
  ) throws -> Int {
    let (condition, arguments) = flags.condition
    let open = try connection.rows(
      """
      SELECT flag.rowid, flag.account_rowid, flag.email, flag.locale, device.id
      FROM flag LEFT JOIN device ON device.rowid = flag.device_rowid
      WHERE \(condition) AND flag.outcome IS NULL
      """, arguments
    ) { row in
      ClosedFlag(
        rowid: row.int(0), account: row.optionalInt(1), email: row.optionalText(2),
        locale: row.text(3), deviceID: row.optionalText(4))
    }
    for flag in open {
      try connection.execute(
        "UPDATE flag SET outcome = ?, closed_at = ?, action_rowid = ? WHERE rowid = ?",
        [
          .text(outcome.rawValue), .text(environment.now().text), .integer(act.rowid),
          .integer(flag.rowid),
        ])
    }
    // The reason of a deletion is for moderators only, and the reason of a warning for the warned person.
    let isForOthers = act.action != .delete && act.target.kind != .account
    // The moderator who decides is not notified.
    try mails.answer(
      open.filter { $0.account != actor }, outcome, because: isForOthers ? act.reason : nil,
      connection)
    return open.count
  }

  func reviews(_ reviews: Reviews, _ connection: borrowing Connection) throws -> [Review] {
    try ReviewStore.reviews(reviews, connection)
  }

  /// Reviews closed by an action.
  func reviews(
    endedBy act: ModerationActionRecord, _ connection: borrowing Connection
  ) throws -> [Review] {
    try ReviewStore.reviews(closedBy: act.rowid, connection)
  }

  /// The ids of open reviews since a moment, oldest first: contributions on devices without an open flag,
  /// and verdicts of people who are no longer new.
  func reviews(
    openSince moment: Timestamp, limit: Int, _ connection: borrowing Connection
  ) throws -> [String] {
    try ReviewStore.mature(
      since: moment, limit: limit,
      unless: """
        EXISTS (SELECT 1 FROM flag
          WHERE flag.device_rowid = review.device_rowid AND flag.outcome IS NULL)
        """, connection)
  }

  /// The account that a flag is about.
  func flag(_ id: String, _ connection: borrowing Connection) throws -> (id: String, about: Int64?)?
  {
    try connection.first("SELECT about_rowid FROM flag WHERE id = ?", [.text(id)]) {
      (id, $0.optionalInt(0))
    }
  }

  /// Closes reviews; `act` is nil if they were accepted because of their age.
  func end(
    _ reviews: [Review], as outcome: ReviewOutcome, by act: ModerationActionRecord?,
    _ connection: borrowing Connection
  ) throws {
    try ReviewStore(environment: environment)
      .close(reviews.map(\.rowid), as: outcome.rawValue, by: act?.rowid, connection)
  }
}
