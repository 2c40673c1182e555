import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// The JSON of an account, as shown to its owner.
struct AccountJSON {
  let account: StoredAccount
  let pendingEmail: String?
  let recoveryCodesLeft: Int64
  let now: Timestamp

  init(_ account: StoredAccount, now: Timestamp, _ connection: borrowing Connection) throws {
    self.account = account
    self.now = now
    pendingEmail = try MailTokens().pendingEmail(of: account.rowid, at: now, connection)
    recoveryCodesLeft = try SecondFactorStore().codesLeft(of: account.rowid, connection)
  }

  var value: JSONValue { .object(JSONObject(members)) }

  /// The account with the CSRF token of a new session.
  func value(csrfToken: String) -> JSONValue {
    .object(JSONObject(members + [("csrf_token", .string(csrfToken))]))
  }

  private var members: [(key: String, value: JSONValue)] {
    [
      ("id", .string(account.id)), ("username", .string(account.username)),
      ("email", .string(account.email)), ("locale", .string(account.locale)),
      ("role", .string(account.role.rawValue)), ("confirmed", .bool(account.isConfirmed)),
      ("suspended", suspended),
      (
        "second_factor",
        [
          "enabled": .bool(account.hasSecondFactor),
          "required": .bool(account.role.needsSecondFactor),
          "recovery_codes_left": .integer(recoveryCodesLeft),
        ]
      ),
      ("new", .bool(account.isNew(at: now))), ("created_at", .string(account.createdAt.text)),
      ("pending_email", pendingEmail.map { .string($0) } ?? .null),
      ("data_requests", .bool(account.takesDataRequests)),
    ]
  }

  private var suspended: JSONValue {
    guard let suspension = account.suspension(at: now) else { return .null }
    return [
      "until": suspension.until.map { .string($0.text) } ?? .null,
      "reason": .string(suspension.reason),
    ]
  }
}

extension Accounts {
  /// The response to signing in and to `GET /api/session`.
  func session(
    of account: StoredAccount, token: String, until: Timestamp, _ connection: borrowing Connection
  ) throws -> JSONValue {
    [
      "csrf_token": .string(Gate.csrfToken(of: token)), "expires_at": .string(until.text),
      "account": try AccountJSON(account, now: now, connection).value,
    ]
  }
}
