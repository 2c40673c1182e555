import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// The tables `data_request` and `data_request_look`.
struct RecordRequestStore: Sendable {
  let environment: Environment

  private var now: Timestamp { environment.now() }

  /// A request, for either of its two sides.
  ///
  /// - Throws: ``RecordRequests/notThere`` for all other accounts.
  func request(
    _ id: String, of account: Int64, _ connection: borrowing Connection
  ) throws -> RecordRequest {
    let found = try connection.first(
      """
      SELECT \(RecordRequest.columns) FROM data_request \(RecordRequest.joins)
      WHERE data_request.id = ?1
        AND (data_request.asker_rowid = ?2 OR data_request.asked_rowid = ?2)
      """, [.text(id), .integer(account)]
    ) { RecordRequest($0) }
    guard let found else { throw RecordRequests.notThere }
    return found
  }

  /// The requests of an account on one side. Parameters: account, moment, state or NULL, row, limit.
  static func pageQuery(asking: Bool) -> String {
    """
    SELECT \(RecordRequest.columns) FROM data_request \(RecordRequest.joins)
    WHERE data_request.\(column(asking: asking)) = ?1 AND data_request.rowid < ?4
      AND (CAST(?3 AS TEXT) IS NULL OR \(RecordRequest.stateNow) = ?3)
    ORDER BY data_request.rowid DESC LIMIT ?5
    """
  }

  private static func column(asking: Bool) -> String { asking ? "asker_rowid" : "asked_rowid" }

  /// The requests of an account on one side, newest first; in a state and before a row.
  func requests(
    of account: Int64, asking: Bool, in state: String?, before last: Int64, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [RecordRequest] {
    try connection.rows(
      Self.pageQuery(asking: asking),
      [.integer(account), .text(now.text), SQLValue(state), .integer(last), SQLValue(limit)]
    ) { RecordRequest($0) }
  }

  /// The number of an account's requests in each state on one side.
  func counts(
    of account: Int64, asking: Bool, _ connection: borrowing Connection
  ) throws -> JSONObject {
    var counts = JSONObject(
      RecordRequest.State.allCases.map { ($0.rawValue, JSONValue.integer(0)) })
    try connection.forEach(
      """
      SELECT \(RecordRequest.stateNow), count(*) FROM data_request
      WHERE \(Self.column(asking: asking)) = ?1 GROUP BY 1
      """, [.integer(account), .text(now.text)]
    ) { counts[$0.text(0)] = .integer($0.int(1)) }
    return counts
  }

  /// The latest hundred read accesses to the records of a request, newest first.
  func looks(
    at request: RecordRequest, _ connection: borrowing Connection
  ) throws -> [Look] {
    try connection.rows(
      """
      SELECT at, fields, count FROM data_request_look WHERE request_rowid = ?
      ORDER BY rowid DESC LIMIT 100
      """, [.integer(request.rowid)]
    ) { ($0.text(0), ChosenDevice.codes($0.text(1)), $0.int(2)) }
  }

  /// A read access: its time, the kinds of records and their number.
  typealias Look = (at: String, fields: [String], count: Int64)

  /// Logs that records were read.
  func noteLook(
    at request: RecordRequest, _ fields: [RecordRequest.Field], count: Int,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "INSERT INTO data_request_look (request_rowid, at, fields, count) VALUES (?, ?, ?, ?)",
      [
        .integer(request.rowid), .text(now.text), .text(RecordRequest.json(fields).text),
        SQLValue(count),
      ])
  }

  /// State, recipient, time and organisation addressed of every request that an account has sent.
  func earlier(
    by asker: Int64, _ connection: borrowing Connection
  ) throws -> [(state: String, whom: Int64?, at: String, name: String?)] {
    try connection.rows(
      """
      SELECT \(RecordRequest.stateNow), asked_rowid, asked_at, asked_as FROM data_request
      WHERE asker_rowid = ?1
      """, [.integer(asker), .text(now.text)]
    ) { ($0.text(0), $0.optionalInt(1), $0.text(2), $0.optionalText(3)) }
  }

  /// Up to two accounts that represent approved organisations with this id, domain or name.
  func speakers(
    of name: String, _ connection: borrowing Connection
  ) throws -> [(username: String, organisation: String)] {
    try connection.rows(
      """
      SELECT account.username, organisation.name FROM organisation
      JOIN account ON account.rowid = organisation.account_rowid
      WHERE organisation.state = 'approved'
        AND (organisation.id = ?1 OR organisation.domain = ?1 OR organisation.name_key = ?2)
      LIMIT 2
      """, [.text(name.lowercased()), .text(ContactBook.key(name))]
    ) { ($0.text(0), $0.text(1)) }
  }

