import PrivacyMap
import SpatialDatabase

/// The `request` table.
struct RequestStore: Sendable {
  let surroundings: Surroundings

  static let notThere = NotFound(Message("error.not_found.request"))

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
        .text(surroundings.newDeviceID().text), .integer(choice), SQLValue(organisation),
        .text(letter.subject), .text(letter.body), .text(surroundings.now().text),
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

  /// The organisation that a choice was sent to, or could be sent to.
  func destination(
    of choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> Organisation? {
    if choice.ledger.state == .wanted {
      return try OrganisationClaims.standing(of: choice.device.id, connection)
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
