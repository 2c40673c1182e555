import JSON

/// A kind of change.
enum WatchEvent: String, CaseIterable, Sendable {
  /// A device is new in the area, or now matches the filter.
  case added
  case changed
  case disputed
  case confirmed
  /// It left the map, the area or the filter.
  case removed
  /// The registered operator of a device published a statement.
  case statement
  /// New figures about requests to the operator of a device.
  case outcome

  /// The event of a test delivery, which no watch selects.
  static let test = "test"
}

/// When a watch sends mails.
enum WatchMail: String, CaseIterable, Sendable {
  case none
  case atOnce = "at_once"
  case daily, weekly
}

/// The settings of a watch.
struct WatchSettings: Sendable {
  var label: String
  var area: WatchArea
  /// Query parameters of lists, each a text or a list of texts.
  var filter: JSONObject
  var events: [WatchEvent]
  /// The properties whose changes count as ``WatchEvent/changed``; empty for any.
  var properties: [String]
  var mail: WatchMail
  /// The local time of a digest: an hour of ``timeZone``, and for weekly digests a day, where 1 is Monday.
  var hour: Int
  var weekday: Int
  /// A name of the IANA time zone database.
  var timeZone: String
  var isPaused: Bool
  var hasFeed: Bool
  /// An https address; nil for none.
  var webhook: String?

  /// The parts that are off, in the order of the alphabet.
  var off: [String] {
    (hasFeed ? [] : ["feed"]) + (mail == .none ? ["mail"] : [])
      + (isPaused ? ["matching"] : []) + (webhook == nil ? ["webhook"] : [])
  }

  /// Whether the watch sends only daily or weekly mails about everything.
  var isDigestOnly: Bool {
    mail != .atOnce && !hasFeed && webhook == nil && filter.members.isEmpty
  }
}

/// A watch as stored.
struct StoredWatch: Sendable {
  let rowid: Int64
  let id: String
  let account: Int64
  var settings: WatchSettings
  let keys: WatchKeys
  let createdAt: String
  let renewedAt: String
  /// Nil unless the webhook was switched off because it did not answer.
  let webhookEndedAt: String?
  /// Nil unless the watch was set aside, because its filter could not be evaluated.
  let failedAt: String?
  /// Nil until the server of the webhook has met the challenge (``WebhookChallenge``).
  let webhookProvenAt: String?
  /// Only changes after this number match.
  let since: Int64
}

/// The random parts of the secrets of a watch.
struct WatchKeys: Sendable {
  let mail: [UInt8]
  let feed: [UInt8]?
  let webhook: [UInt8]?
}