  /// Adds a request and returns its id.
  func add(
    by asker: Int64, to asked: Int64, as organisation: String?, reason: String, fields: [String],
    days: Int, subscribe: Bool, _ connection: borrowing Connection
  ) throws -> String {
    let id = environment.newDeviceID().text
    let now = now
    let end = now.later(RecordRequests.expiryPeriod)
    try connection.execute(
      """
      INSERT INTO data_request (id, asker_rowid, asked_rowid, asked_as, reason, fields, days,
        subscribe, asked_at, lapses_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(id), .integer(asker), .integer(asked), SQLValue(organisation), .text(reason),
        .text(JSONValue.array(fields.map { .string($0) }).text), SQLValue(days),
        SQLValue(subscribe), .text(now.text), .text(end.text),
      ])
    return id
  }

  /// Stores that a request was accepted.
  func accept(
    _ request: RecordRequest, _ grant: RecordRequest.Grant, note: String?,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE data_request SET state = 'accepted', answered_at = ?, note = ?, granted = ?,
        granted_from = ?, granted_to = ?, granted_until = ?, subscribed = ? WHERE rowid = ?
      """,
      [
        .text(now.text), SQLValue(note), .text(RecordRequest.json(grant.fields).text),
        SQLValue(grant.from?.text), SQLValue(grant.to?.text), .text(grant.until.text),
        SQLValue(grant.isSubscribed), .integer(request.rowid),
      ])
  }

  /// Stores that a request was refused.
  func refuse(
    _ request: RecordRequest, note: String?, _ connection: borrowing Connection
  ) throws {
    try set(.refused, request, note: note, connection)
    try connection.execute(
      "UPDATE data_request SET answered_at = ended_at WHERE rowid = ?",
      [.integer(request.rowid)])
  }

  /// Changes the state of a request.
  func set(
    _ state: RecordRequest.State, _ request: RecordRequest, note: String? = nil,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE data_request SET state = ?, ended_at = ?, note = coalesce(?, note) WHERE rowid = ?
      """,
      [
        .text(state.rawValue), .text(now.text), SQLValue(note), .integer(request.rowid),
      ])
    try ErasureList.note(
      .permission, [request.id], value: state.rawValue, at: environment.now(), connection)
  }

  /// Ends a request or a permission that a restored backup has brought back.
  ///
  /// - Returns: whether it was open.
  func endAgain(_ entry: ErasureList.Entry, _ connection: borrowing Connection) throws -> Bool {
    guard let state = entry.value.flatMap(RecordRequest.State.init(rawValue:)) else { return false }
    try connection.execute(
      """
      UPDATE data_request SET state = ?, ended_at = ?
      WHERE id = ? AND state IN ('waiting', 'accepted')
      """, [.text(state.rawValue), .text(entry.at.text), .text(entry.id)])
    return connection.changedRowCount > 0
  }

  static let lapsing = """
    SELECT \(RecordRequest.columns) FROM data_request \(RecordRequest.joins)
    WHERE data_request.state = 'waiting' AND data_request.lapses_at <= ? LIMIT ?
    """
  static let ending = """
    SELECT \(RecordRequest.columns) FROM data_request \(RecordRequest.joins)
    WHERE data_request.state = 'accepted' AND data_request.granted_until < ? LIMIT ?
    """

  /// The requests found by ``lapsing`` or ``ending``.
  func requests(
    found sql: String, by time: String, limit: Int64, _ connection: borrowing Connection
  ) throws -> [RecordRequest] {
    try connection.rows(sql, [.text(time), .integer(limit)]) { RecordRequest($0) }
  }

  /// The requests and grants of an account, on either side, that have not ended.
  func openRequests(
    of account: Int64, _ connection: borrowing Connection
  ) throws -> [RecordRequest] {
    try connection.rows(
      """
      SELECT \(RecordRequest.columns) FROM data_request \(RecordRequest.joins)
      WHERE data_request.state IN ('waiting', 'accepted')
        AND (data_request.asker_rowid = ?1 OR data_request.asked_rowid = ?1)
      """, [.integer(account)]
    ) { RecordRequest($0) }
  }

  /// Deletes the requests that ended before a time.
  func erase(endedBefore limit: Timestamp, _ connection: borrowing Connection) throws {
    try connection.execute("DELETE FROM data_request WHERE ended_at <= ?", [.text(limit.text)])
  }
}
