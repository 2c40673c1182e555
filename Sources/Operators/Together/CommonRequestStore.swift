import PrivacyMap
import Service
import SpatialDatabase

/// The tables `common_request` and `common_request_member`.
struct CommonRequestStore: Sendable {
  let environment: Environment

  static let notThere = NotFound(Message("error.not_found.common_request"))

  static let one = "SELECT \(CommonRequest.columns) FROM common_request WHERE id = ?"
  static let same = """
    SELECT \(CommonRequest.columns) FROM common_request
    WHERE operator_key = ? AND place = ? AND kind = ?
    """
  static let ofOperator = """
    SELECT \(CommonRequest.columns) FROM common_request WHERE operator_key = ? ORDER BY place, kind
    """
  static let ofDevice = """
    SELECT \(CommonRequest.columns) FROM common_request WHERE device_id = ? ORDER BY rowid
    """
  static let page = """
    SELECT \(CommonRequest.columns) FROM common_request WHERE rowid < ? ORDER BY rowid DESC LIMIT ?
    """

  func request(_ id: String, _ connection: borrowing Connection) throws -> CommonRequest? {
    try connection.first(Self.one, [.text(id)]) { CommonRequest($0) }
  }

  func requests(
    _ sql: String, _ arguments: [SQLValue], _ connection: borrowing Connection
  ) throws -> [CommonRequest] {
    try connection.rows(sql, arguments) { CommonRequest($0) }
  }

  /// The request of a kind to an operator in a town.
  func same(
    _ key: String, _ place: Int64?, _ kind: String, _ connection: borrowing Connection
  ) throws -> CommonRequest? {
    try requests(Self.same, [.text(key), .integer(place ?? 0), .text(kind)], connection).first
  }

  /// The values of a new request.
  struct New: Sendable {
    let key, name: String
    let place: Int64?
    let device, kind: String
    let country: String?
    let period: String
  }

  func add(_ new: New, _ connection: borrowing Connection) throws -> CommonRequest {
    let id = environment.newDeviceID().text
    try connection.execute(
      """
      INSERT INTO common_request (id, operator_key, operator_name, place, device_id, kind, country,
        period, opened_on)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .text(new.key), .text(new.name), .integer(new.place ?? 0), .text(new.device),
        .text(new.kind), SQLValue(new.country), .text(new.period),
        .text(environment.now().day.text),
      ])
    try PublicChanges.note(connection, at: environment.now())
    guard let added = try request(id, connection) else { throw Self.notThere }
    return added
  }

  // Members

  /// The choice with which an account takes part.
  func choice(
    of account: Int64, in request: CommonRequest, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      "SELECT choice_id FROM common_request_member WHERE request_rowid = ? AND account_rowid = ?",
      [.integer(request.rowid), .integer(account)])
  }

  func join(
    _ request: CommonRequest, _ account: Int64, with choice: String,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO common_request_member (request_rowid, account_rowid, choice_id) VALUES (?, ?, ?)
      """, [.integer(request.rowid), .integer(account), .text(choice)])
  }

  static let own = """
    SELECT common_request.id, member.choice_id FROM common_request_member AS member
    JOIN common_request ON common_request.rowid = member.request_rowid
    WHERE member.account_rowid = ? ORDER BY member.rowid DESC LIMIT 1000
    """

  /// The common requests in which an account takes part, each with the choice, newest first.
  func own(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> [(request: String, choice: String)] {
    try connection.rows(Self.own, [.integer(account)]) { ($0.text(0), $0.text(1)) }
  }

  /// The choices of a request.
  func choices(
    in request: CommonRequest, _ connection: borrowing Connection
  ) throws -> [String] {
    try connection.rows(
      "SELECT choice_id FROM common_request_member WHERE request_rowid = ? ORDER BY account_rowid",
      [.integer(request.rowid)]
    ) { $0.text(0) }
  }

  // Publication

  static let toCount = """
    SELECT \(CommonRequest.columns) FROM common_request
    WHERE coalesce(counted_on, opened_on) < ?1 AND rowid > ?2 ORDER BY rowid LIMIT 50
    """

  func publish(
    _ request: CommonRequest, _ counts: CommonCounts, on day: Day, due: Day?,
    _ connection: borrowing Connection
  ) throws {
    let shown = request.shownOn ?? (counts.people.step == nil ? nil : day)
    try connection.execute(
      """
      UPDATE common_request SET counted_on = ?, shown_on = ?, due_on = ?, people = ?, honoured = ?,
        refused = ?, overdue = ? WHERE rowid = ?
      """,
      [
        .text(day.text), SQLValue(shown?.text), SQLValue((request.dueOn ?? due)?.text),
        SQLValue(counts.people.people), SQLValue(counts.honoured.people),
        SQLValue(counts.refused.people), SQLValue(counts.overdue.people),
        .integer(request.rowid),
      ])
  }

  /// Days after which a request that ten people have not sent is erased.
  static let daysOpen: Int32 = 180
  /// Days after the deadline of a request.
  static let daysAfter: Int32 = 365

  /// Erases requests past their time.
  ///
  /// - Returns: the number of erased ones.
  func erasePast(_ connection: borrowing Connection) throws -> Int {
    let today = environment.now().day
    var erased = 0
    for (sql, days) in [
      ("DELETE FROM common_request WHERE shown_on IS NULL AND opened_on <= ?", Self.daysOpen),
      ("DELETE FROM common_request WHERE due_on <= ?", Self.daysAfter),
    ] {
      try connection.execute(sql, [.text(today.adding(days: -Int(days)).text)])
      erased += Int(clamping: connection.changedRowCount)
    }
    if erased > 0 { try PublicChanges.note(connection, at: environment.now()) }
    return erased
  }
}

/// The published counts of one request.
struct CommonCounts: Sendable {
  let people, honoured, refused, overdue: PublishedCount

  /// The counts after a publication with the requests of these people, one of each.
  init(of request: CommonRequest, with standings: [OutcomeStanding]) {
    func count(_ standing: OutcomeStanding) -> Int { standings.count { $0 == standing } }
    people = request.people.renewed(by: standings.count)
    honoured = request.honoured.renewed(by: count(.honoured))
    refused = request.refused.renewed(by: count(.refused))
    overdue = request.overdue.renewed(by: count(.overdue))
  }
}
