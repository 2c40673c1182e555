import Accounts
import PrivacyMap
import Service
import SpatialDatabase

/// The mails of mapping days. Each is queued in the transaction that records it, so it is sent once. Addresses stay
/// hidden: Farol sends one mail to each person.
struct DayMails: Sendable {
  let environment: Environment
  /// The words of decisions.
  let catalogue: Catalogue
  let days: DayStore
  let participants: ParticipantStore
  let contributions: ContributionStore

  enum Kind: String, Sendable { case message, cancelled, thanks }

  /// Mails in a transaction, so that other writes do not wait long.
  static let portion = 50

  /// Mails the decision about a day to its organiser.
  func decided(
    _ day: MappingDay, _ decision: DayEvent, reason: String?, _ connection: borrowing Connection
  ) throws {
    try Self.tell(day.organiser, .mappingDayDecided, day, at: environment.now(), connection) {
      language in
      [
        "decision": catalogue.text(
          Message("mail.mapping_day.\(decision.rawValue)"), in: language),
        "reason": reason ?? "–",
      ]
    }
  }

  /// The reason given for a day without a decision in time, in the language of its organiser.
  func lapsed(_ day: MappingDay, _ connection: borrowing Connection) throws -> String {
    let organiser = try day.organiser.flatMap { try AccountStore().account($0, connection) }
    return catalogue.text(Message("mail.mapping_day.too_late"), in: organiser?.locale ?? "en")
  }

  /// Mails a person on the waiting list that they have a place.
  static func movedUp(
    _ one: ParticipantStore.Participation, _ day: MappingDay, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try tell(one.account, .mappingDayPromoted, day, at: now, connection) { _ in [:] }
  }

  /// Plans a mail to all participants. The worker queues it in portions.
  static func plan(
    _ kind: Kind, to day: Int64, text: String? = nil, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO mapping_day_mail (day_rowid, kind, text, made_at) VALUES (?, ?, ?, ?)",
      [
        .integer(day), .text(kind.rawValue), SQLValue(text), .text(now.text),
      ])
  }

  /// The first mail that is not queued to all participants yet.
  static let first = """
    SELECT rowid, day_rowid, kind, text, mailed_through FROM mapping_day_mail ORDER BY rowid LIMIT 1
    """

  /// Queues the next portion of the planned mails.
  ///
  /// - Returns: whether there was one.
  func queueNext(_ connection: borrowing Connection) throws -> Bool {
    let planned = try connection.first(Self.first) { row in
      (
        row: row.int(0), day: row.int(1), kind: Kind(rawValue: row.text(2)) ?? .message,
        text: row.optionalText(3), through: row.int(4)
      )
    }
    guard let planned else { return false }
    let page = try participants.page(
      of: planned.day, after: planned.through, all: planned.kind == .cancelled,
      limit: Self.portion, connection)
    if let day = try days.one(row: planned.day, connection) {
      let figures =
        planned.kind == .thanks ? try contributions.figures(of: day, connection) : nil
      for one in page {
        try Self.tell(
          one.account, Self.template(planned.kind), day, at: environment.now(), connection
        ) { _ in
          values(planned.kind, day, planned.text, figures)
        }
      }
    }
    if page.count == Self.portion, let last = page.last {
      try connection.execute(
        "UPDATE mapping_day_mail SET mailed_through = ? WHERE rowid = ?",
        [.integer(last.rowid), .integer(planned.row)])
    } else {
      try connection.execute(
        "DELETE FROM mapping_day_mail WHERE rowid = ?", [.integer(planned.row)])
    }
    return true
  }

  private static func template(_ kind: Kind) -> MailTemplate {
    switch kind {
    case .message: .mappingDayMessage
    case .cancelled: .mappingDayCancelled
    case .thanks: .mappingDayThanks
    }
  }

  private func values(
    _ kind: Kind, _ day: MappingDay, _ text: String?, _ figures: ContributionStore.Figures?
  ) -> [String: String] {
    switch kind {
    case .message: ["text": text ?? "", "sender": day.organiserName ?? "–"]
    case .cancelled: ["reason": day.reason ?? "–"]
    case .thanks:
      Dictionary(
        uniqueKeysWithValues: [ContributionKind.added, .confirmed, .photographed].map {
          ($0.rawValue, "\(figures?.byKind[$0.rawValue] ?? 0)")
        })
    }
  }

  private static func tell(
    _ account: Int64?, _ template: MailTemplate, _ day: MappingDay, at now: Timestamp,
    _ connection: borrowing Connection, _ values: (_ language: String) -> [String: String]
  ) throws {
    guard let account else { return }
    try MailQueue(now: { now }).tell(account, template, link: day.path, connection) { language in
      values(language).merging(["event": day.plan.title]) { $1 }
    }
  }
}
