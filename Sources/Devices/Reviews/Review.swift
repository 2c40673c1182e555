package import PrivacyMap
package import Service
package import SpatialDatabase

extension ReviewStore {
  /// The reviews that a decision concerns.
  package enum Choice {
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
  package struct Review: Sendable {
    /// The kind of contribution.
    package enum Kind: String, Sendable {
      case contribution, photo, verdict
    }

    package let rowid: Int64
    package let id: String
    package let kind: Kind
    package let device: Int64
    package let number: Int64?
    package let photo: Int64?
    package let verdict: Int64?
    package let account: Int64?
    package let isOpen: Bool

    fileprivate init(_ row: borrowing Row) {
      (rowid, id) = (row.int(0), row.text(1))
      kind = Kind(rawValue: row.text(2)) ?? .contribution
      (device, number, photo) = (row.int(3), row.optionalInt(4), row.optionalInt(5))
      (verdict, account, isOpen) = (row.optionalInt(6), row.optionalInt(7), row.bool(8))
    }
  }

  private static let selection = """
    SELECT rowid, id, kind, device_rowid, number, photo_rowid, verdict_rowid, account_rowid,
      outcome IS NULL
    FROM review
    """

  /// The open reviews as items of a queue: kind, type, id, urgency, time and count.
  package static let items =
    "SELECT kind, 'review', id, 0, created_at, 1 FROM review WHERE outcome IS NULL"

  /// The reviews that a decision concerns. Closed ones are included only if the decision names one by id.
  package static func reviews(
    _ choice: Choice, _ connection: borrowing Connection
  ) throws -> [Review] {
    let (condition, arguments) = choice.condition
    let isOne = if case .one = choice { true } else { false }
    return try connection.rows(
      "\(selection) WHERE \(condition) \(isOne ? "" : "AND outcome IS NULL") ORDER BY rowid",
      arguments, decode: Review.init)
  }

  /// Reviews closed by an action.
  package static func reviews(
    closedBy action: Int64, _ connection: borrowing Connection
  ) throws -> [Review] {
    try connection.rows(
      "\(selection) WHERE action_rowid = ?", [.integer(action)], decode: Review.init)
  }

  /// The ids of open reviews since a moment, oldest first: contributions, and verdicts of people who are no longer new;
  /// without reviews for which the condition `unless` is true.
  package static func mature(
    since moment: Timestamp, limit: Int, unless condition: String,
    _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      """
      SELECT review.id FROM review
      LEFT JOIN account ON account.rowid = review.account_rowid
      WHERE review.outcome IS NULL AND review.created_at <= ? AND (
        review.kind = 'contribution' OR
        (review.kind = 'verdict' AND account.accepted_edits >= ?))
        AND NOT \(condition)
      ORDER BY review.created_at LIMIT ?
      """, [.text(moment.text), .integer(Principal.acceptedEdits), SQLValue(limit)]
    ) { $0.text(0) }
  }

  /// The authors of the reviews that an action closed, for the action `?1`.
  package static let authors =
    "SELECT account_rowid FROM review WHERE action_rowid = ?1 AND account_rowid IS NOT NULL"

  /// Counts the open reviews of an account `?1`.
  package static let openCount =
    "SELECT count(*) FROM review WHERE account_rowid = ?1 AND outcome IS NULL"

  /// The list of reviews in the export of a person's data, pending or finished.
  package static let export = ExportSection(
    name: "reviews",
    sql: """
      SELECT review.rowid, review.kind, device.id, review.number, review.created_at, review.outcome,
        review.closed_at
      FROM review JOIN device ON device.rowid = review.device_rowid
      WHERE review.account_rowid = ? AND review.rowid > ? ORDER BY review.rowid LIMIT ?
      """, start: [0],
    members: [
      ("kind", .text), ("device", .text), ("revision", .number), ("created_at", .text),
      ("outcome", .text), ("closed_at", .text),
    ])
}
