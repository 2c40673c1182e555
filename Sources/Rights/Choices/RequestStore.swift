import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// The `request` table.
struct RequestStore: Sendable {
  let environment: Environment

  static let notThere = NotFound(Message("error.not_found.request"))

  private var today: Day { environment.now().day }

  /// Stores a letter as sent.
  func keep(
    _ letter: LetterBook.Filled, of choice: Int64, for organisation: Int64?,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO request (id, choice_rowid, organisation_rowid, subject, body, sent_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .text(environment.newDeviceID().text), .integer(choice), SQLValue(organisation),
        .text(letter.subject), .text(letter.body), .text(environment.now().text),
      ])
  }

  func request(
    ofChoice choice: Int64, _ connection: borrowing Connection
  ) throws -> StoredRequest? {
    try connection.first(
      "SELECT \(StoredRequest.columns) FROM request WHERE choice_rowid = ?", [.integer(choice)]
    ) { StoredRequest($0) }
  }

  /// - Throws: ``notThere`` if the organisation has no such request.
  func request(
    _ id: String, for organisation: Int64, _ connection: borrowing Connection
  ) throws -> StoredRequest {
    let found = try connection.first(
      "SELECT \(StoredRequest.columns) FROM request WHERE id = ? AND organisation_rowid = ?",
      [.text(DeviceID(text: id)?.text ?? id), .integer(organisation)]
    ) { StoredRequest($0) }
    guard let found else { throw Self.notThere }
    return found
  }

  /// One statement for all filters; the index finds the requests of an organisation.
  static let page = """
    SELECT \(StoredRequest.columns) FROM request
    JOIN choice ON choice.rowid = request.choice_rowid
    WHERE request.organisation_rowid = ?1 AND (CAST(?2 AS BIGINT) IS NULL OR request.rowid < ?2)
      AND CASE WHEN CAST(?3 AS TEXT) IS NULL THEN TRUE
        WHEN ?3 = 'overdue' THEN choice.\(LedgerState.runningCondition) AND choice.last_day < ?4
        ELSE choice.state = ?3 END
    ORDER BY request.rowid DESC LIMIT ?5
    """

  /// The requests to an organisation, newest first; in `state` (or `overdue`) and before a row.
  func requests(
    to own: Int64, in state: String?, before last: Int64?, limit: Int,
    _ connection: borrowing Connection
  ) throws -> [StoredRequest] {
    try connection.rows(
      Self.page,
      [.integer(own), SQLValue(last), SQLValue(state), .text(today.text), SQLValue(limit)]
    ) { StoredRequest($0) }
  }

  /// The ids of the requests to an organisation that are due within ``ChoiceStore/soon`` days, earliest
  /// first.
  func dueSoon(_ own: Int64, _ connection: borrowing Connection) throws -> [String] {
    try connection.rows(
      """
      SELECT request.id FROM request JOIN choice ON choice.rowid = request.choice_rowid
      WHERE request.organisation_rowid = ? AND choice.\(LedgerState.runningCondition)
        AND choice.last_day BETWEEN ? AND ? ORDER BY choice.last_day, request.rowid
      """,
      [
        .integer(own), .text(today.text),
        .text(today.adding(days: ChoiceStore.soon).text),
      ]
    ) { $0.text(0) }
  }

  /// The number of requests to an organisation in each of `states`, and of its overdue requests.
  func counts(
    _ states: [String], of own: Int64, _ connection: borrowing Connection
  ) throws -> JSONObject {
    var object = JSONObject(states.map { (key: $0, value: JSONValue.integer(0)) })
    try connection.forEach(
      """
      SELECT choice.state, count(*),
        sum(CASE WHEN choice.\(LedgerState.runningCondition) AND choice.last_day < ? THEN 1 ELSE 0 END)
      FROM request JOIN choice ON choice.rowid = request.choice_rowid
      WHERE request.organisation_rowid = ? GROUP BY choice.state
      """, [.text(today.text), .integer(own)]
    ) { row in
      object[row.text(0)] = .integer(row.int(1))
      let overdue = object["overdue"]?.intValue ?? 0
      object["overdue"] = .integer(Int64(overdue) + (row.optionalInt(2) ?? 0))
    }
    return object
  }

  /// The organisation that a choice was sent to, or could be sent to.
  func destination(
    of choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> Organisation? {
    if choice.ledger.state == .wanted {
      return try DeviceOwnershipStore.standing(of: choice.device.id, connection)
    }
    return try connection.first(
      """
      SELECT \(Organisation.columns) FROM request
      JOIN organisation ON organisation.rowid = request.organisation_rowid
      WHERE request.choice_rowid = ?
      """, [.integer(choice.rowid)]
    ) { Organisation($0) }
  }
}
