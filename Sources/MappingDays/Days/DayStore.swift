import JSON
import PrivacyMap
import Service
import SpatialDatabase
import Watching
import WebServer

/// The `mapping_day` table.
struct DayStore: Sendable {
  let environment: Environment

  /// The maximum number of days of an account that are not over.
  static let maximum: Int64 = 5

  private var now: String { environment.now().text }

  private static let columns = """
    mapping_day.rowid, mapping_day.id, mapping_day.account_rowid, account.username,
    mapping_day.title, mapping_day.purpose, mapping_day.area, mapping_day.meeting_longitude,
    mapping_day.meeting_latitude, mapping_day.meeting_words, mapping_day.starts_at,
    mapping_day.ends_at, mapping_day.time_zone, mapping_day.maximum, mapping_day.kinds,
    mapping_day.languages, mapping_day.state, mapping_day.reason, mapping_day.created_at,
    mapping_day.changed_at, mapping_day.mails, mapping_day.tagged_through,
    mapping_day.devices_before, mapping_day.devices_after, mapping_day.teams
    """
  private static let tables =
    "mapping_day LEFT JOIN account ON account.rowid = mapping_day.account_rowid"

  private static func day(_ row: Row) -> MappingDay? {
    func value(_ column: Int) -> JSONValue {
      (try? JSONValue(parsing: Array(row.text(column).utf8))) ?? .null
    }
    func texts(_ column: Int) -> [String] {
      value(column).arrayValue?.compactMap(\.stringValue) ?? []
    }
    guard let area = DrawnPolygon(stored: value(6)), let state = DayState(rawValue: row.text(16)),
      let start = Timestamp(text: row.text(10)), let end = Timestamp(text: row.text(11))
    else { return nil }
    let meeting =
      row.isNull(7)
      ? nil
      : DayPlan.MeetingPoint(
        point: .clamped(longitude: row.double(7), latitude: row.double(8)),
        words: row.optionalText(9))
    return MappingDay(
      rowid: row.int(0), id: row.text(1), organiser: row.optionalInt(2),
      organiserName: row.optionalText(3),
      plan: DayPlan(
        title: row.text(4), purpose: row.text(5), area: area, meeting: meeting, start: start,
        end: end, zone: row.text(12), maximum: Int(row.int(13)), kinds: texts(14),
        languages: texts(15), teams: texts(24)),
      state: state, reason: row.optionalText(17), createdAt: row.text(18),
      changedAt: row.text(19), mails: row.int(20), taggedThrough: row.int(21),
      devicesBefore: row.optionalInt(22), devicesAfter: row.optionalInt(23))
  }

  /// - Throws: ``MappingDay/notThere`` if there is no such day, or if the caller may not know of it.
  func one(
    _ id: String, for caller: Caller, _ connection: borrowing Connection
  ) throws -> MappingDay {
    guard let day = try one(id, connection), day.isVisible(to: caller) else {
      throw MappingDay.notThere
    }
    return day
  }

  /// The day of an organiser.
  ///
  /// - Throws: ``MappingDay/notThere`` for a day that others do not see, and a 403 for a public day of another account.
  func own(
    _ id: String, of caller: Caller, _ connection: borrowing Connection
  ) throws -> MappingDay {
    let day = try one(id, for: caller, connection)
    guard day.isOwn(caller) else {
      throw day.state.isPublic
        ? Refusal(.forbidden, "error.mapping_day.not_organiser") : MappingDay.notThere
    }
    return day
  }

  func one(_ id: String, _ connection: borrowing Connection) throws -> MappingDay? {
    let key = DeviceID(text: id)?.text ?? id
    return try connection.first(
      "SELECT \(Self.columns) FROM \(Self.tables) WHERE mapping_day.id = ?", [.text(key)],
      decode: Self.day) ?? nil
  }

  func one(row: Int64, _ connection: borrowing Connection) throws -> MappingDay? {
    try connection.first(
      "SELECT \(Self.columns) FROM \(Self.tables) WHERE mapping_day.rowid = ?", [.integer(row)],
      decode: Self.day) ?? nil
  }

