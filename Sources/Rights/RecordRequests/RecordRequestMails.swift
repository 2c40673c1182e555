import PrivacyMap
import Service
import SpatialDatabase

/// The mails to both sides of a data request. They contain no text of the other side, which is shown
/// only on the page.
struct RecordRequestMails: Sendable {
  let queue: MailQueue

  /// The events, with their recipients.
  enum Event: String, CaseIterable, Sendable {
    /// To the recipient of a request: a person requests your records.
    case asked
    /// To the person who accepted: how to revoke the consent.
    case given
    case accepted, refused, lapsed, revoked
    /// The grant has expired, or one of the accounts was deleted.
    case ended
    /// To the recipient: the request was withdrawn.
    case withdrawn

    var template: MailTemplate {
      switch self {
      case .asked: .dataRequestAsked
      case .given: .dataRequestGiven
      case .accepted: .dataRequestAccepted
      case .refused: .dataRequestRefused
      case .lapsed: .dataRequestLapsed
      case .revoked: .dataRequestRevoked
      case .ended: .dataRequestEnded
      case .withdrawn: .dataRequestWithdrawn
      }
    }
  }

  /// Notifies one side of an action of the other or of an expiry. Deleted accounts get no mail.
  func tell(
    _ event: Event, _ reader: RecordRequest.Side?, about other: RecordRequest.Side?,
    _ connection: borrowing Connection
  ) throws {
    guard let reader else { return }
    try queue.add(
      OutgoingMail(
        to: reader.email, language: reader.locale, account: reader.rowid,
        template: event.template.rawValue,
        arguments: ["username": reader.username, "other": other?.name ?? "–"],
        link: "/data-requests"), connection)
  }
}
