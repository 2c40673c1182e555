import PrivacyMap
import Service
import SpatialDatabase

/// The `mapping_day_participant` table.
struct ParticipantStore: Sendable {
  let environment: Environment

  enum Place: String, Sendable { case joined, waiting }

  /// The values of ``ErasureList/Kind/participationName``.
  static let (shown, hidden) = ("shown", "hidden")

  /// The part of an account in a day.
  struct Participation: Sendable {
    let rowid: Int64
    let id: String
    let account: Int64
    let place: Place
    let showsName: Bool
    /// The name of the team; nil for none.
    let team: String?
  }

  struct Counts: Sendable {
    var joined: Int64 = 0
    var waiting: Int64 = 0
  }

  private static let columns = "rowid, id, account_rowid, state, shows_name, team"

  private static func participation(_ row: Row) -> Participation {
    Participation(
      rowid: row.int(0), id: row.text(1), account: row.int(2),
      place: Place(rawValue: row.text(3)) ?? .waiting, showsName: row.bool(4),
      team: row.optionalText(5))
  }

  func one(
    of account: Int64, in day: Int64, _ connection: borrowing Connection
  ) throws -> Participation? {
    try connection.first(
      """
      SELECT \(Self.columns) FROM mapping_day_participant
      WHERE day_rowid = ? AND account_rowid = ?
      """, [.integer(day), .integer(account)], decode: Self.participation)
  }

  func counts(of day: Int64, _ connection: borrowing Connection) throws -> Counts {
    var counts = Counts()
    try connection.forEach(
      "SELECT state, count(*) FROM mapping_day_participant WHERE day_rowid = ? GROUP BY state",
      [.integer(day)]
    ) { row in
      switch Place(rawValue: row.text(0)) {
      case .joined: counts.joined = row.int(1)
      case .waiting, nil: counts.waiting = row.int(1)
      }
    }
    return counts
  }

  /// The numbers of people with a place in each team.
  func teams(of day: Int64, _ connection: borrowing Connection) throws -> [String: Int64] {
    var teams: [String: Int64] = [:]
    try connection.forEach(
      """
      SELECT team, count(*) FROM mapping_day_participant
      WHERE day_rowid = ? AND state = 'joined' AND team IS NOT NULL GROUP BY team
      """, [.integer(day)]
    ) { teams[$0.text(0)] = $0.int(1) }
    return teams
  }

  /// The names of participants who have a place and agree to be named, in alphabetical order.
  func names(of day: Int64, _ connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      """
      SELECT account.username FROM mapping_day_participant
      JOIN account ON account.rowid = mapping_day_participant.account_rowid
      WHERE day_rowid = ? AND state = 'joined' AND shows_name = 1 AND account.confirmed_at IS NOT NULL
      ORDER BY account.username
      """, [.integer(day)]
    ) { $0.text(0) }
  }

  /// The number of people before someone on the waiting list, and themselves.
  func position(
    of one: Participation, in day: Int64, _ connection: borrowing Connection
  ) throws -> Int64? {
    guard one.place == .waiting else { return nil }
    return try connection.integer(
      """
      SELECT count(*) FROM mapping_day_participant
      WHERE day_rowid = ? AND state = 'waiting' AND rowid <= ?
      """, [.integer(day), .integer(one.rowid)])
  }

  /// Gives an account a place, or puts it on the waiting list if the day is full. A second call only changes the team
  /// and whether the name is shown. Writes run one after the other, so two people who join at once do not get the same
  /// place.
  func join(
    _ day: MappingDay, _ account: Int64, showsName: Bool, team: String? = nil,
    _ connection: borrowing Connection
  ) throws {
    if let known = try one(of: account, in: day.rowid, connection) {
      if known.showsName != showsName {
        try ErasureList.note(
          .participationName, [known.id], value: showsName ? Self.shown : Self.hidden,
          at: environment.now(), connection)
      }
      try connection.execute(
        "UPDATE mapping_day_participant SET shows_name = ?, team = ? WHERE rowid = ?",
        [SQLValue(showsName), SQLValue(team), .integer(known.rowid)])
      return
    }
    let isFull = try counts(of: day.rowid, connection).joined >= day.plan.maximum
    try connection.execute(
      """
      INSERT INTO mapping_day_participant
        (id, day_rowid, account_rowid, state, shows_name, team, joined_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(environment.newDeviceID().text), .integer(day.rowid), .integer(account),
        .text((isFull ? Place.waiting : .joined).rawValue), SQLValue(showsName),
        SQLValue(team), .text(environment.now().text),
      ])
  }

  /// Ends a part in a day. The first person on the waiting list moves up in the same transaction.
  ///
  /// - Returns: the person who moved up; nil if none did.
  func leave(
    _ day: Int64, _ one: Participation, takesParticipants: Bool, maximum: Int,
    _ connection: borrowing Connection
  ) throws -> Participation? {
    try connection.execute(
      "DELETE FROM mapping_day_participant WHERE rowid = ?", [.integer(one.rowid)])
    guard takesParticipants, try counts(of: day, connection).joined < maximum,
      let next = try connection.first(Self.next, [.integer(day)], decode: Self.participation)
    else { return nil }
    try connection.execute(
      "UPDATE mapping_day_participant SET state = 'joined', joined_at = ? WHERE rowid = ?",
      [.text(environment.now().text), .integer(next.rowid)])
    return next
  }

  static let next = """
    SELECT \(columns) FROM mapping_day_participant WHERE day_rowid = ? AND state = 'waiting'
    ORDER BY rowid LIMIT 1
    """

  /// The next participants to mail, including the waiting list only if `all`.
  func page(
    of day: Int64, after row: Int64, all: Bool, limit: Int, _ connection: borrowing Connection
  ) throws -> [Participation] {
    try connection.rows(
      """
      SELECT \(Self.columns) FROM mapping_day_participant
      WHERE day_rowid = ? AND rowid > ? AND (state = 'joined' OR ?)
      ORDER BY rowid LIMIT ?
      """, [.integer(day), .integer(row), SQLValue(all), SQLValue(limit)],
      decode: Self.participation)
  }
}
