import Accounts
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The rules of who may receive a data request from which account.
extension RecordRequests {
  private static let nobody = NotFound(Message("error.not_found.person"))

  /// The account that represents an approved organisation, by its id, domain or name.
  ///
  /// - Throws: a 404 for an unknown organisation, a 422 if several have the name.
  func speaker(
    of name: String, _ connection: borrowing Connection
  ) throws -> (username: String, organisation: String) {
    let found = try store.speakers(of: name, connection)
    guard let speaker = found.first else { throw Self.nobody }
    guard found.count == 1 else {
      throw Refusal(.unprocessableContent, "error.data_request.several", field: "operator")
    }
    return speaker
  }

  /// A person who accepts data requests. The error is the same for unknown, unconfirmed and suspended accounts and for
  /// accounts that accept no requests.
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
    let rest = now.later(-RecordRequests.rest)
    var waiting: Int64 = 0
    for (state, whom, at, name) in try store.earlier(by: asker, connection) {
      if state == "waiting" { waiting += 1 }
      guard whom == asked, name == organisation else { continue }
      if ["waiting", "accepted"].contains(state) {
        throw Refusal(.conflict, "error.data_request.open", type: "data-request-open")
      }
      if ["refused", "lapsed", "revoked"].contains(state), at > rest.text {
        throw Refusal(.conflict, "error.data_request.rest", type: "data-request-rest")
      }
    }
    guard waiting < RecordRequests.maxWaiting else {
      throw Refusal(
        .conflict, "error.data_request.too_many", ["maximum": "\(RecordRequests.maxWaiting)"])
    }
  }
}
