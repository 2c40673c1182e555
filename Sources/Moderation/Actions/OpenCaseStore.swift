import PrivacyMap
import Service
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

  /// The reviews that a decision concerns.
  enum Reviews {
    case one(id: String)
    case ofRevision(device: Int64, number: Int64)
    case ofPhoto(Int64)
    case onDevice(Int64)
    case by(account: Int64)

    fileprivate var condition: (sql: String, arguments: [SQLValue]) {
      switch self {
      case .one(let id): ("id = ?", [.text(id)])
      case .ofRevision(let device, let number):
        (
          "device_rowid = ? AND number = ? AND kind = 'contribution'",
          [.integer(device), .integer(number)]
        )
      case .ofPhoto(let photo): ("photo_rowid = ?", [.integer(photo)])
      case .onDevice(let device): ("device_rowid = ?", [.integer(device)])
      case .by(let account): ("account_rowid = ?", [.integer(account)])
      }
    }
  }

  /// A contribution of a new account that waits for review.
  struct Review: Sendable {
    /// The kind of contribution.
    enum Kind: String, Sendable {
      case contribution, photo, verdict
    }

    let rowid: Int64
    let id: String
    let kind: Kind
    let device: Int64
    let number: Int64?
    let photo: Int64?
    let verdict: Int64?
    let account: Int64?
    let isOpen: Bool
  }

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

  /// The reviews that a decision concerns. Closed ones are included only if the decision names one by id.
  func reviews(_ reviews: Reviews, _ connection: borrowing Connection) throws -> [Review] {
    let (condition, arguments) = reviews.condition
    let isOne = if case .one = reviews { true } else { false }
    return try connection.rows(
      """
      SELECT rowid, id, kind, device_rowid, number, photo_rowid, verdict_rowid, account_rowid,
        outcome IS NULL
      FROM review WHERE \(condition) \(isOne ? "" : "AND outcome IS NULL") ORDER BY rowid
      """, arguments, decode: Self.review)
  }

  /// Reviews closed by an action.
  func reviews(
    endedBy act: ModerationActionRecord, _ connection: borrowing Connection
  ) throws -> [Review] {
    try connection.rows(
      """
      SELECT rowid, id, kind, device_rowid, number, photo_rowid, verdict_rowid, account_rowid,
        outcome IS NULL
      FROM review WHERE action_rowid = ?
      """, [.integer(act.rowid)], decode: Self.review)
  }

  /// The ids of open reviews since a moment, oldest first: contributions on devices without an open flag,
  /// and verdicts of people who are no longer new.
  func reviews(
    openSince moment: Timestamp, limit: Int, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      """
      SELECT review.id FROM review
      LEFT JOIN account ON account.rowid = review.account_rowid
      WHERE review.outcome IS NULL AND review.created_at <= ? AND (
        review.kind = 'contribution' OR
        (review.kind = 'verdict' AND account.accepted_edits >= ?))
        AND NOT EXISTS (
          SELECT 1 FROM flag
          WHERE flag.device_rowid = review.device_rowid AND flag.outcome IS NULL)
      ORDER BY review.created_at LIMIT ?
      """, [.text(moment.text), .integer(Principal.acceptedEdits), SQLValue(limit)]
    ) { $0.text(0) }
  }

  /// The account that a flag is about.
  func flag(_ id: String, _ connection: borrowing Connection) throws -> (id: String, about: Int64?)?
  {
    try connection.first("SELECT about_rowid FROM flag WHERE id = ?", [.text(id)]) {
      (id, $0.optionalInt(0))
    }
  }

  private static func review(_ row: Row) -> Review {
    Review(
      rowid: row.int(0), id: row.text(1), kind: Review.Kind(rawValue: row.text(2)) ?? .contribution,
      device: row.int(3), number: row.optionalInt(4), photo: row.optionalInt(5),
      verdict: row.optionalInt(6), account: row.optionalInt(7), isOpen: row.bool(8))
  }

  /// Closes reviews; `act` is nil if they were accepted because of their age.
  func end(
    _ reviews: [Review], as outcome: ReviewOutcome, by act: ModerationActionRecord?,
    _ connection: borrowing Connection
  ) throws {
    for review in reviews {
      try connection.execute(
        "UPDATE review SET outcome = ?, closed_at = ?, action_rowid = ? WHERE rowid = ?",
        [
          .text(outcome.rawValue), .text(environment.now().text), SQLValue(act?.rowid),
          .integer(review.rowid),
        ])
    }
  }
}
