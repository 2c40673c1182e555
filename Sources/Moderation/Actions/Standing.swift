import Accounts
import DevicePhotos
import Devices
import PrivacyMap
import SpatialDatabase

/// Decides when contributions of new accounts count.
///
/// A moderator accepts them. An account must not stay new because no moderator finds the time, so a
/// contribution that is a week old and has no open flag is accepted automatically. Photos are excluded: a
/// moderator must see each one before it is published.
struct Standing: Sendable {
  let cases: OpenCaseStore
  let photos: PhotoStates
  let claims: VerificationCounts

  /// Seconds after which a contribution is accepted automatically.
  static let acceptancePeriod: Int64 = Seconds.days(7)
  /// Reviews accepted per transaction.
  private static let batchSize = 200

  /// Makes reviews count as accepted; ``OpenCaseStore/end(_:as:by:_:)`` closes them.
  func accept(_ reviews: [OpenCaseStore.Review], _ connection: borrowing Connection) throws {
    for review in reviews {
      switch review.kind {
      case .contribution:
        try AccountStore().addAcceptedEdit(of: review.account, connection)
      case .photo: if let photo = review.photo { try photos.publish(photo, connection) }
      case .verdict: if let verdict = review.verdict { try claims.count(verdict, connection) }
      }
    }
  }

  /// Reverses the effects of ``accept(_:_:)``.
  func takeBack(_ reviews: [OpenCaseStore.Review], _ connection: borrowing Connection) throws {
    for review in reviews {
      switch review.kind {
      case .contribution:
        try AccountStore().removeAcceptedEdit(of: review.account, connection)
      case .photo: if let photo = review.photo { try photos.set(photo, to: "waiting", connection) }
      case .verdict: if let verdict = review.verdict { try claims.uncount(verdict, connection) }
      }
    }
  }

  /// Accepts items that have stood long enough: contributions on devices without an open flag, and verdicts of accounts
  /// that are no longer new.
  ///
  /// - Returns: the number accepted; a full batch means that more may wait.
  func acceptWhatStood(_ connection: borrowing Connection) throws -> Int {
    let now = cases.environment.now()
    let limit = now.later(-Self.acceptancePeriod)
    let ids = try cases.reviews(openSince: limit, limit: Self.batchSize, connection)
    let reviews = try ids.flatMap { try cases.reviews(.one(id: $0), connection) }
    try accept(reviews, connection)
    try cases.end(reviews, as: .accepted, by: nil, connection)
    return reviews.count
  }
}
