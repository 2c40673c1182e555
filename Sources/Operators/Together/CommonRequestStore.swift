import Accounts
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
    SELECT \(CommonRequest.columns) FROM common_request
    WHERE operator_key = ? AND (place, kind) > (?, ?) ORDER BY place, kind LIMIT ?
    """
  static let ofDevice = """
    SELECT \(CommonRequest.columns) FROM common_request
    WHERE device_id = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?
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

  /// The oldest request of a kind to an operator in a town, under any of its keys.
  func same(
    _ keys: [String], _ place: Int64?, _ kind: String, _ connection: borrowing Connection
  ) throws -> CommonRequest? {
    try keys.compactMap {
      try requests(Self.same, [.text($0), .integer(place ?? 0), .text(kind)], connection).first
    }.min { $0.rowid < $1.rowid }
  }

  /// The position of a request in the list of those to an operator.
  struct Place: Sendable {
    let key: String
    let place: Int64
    let kind: String
  }

  /// The requests to an operator under any of its keys, in the order of the keys, towns and kinds.
  func requests(
    to keys: [String], after last: Place?, limit: Int, _ connection: borrowing Connection
  ) throws -> [CommonRequest] {
    var found: [CommonRequest] = []
    for key in keys.sorted() where found.count < limit && key >= last?.key ?? "" {
      let start = key == last?.key ? last : nil
      found += try requests(
        Self.ofOperator,
        [
          .text(key), .integer(start?.place ?? -1), .text(start?.kind ?? ""),
          SQLValue(limit - found.count),
        ], connection)
    }
    return found
  }

  /// The values of a new request.
  struct New: Sendable {
    /// The key of the name on the device, without merges, so that it is right when one is undone.
    let key: String
    let name: String
    let place: Int64?
    let device, kind: String
    let country: String?
    let period: String
  }

  func add(_ new: New, _ connection: borrowing Connection) throws -> CommonRequest {
    // With the time of this week's Monday: the exact time would lead to the letter of the opener.
    let week = Timestamp(startOf: Publication.monday(environment.now().day))
    let id = environment.newID(madeAt: week).text
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

  /// Replaces the choice of an account, which was withdrawn.
  func replace(
    _ request: CommonRequest, _ account: Int64, with choice: String,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE common_request_member SET choice_id = ? WHERE request_rowid = ? AND account_rowid = ?
      """, [.text(choice), .integer(request.rowid), .integer(account)])
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

  static let choices = """
    SELECT account_rowid, choice_id FROM common_request_member
    WHERE request_rowid = ? AND account_rowid > ? ORDER BY account_rowid LIMIT ?
    """

  /// The choices of a request, by account.
  func choices(
    in request: CommonRequest, after account: Int64, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [(account: Int64, choice: String)] {
    try connection.rows(
      Self.choices, [.integer(request.rowid), .integer(account), SQLValue(limit)]
    ) { ($0.int(0), $0.text(1)) }
  }

  // Publication

  static let toCount = """
    SELECT \(CommonRequest.columns) FROM common_request
    WHERE coalesce(counted_on, opened_on) < ?1 AND rowid > ?2 ORDER BY rowid LIMIT 50
    """

  /// - Returns: false if it was published since it was read: a server that was paused counts another state.
  func publish(
    _ request: CommonRequest, _ counts: CommonCounts, on day: Day, due: Day?,
    _ connection: borrowing Connection
  ) throws -> Bool {
    let shown = request.shownOn ?? (counts.people.step == nil ? nil : day)
    try connection.execute(
      """
      UPDATE common_request SET counted_on = ?, shown_on = ?, due_on = ?, people = ?, honoured = ?,
        refused = ?, overdue = ? WHERE rowid = ? AND coalesce(counted_on, '') = ?
      """,
      [
        .text(day.text), SQLValue(shown?.text), SQLValue((request.dueOn ?? due)?.text),
        SQLValue(counts.people.people), SQLValue(counts.honoured.people),
        SQLValue(counts.refused.people), SQLValue(counts.overdue.people),
        .integer(request.rowid), .text(request.countedOn?.text ?? ""),
      ])
    return connection.changedRowCount > 0
  }

  /// Days after which a request that ten people have not sent is erased.
  static let daysOpen: Int32 = 180
  /// Days after the deadline of a request.
  static let daysAfter: Int32 = 365

  /// Rows in a transaction, so that other writes do not wait long.
  static let portion = 200

  private static let past = """
    SELECT rowid FROM common_request WHERE shown_on IS NULL AND opened_on <= ?1 OR due_on <= ?2
    """

  /// Erases a portion of the requests past their time, the people before the requests.
  ///
  /// - Returns: the number of erased requests, and whether there may be more.
  func erasePast(_ connection: borrowing Connection) throws -> (erased: Int, isPart: Bool) {
    let today = environment.now().day
    let values: [SQLValue] =
      [Self.daysOpen, Self.daysAfter].map { .text(today.adding(days: -Int($0)).text) }
      + [SQLValue(Self.portion)]
    try connection.execute(
      """
      DELETE FROM common_request_member WHERE rowid IN (
        SELECT rowid FROM common_request_member WHERE request_rowid IN (\(Self.past)) LIMIT ?3)
      """, values)
    if connection.changedRowCount == Self.portion { return (0, true) }
    try connection.execute(
      "DELETE FROM common_request WHERE rowid IN (\(Self.past) LIMIT ?3)", values)
    let erased = Int(clamping: connection.changedRowCount)
    if erased > 0 { try PublicChanges.note(connection, at: environment.now()) }
    return (erased, erased == Self.portion)
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
