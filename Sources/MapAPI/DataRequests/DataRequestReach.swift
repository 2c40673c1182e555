import PrivacyMap
import SpatialDatabase
import WebServer

/// The rules of who may receive a data request from which account.
extension DataRequests {
  private static let nobody = NotFound(Message("error.not_found.person"))

  /// The account that represents an approved organisation, by its id, domain or name.
  ///
  /// - Throws: a 404 if there is none, a 422 if several have the name.
  func speaker(
    of name: String, _ connection: borrowing Connection
  ) throws -> (username: String, organisation: String) {
    let found = try connection.rows(
      """
      SELECT account.username, organisation.name FROM organisation
      JOIN account ON account.rowid = organisation.account_rowid
      WHERE organisation.state = 'approved'
        AND (organisation.id = ?1 OR organisation.domain = ?1 OR organisation.name_key = ?2)
      LIMIT 2
      """, [.text(name.lowercased()), .text(ContactBook.key(name))]
    ) { (username: $0.text(0), organisation: $0.text(1)) }
    guard let speaker = found.first else { throw Self.nobody }
    guard found.count == 1 else {
      throw Refusal(.unprocessableContent, "error.data_request.several", field: "operator")
    }
    return speaker
  }

  /// A person who accepts data requests. The error is the same for unknown, unconfirmed and suspended
  /// accounts and for those that accept no requests.
  func reachable(
    _ username: String, from principal: Principal, _ connection: borrowing Connection
  ) throws -> StoredAccount {
    guard let name = try? Username(username, isNew: false),
      let account = try AccountStore().account(named: name.text, connection),
      account.isConfirmed, account.suspension(at: now) == nil, account.takesDataRequests
    else { throw Self.nobody }
    guard account.rowid != principal.account else {
      throw Refusal(.unprocessableContent, "error.data_request.oneself", field: "username")
    }
    return account
  }

  /// - Throws: a 409 if the two have an open or a recent request, or too many requests are pending.
  ///
  /// Requests to the name of an organisation and to the username of its representative are separate,
  /// because a refusal would otherwise reveal that they belong together.
  func checkMayAsk(
    _ asked: Int64, as organisation: String?, _ asker: Int64, _ connection: borrowing Connection
  ) throws {
    let rest = Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - DataRequests.rest)
    var waiting: Int64 = 0
    let before = try connection.rows(
      """
      SELECT \(DataRequest.stateNow), asked_rowid, asked_at, asked_as FROM data_request
      WHERE asker_rowid = ?1
      """, [.integer(asker), .text(now.text)]
    ) { ($0.text(0), $0.optionalInt(1), $0.text(2), $0.optionalText(3)) }
    for (state, whom, at, name) in before {
      if state == "waiting" { waiting += 1 }
      guard whom == asked, name == organisation else { continue }
      if ["waiting", "accepted"].contains(state) {
        throw Refusal(.conflict, "error.data_request.open", type: "data-request-open")
      }
      if ["refused", "lapsed", "revoked"].contains(state), at > rest.text {
        throw Refusal(.conflict, "error.data_request.rest", type: "data-request-rest")
      }
    }
    guard waiting < DataRequests.mostWaiting else {
      throw Refusal(
        .conflict, "error.data_request.too_many", ["maximum": "\(DataRequests.mostWaiting)"])
    }
  }
}
