import PrivacyMap
import Service
import Watching

/// The plan of a mapping day.
struct DayPlan: Sendable {
  /// A public place at which people meet.
  struct MeetingPoint: Equatable, Sendable {
    let point: Coordinate
    /// Such as “in front of the library”.
    let words: String?
  }

  var title, purpose: String
  var area: DrawnPolygon
  var meeting: MeetingPoint?
  var start, end: Timestamp
  /// A name of the IANA time zone database.
  var zone: String
  /// The maximum number of participants.
  var maximum: Int
  /// The categories in focus; empty for all.
  var kinds: [String]
  /// The languages that are spoken, as codes.
  var languages: [String]
  /// The names of the teams that participants may choose; empty for none.
  var teams: [String] = []

  static let titles = 3...100
  static let purposes = 10...2_000
  static let meetingWords = 1...200
  /// The largest number of participants of a day.
  static let maxParticipants = 500
  static let maxTeams = 10
  /// The length of the name of a team.
  static let teamNames = 1...40
  /// The languages that a plan can name (ISO 639-1).
  static let knownLanguages = [
    "en", "pt", "ar", "bg", "ca", "cs", "da", "de", "el", "es", "et", "fa", "fi", "fr", "ga", "he",
    "hi", "hr", "hu", "it", "ja", "ko", "lt", "lv", "mt", "nl", "no", "pl", "ro", "ru", "sk", "sl",
    "sv", "tr", "uk", "zh",
  ]
}

/// A mapping day as stored.
struct MappingDay: Sendable {
  let rowid: Int64
  let id: String
  /// Nil if its organiser has deleted the account.
  let organiser: Int64?
  let organiserName: String?
  var plan: DayPlan
  let state: DayState
  let reason: String?
  let createdAt, changedAt: String
  /// The mails that its organiser has sent.
  let mails: Int64
  let taggedThrough: Int64
  let devicesBefore, devicesAfter: Int64?

  /// The maximum number of mails from an organiser to the participants.
  static let maxMails: Int64 = 3
  static let notThere = NotFound(Message("error.not_found.mapping_day"))

  var path: String { "/mapping-days/\(id)" }

  /// Whether a caller knows of it.
  func isVisible(to caller: Caller) -> Bool {
    state.isPublic || isOwn(caller) || state == .waiting && caller.principal?.moderates == true
  }

  func isOwn(_ caller: Caller) -> Bool {
    guard let organiser, let principal = caller.principal else { return false }
    // A day that is not public yet is the business of its organiser's browser.
    return principal.account == organiser && principal.has(.read)
  }
}

/// The kind of a participant's contribution to a device.
enum ContributionKind: String, CaseIterable, Sendable {
  case added, confirmed, photographed, corrected
}
