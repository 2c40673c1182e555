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
  /// The CSRF token of a new session.
  var csrfToken: String?

  init(_ account: StoredAccount, now: Timestamp, _ connection: borrowing Connection) throws {
    self.account = account
    self.now = now
    pendingEmail = try MailTokens().pendingEmail(of: account.rowid, at: now, connection)
    recoveryCodesLeft = try SecondFactorStore().codesLeft(of: account.rowid, connection)
  }

  var value: JSONValue { Self.shape.json(self) }

  static let shape = JSONShape<AccountJSON>(
    "account", .uuid("id", \.account.id), .init("username", .username, \.account.username),
    .init("email", .address, \.account.email), .text("locale", \.account.locale),
    .oneOf("role", \.account.role), .flag("confirmed", \.account.isConfirmed),
    .object("suspended", suspension) { $0.account.suspension(at: $0.now) },
    .group(
      "second_factor", .flag("enabled", \.account.hasSecondFactor),
      .flag("required", \.account.role.needsSecondFactor),
      .count("recovery_codes_left", \.recoveryCodesLeft)),
    .flag("new") { $0.account.isNew(at: $0.now) }, .time("created_at", \.account.createdAt),
    .init("pending_email", .email, \.pendingEmail),
    .flag("data_requests", \.account.takesDataRequests),
    .init(
      "csrf_token",
      .text.with("description", "The CSRF token of the session after a password change."),
      \.csrfToken
    ).optional)

  private static let suspension = JSONShape<StoredAccount.Suspension>(
    nil, .time("until", \.until), .text("reason", \.reason))
}

/// The response to signing in and to `GET /api/session`.
struct SessionJSON {
  let token: String
  let until: Timestamp
  let account: AccountJSON

  static let shape = JSONShape<SessionJSON>(
    "session", .text("csrf_token") { Gate.csrfToken(of: $0.token) }, .time("expires_at", \.until),
    .object("account", AccountJSON.shape, \.account))
}

extension Accounts {
  func session(
    of account: StoredAccount, token: String, until: Timestamp, _ connection: borrowing Connection
  ) throws -> SessionJSON {
    SessionJSON(
      token: token, until: until, account: try AccountJSON(account, now: now, connection))
  }
}
