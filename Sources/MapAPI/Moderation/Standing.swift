import PrivacyMap
import SpatialDatabase

/// What becomes of the contributions of new accounts once they are accepted: they count.
///
/// A look accepts them. So does time, as an account must not stay new because nobody looks: a
/// contribution that has stood for a week without an open flag is accepted. A photo is not: it is shown
/// only once somebody has seen it.
struct Standing: Sendable {
  let cases: OpenCases
  let photos: PhotoStates
  let claims: ClaimCounts

  /// Seconds that a contribution stands before time accepts it.
  static let patience: Int64 = 7 * 86_400
  /// Reviews that time ends in one transaction.
  private static let batchSize = 200

  /// Makes reviews count as accepted; they are ended by ``OpenCases/end(_:as:by:_:)``.
  func accept(_ reviews: [OpenCases.Review], _ connection: borrowing Connection) throws {
    for review in reviews {
      switch review.kind {
      case .contribution:
        try connection.execute(
          "UPDATE account SET accepted_edits = accepted_edits + 1 WHERE rowid = ?",
          [SQLValue(review.account)])
      case .photo: if let photo = review.photo { try photos.publish(photo, connection) }
      case .verdict: if let verdict = review.verdict { try claims.count(verdict, connection) }
      }
    }
  }

  /// Takes back what ``accept(_:_:)`` did.
  func takeBack(_ reviews: [OpenCases.Review], _ connection: borrowing Connection) throws {
    for review in reviews {
      switch review.kind {
      case .contribution:
        try connection.execute(
          """
          UPDATE account SET accepted_edits = accepted_edits - 1
          WHERE rowid = ? AND accepted_edits > 0
          """, [SQLValue(review.account)])
      case .photo: if let photo = review.photo { try photos.set(photo, to: "waiting", connection) }
      case .verdict: if let verdict = review.verdict { try claims.uncount(verdict, connection) }
      }
    }
  }

  /// Accepts what has stood for long enough: contributions on devices without an open flag, and
  /// verdicts of people who are no longer new.
  ///
  /// - Returns: how many; a full batch means that more may wait.
  func acceptWhatStood(_ connection: borrowing Connection) throws -> Int {
    let now = cases.surroundings.now()
    let limit = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - Self.patience)
    let ids = try connection.rows(
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
      """, [.text(limit.text), .integer(Principal.acceptedEdits), SQLValue(Self.batchSize)]
    ) { $0.text(0) }
    let reviews = try ids.flatMap { try cases.reviews(.one(id: $0), connection) }
    try accept(reviews, connection)
    try cases.end(reviews, as: .accepted, by: nil, connection)
    return reviews.count
  }
}
