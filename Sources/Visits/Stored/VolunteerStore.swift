import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// The settings of a volunteer.
struct VolunteerSettings: Equatable, Sendable {
  var cell: VisitCell
  /// Kilometres.
  var radius = 3
  /// Categories; empty for any.
  var kinds: [String] = []
  var offersPerDay = 5
  var hours = VisitHours()
  var sendsMail = true
  /// Whether Farol may also offer devices without a request.
  var takesFound = false
  var isPaused = false

  /// The parts that are off, as in ``ErasureList/Kind/volunteerParts``.
  var off: String {
    [("found", !takesFound), ("mail", !sendsMail), ("offers", isPaused)].filter(\.1).map(\.0)
      .joined(separator: " ")
  }
}

/// A row of `visit_volunteer`.
struct StoredVolunteer: Sendable {
  let account: Int64
  let id: String
  let settings: VolunteerSettings
  let freeFrom: Timestamp?
  let freeUntil: Timestamp?
  let renewedAt: Timestamp

  func isAvailable(at now: Timestamp) -> Bool {
    guard let freeFrom, let freeUntil else { return false }
    return !settings.isPaused && freeFrom <= now && now < freeUntil
  }
}

/// The table `visit_volunteer`.
struct VolunteerStore: Sendable {
  let environment: Environment

  private var now: Timestamp { environment.now() }

  private static let columns = """
    account_rowid, id, cell, radius, kinds, offers_per_day, until, weekly, time_zone, mail, found,
    paused, free_from, free_until, renewed_at
    """

  func one(_ account: Int64, _ connection: borrowing Connection) throws -> StoredVolunteer? {
    try connection.first(
      "SELECT \(Self.columns) FROM visit_volunteer WHERE account_rowid = ?", [.integer(account)],
      decode: Self.volunteer) ?? nil
  }

  private static func volunteer(_ row: Row) -> StoredVolunteer? {
    func time(_ column: Int) -> Timestamp? {
      row.optionalText(column).flatMap { Timestamp(text: $0) }
    }
    guard let cell = VisitCell(text: row.text(2)) else { return nil }
    let hours = VisitHours(
      until: time(6), weekly: WeeklyHours.spans(stored: row.text(7)), timeZone: row.text(8))
    let settings = VolunteerSettings(
      cell: cell, radius: Int(row.int(3)), kinds: codes(row.text(4)),
      offersPerDay: Int(row.int(5)), hours: hours, sendsMail: row.bool(9),
      takesFound: row.bool(10), isPaused: row.bool(11))
    return StoredVolunteer(
      account: row.int(0), id: row.text(1), settings: settings, freeFrom: time(12),
      freeUntil: time(13), renewedAt: time(14) ?? Timestamp(secondsSinceEpoch: 0))
  }

  static func codes(_ json: String) -> [String] {
    let value = (try? JSONValue(parsing: Array(json.utf8))) ?? .null
    return value.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// Switches off the parts that a restored backup has switched on again.
  ///
  /// - Returns: whether one was on.
  func endPartsAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    let off = Set((entry.value ?? "").split(separator: " ").map(String.init))
    try connection.execute(
      """
      UPDATE visit_volunteer SET found = CASE WHEN ?2 = 1 THEN 0 ELSE found END,
        mail = CASE WHEN ?3 = 1 THEN 0 ELSE mail END,
        paused = CASE WHEN ?4 = 1 THEN 1 ELSE paused END
      WHERE id = ?1
        AND (?2 = 1 AND found = 1 OR ?3 = 1 AND mail = 1 OR ?4 = 1 AND paused = 0)
      """,
      [.text(entry.id)] + ["found", "mail", "offers"].map { SQLValue(off.contains($0)) })
    return connection.changedRowCount > 0
  }

  /// Stores the settings of a volunteer. A new one comes last in the queue.
  func put(
    _ settings: VolunteerSettings, of account: Int64, _ connection: borrowing Connection
  ) throws {
    if let known = try one(account, connection), known.settings.off != settings.off {
      try ErasureList.note(
        .volunteerParts, [known.id], value: settings.off, at: now, connection)
    }
    let window = settings.isPaused ? nil : settings.hours.window(at: now)
    try connection.execute(
      """
      INSERT INTO visit_volunteer (account_rowid, id, cell, cell_row, radius, kinds, offers_per_day,
        until, weekly, time_zone, mail, found, paused, turn, free_from, free_until, renewed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (\(Self.nextTurn)), ?, ?, ?)
      ON CONFLICT (account_rowid) DO UPDATE SET cell = excluded.cell, cell_row = excluded.cell_row,
        radius = excluded.radius, kinds = excluded.kinds, offers_per_day = excluded.offers_per_day,
        until = excluded.until, weekly = excluded.weekly, time_zone = excluded.time_zone,
        mail = excluded.mail, found = excluded.found, paused = excluded.paused,
        free_from = excluded.free_from, free_until = excluded.free_until,
        renewed_at = excluded.renewed_at
      """,
      [
        .integer(account), .text(environment.newDeviceID().text), .text(settings.cell.text),
        SQLValue(settings.cell.row), SQLValue(settings.radius),
        .text(JSONText.strings(settings.kinds)), SQLValue(settings.offersPerDay),
        SQLValue(settings.hours.until?.text), .text(WeeklyHours.stored(settings.hours.weekly)),
        .text(settings.hours.timeZone), SQLValue(settings.sendsMail),
        SQLValue(settings.takesFound), SQLValue(settings.isPaused), SQLValue(window?.from.text),
        SQLValue(window?.until.text), .text(now.text),
      ])
  }

  private static let nextTurn = "SELECT coalesce(max(turn), 0) + 1 FROM visit_volunteer"

  /// Moves a volunteer to the end of the queue of the zone.
  func moveToEnd(_ account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE visit_volunteer SET turn = (\(Self.nextTurn)) WHERE account_rowid = ?",
      [.integer(account)])
  }

  /// Records that a volunteer has answered or reported, which keeps the settings for another year.
  func renew(_ account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE visit_volunteer SET renewed_at = ? WHERE account_rowid = ?",
      [.text(now.text), .integer(account)])
  }

  func delete(_ account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "DELETE FROM visit_volunteer WHERE account_rowid = ?", [.integer(account)])
  }

  /// The volunteers whose time of availability has passed, with the next one; all of them if `everyone`.
  func windows(
    everyone: Bool, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [(account: Int64, window: VisitHours.Window?)] {
    try connection.rows(
      """
      SELECT \(Self.columns) FROM visit_volunteer
      WHERE account_rowid > ? AND paused = 0 AND (? = 1 OR free_until <= ?)
      ORDER BY account_rowid LIMIT ?
      """,
      [.integer(last), SQLValue(everyone), .text(now.text), SQLValue(limit)],
      decode: Self.volunteer
    ).compactMap { $0 }.map { ($0.account, $0.settings.hours.window(at: now)) }
  }

  func put(
    _ window: VisitHours.Window?, of account: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE visit_volunteer SET free_from = ?, free_until = ? WHERE account_rowid = ?",
      [SQLValue(window?.from.text), SQLValue(window?.until.text), .integer(account)])
  }

  /// Records that Farol has looked for a device for a volunteer.
  func noteFound(_ account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE visit_volunteer SET found_at = ? WHERE account_rowid = ?",
      [.text(now.text), .integer(account)])
  }
}