  /// The days in a state: `after` is the row of the last one of the page before. Those that are over come latest first.
  func all(
    in state: DayState, after place: (start: String, row: Int64)?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [MappingDay] {
    let isLatestFirst = state == .over
    var arguments = [SQLValue.text(state.rawValue)]
    if let place { arguments += [.text(place.start), .integer(place.row)] }
    return try connection.rows(
      Self.page(latestFirst: isLatestFirst, isFirst: place == nil), arguments + [SQLValue(limit)],
      decode: Self.day
    ).compactMap { $0 }
  }

  static func page(latestFirst: Bool, isFirst: Bool) -> String {
    let (order, sign) = latestFirst ? (" DESC", "<") : ("", ">")
    return """
      SELECT \(columns) FROM \(tables) WHERE mapping_day.state = ?
      \(isFirst ? "" : "AND (mapping_day.starts_at, mapping_day.rowid) \(sign) (?, ?)")
      ORDER BY mapping_day.starts_at\(order), mapping_day.rowid\(order) LIMIT ?
      """
  }

  /// The days that an account planned, latest first.
  func planned(by account: Int64, _ connection: borrowing Connection) throws -> [MappingDay] {
    try connection.rows(
      """
      SELECT \(Self.columns) FROM \(Self.tables) WHERE mapping_day.account_rowid = ?
      ORDER BY mapping_day.rowid DESC LIMIT 100
      """, [.integer(account)], decode: Self.day
    ).compactMap { $0 }
  }

  /// The days in which an account takes part, latest first.
  func joined(by account: Int64, _ connection: borrowing Connection) throws -> [MappingDay] {
    try connection.rows(
      """
      SELECT \(Self.columns) FROM mapping_day_participant
      JOIN mapping_day ON mapping_day.rowid = mapping_day_participant.day_rowid
      LEFT JOIN account ON account.rowid = mapping_day.account_rowid
      WHERE mapping_day_participant.account_rowid = ?
      ORDER BY mapping_day_participant.rowid DESC LIMIT 100
      """, [.integer(account)], decode: Self.day
    ).compactMap { $0 }
  }

  /// - Throws: a 409 ``Refusal`` if the account has as many days as it may.
  func add(
    _ plan: DayPlan, of account: Int64, _ connection: borrowing Connection
  ) throws -> MappingDay? {
    let open = try connection.integer(
      """
      SELECT count(*) FROM mapping_day WHERE account_rowid = ?
        AND state NOT IN ('over', 'cancelled')
      """, [.integer(account)])
    guard open ?? 0 < Self.maximum else {
      throw Refusal(
        .conflict, "error.mapping_day.too_many", ["maximum": "\(Self.maximum)"],
        type: "too-many-mapping-days")
    }
    let id = environment.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO mapping_day (id, account_rowid, title, purpose, area, meeting_longitude,
        meeting_latitude, meeting_words, starts_at, ends_at, time_zone, maximum, kinds, languages,
        teams, state, created_at, changed_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'draft', ?, ?)
      """,
      [.text(id), .integer(account)] + Self.values(plan) + [.text(now), .text(now)])
    return try one(id, connection)
  }

  func put(_ plan: DayPlan, of day: MappingDay, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE mapping_day SET title = ?, purpose = ?, area = ?, meeting_longitude = ?,
        meeting_latitude = ?, meeting_words = ?, starts_at = ?, ends_at = ?, time_zone = ?,
        maximum = ?, kinds = ?, languages = ?, teams = ?, changed_at = ?
      WHERE rowid = ?
      """, Self.values(plan) + [.text(now), .integer(day.rowid)])
  }

  private static func values(_ plan: DayPlan) -> [SQLValue] {
    [
      .text(plan.title), .text(plan.purpose), .text(plan.area.json.text),
      SQLValue(plan.meeting?.point.longitude), SQLValue(plan.meeting?.point.latitude),
      SQLValue(plan.meeting?.words), .text(plan.start.text), .text(plan.end.text),
      .text(plan.zone), SQLValue(plan.maximum), .text(JSONText.strings(plan.kinds)),
      .text(JSONText.strings(plan.languages)), .text(JSONText.strings(plan.teams)),
    ]
  }

  /// Stores the state after an event. A new reason replaces the old one.
  ///
  /// - Throws: a 409 ``Refusal`` if the event is not possible in the state of the day, or not for the actor.
  func apply(
    _ event: DayEvent, to day: MappingDay, by actor: DayEvent.Actor, reason: String? = nil,
    _ connection: borrowing Connection
  ) throws {
    guard event.isOpen(to: actor), let next = day.state.after(event) else {
      throw Refusal(
        .conflict, "error.mapping_day.state", type: "transition",
        members: [
          ("state", .string(day.state.rawValue)), ("event", .string(event.rawValue)),
        ])
    }
    try connection.execute(
      "UPDATE mapping_day SET state = ?, reason = ?, changed_at = ? WHERE rowid = ?",
      [.text(next.rawValue), SQLValue(reason), .text(now), .integer(day.rowid)])
    if event == .cancel {
      try ErasureList.note(
        .mappingDayState, [day.id], value: next.rawValue, at: environment.now(), connection)
    }
    if day.state.isPublic || next.isPublic {
      try PublicChanges.note(connection, at: environment.now())
    }
  }

  func delete(_ day: MappingDay, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM mapping_day WHERE rowid = ?", [.integer(day.rowid)])
    try ErasureList.note(.mappingDay, [day.id], at: environment.now(), connection)
  }

  /// The rows of days in a state whose start, or end, has come.
  func due(
    _ state: DayState, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try connection.rows(
      state == .running ? Self.ending : Self.starting, [.text(state.rawValue), .text(now)]
    ) { $0.int(0) }
  }

  static let starting = """
    SELECT rowid FROM mapping_day WHERE state = ? AND starts_at <= ? ORDER BY starts_at LIMIT 20
    """
  static let ending = """
    SELECT rowid FROM mapping_day WHERE state = ? AND ends_at <= ? ORDER BY starts_at LIMIT 20
    """

  func running(_ connection: borrowing Connection) throws -> [MappingDay] {
    try connection.rows(
      "SELECT \(Self.columns) FROM \(Self.tables) WHERE mapping_day.state = 'running'", [],
      decode: Self.day
    ).compactMap { $0 }
  }

  /// Counts one mail of the organiser.
  func countMail(of day: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE mapping_day SET mails = mails + 1 WHERE rowid = ?", [.integer(day)])
  }
}
