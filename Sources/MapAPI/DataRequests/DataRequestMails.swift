import PrivacyMap
import SpatialDatabase

/// The mails that both sides of a request get. None carries words of the other: those are read on the
/// page.
struct DataRequestMails: Sendable {
  let queue: MailQueue

  /// What happened, and to whom it is told.
  enum Event: String, CaseIterable, Sendable {
    /// Somebody asks for your records.
    case asked
    /// You have said yes: how to take it back.
    case given
    case accepted, refused, lapsed, revoked
    /// The time of a yes is over, or one of the two has gone.
    case ended
    /// Who asked does not want it any more.
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

  /// Tells one side of what the other, or time, has done; nobody where that side has gone.
  func tell(
    _ event: Event, _ reader: DataRequest.Side?, about other: DataRequest.Side?,
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
