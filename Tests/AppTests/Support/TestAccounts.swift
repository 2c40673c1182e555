@testable import Accounts
import Foundation
import JSON
import PrivacyMap
import Secrets
@testable import Service
import SpatialDatabase

/// An account with a signed-in browser.
struct TestAccount: Sendable {
  let rowid: Int64
  let id: String
  let username: String
  let email: String
  /// The headers of its browser: cookie, CSRF token, same origin.
  let identity: Identity

  /// The password of every account of a test.
  static let password = "uma palavra-passe bem comprida"
}

extension TestApp {
  /// Adds an account in the state after sign-up, and signs it in.
  ///
  /// It is a week old and trusted unless `isNew`; moderators and admins have a second factor unless
  /// `hasSecondFactor` is false.
  func account(
    _ username: String = "ana", role: Role = .contributor, isConfirmed: Bool = true,
    isSuspended: Bool = false, isNew: Bool = false, hasSecondFactor: Bool? = nil
  ) throws -> TestAccount {
    let email = "\(username)@example.org"
    let now = clock.now
    let joined = isNew ? now : Timestamp(secondsSinceEpoch: now.secondsSinceEpoch - 7 * 86_400)
    let id = environment.newDeviceID().text
    let enrolled = (hasSecondFactor ?? role.needsSecondFactor) ? now.text : nil
    let rowid = try database.write { connection in
      try connection.execute(
        """
        INSERT INTO account (rowid, id, username, username_key, username_look, email, email_key,
          password_hash, locale, role, created_at, terms_accepted_at, confirmed_at, accepted_edits,
          suspended_at, suspended_reason, totp_secret, totp_confirmed_at)
        VALUES ((SELECT last + 1 FROM account_number), ?, ?, ?, ?, ?, ?, ?, 'en', ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(id), .text(username), .text(username.lowercased()),
          .text(LookAlikes.look(of: username)), .text(email), .text(email),
          .text(try Self.passwordHash.get()), .text(role.rawValue), .text(joined.text),
          .text(joined.text), isConfirmed ? .text(joined.text) : .null, isNew ? 0 : 10,
          isSuspended ? .text(now.text) : .null, isSuspended ? .text("a test") : .null,
          enrolled == nil ? .null : .blob(Self.secondFactor), SQLValue(enrolled),
        ])
      return connection.lastInsertedRowID
    }
    return TestAccount(
      rowid: rowid, id: id, username: username, email: email, identity: try signIn(rowid))
  }

  /// The secret of every second factor that ``account(_:role:isConfirmed:isSuspended:isNew:hasSecondFactor:)``
  /// sets up.
  static let secondFactor = [UInt8](repeating: 7, count: 20)

  /// The code of such a second factor, now.
  var code: String {
    let step = OneTimePassword.step(at: clock.now.secondsSinceEpoch)
    return OneTimePassword(secret: Self.secondFactor)?.code(at: step) ?? ""
  }

  /// A body with the fresh proof of an account from
  /// ``account(_:role:isConfirmed:isSuspended:isNew:hasSecondFactor:)``: password and code.
  ///
  /// Used codes are forgotten, as if half a minute had passed; tests about a used code send
  /// ``code`` themselves.
  func proving(_ body: JSONValue) throws -> JSONValue {
    try database.write { try $0.execute("UPDATE account SET totp_last_step = NULL") }
    var members = body.objectValue ?? JSONObject()
    members["password"] = .string(TestAccount.password)
    members["code"] = .string(code)
    return .object(members)
  }

  /// One more browser of an account.
  func signIn(_ account: Int64) throws -> Identity {
    let token = SecretToken()
    let now = clock.now
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO session (id, account_rowid, digest, agent, created_at, last_seen_on, expires_at)
        VALUES (?, ?, ?, 'Test', ?, ?, ?)
        """,
        [
          .text(environment.newDeviceID().text), .integer(account), .blob(token.digest),
          .text(now.text), .text(now.day.text),
          .text(Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 30 * 86_400).text),
        ])
    }
    return Identity(headers: [
      ("Cookie", "farol=\(token.text)"), ("X-CSRF-Token", Gate.csrfToken(of: token.text)),
      ("Sec-Fetch-Site", "same-origin"),
    ])
  }

  /// A personal token of an account.
  func token(_ account: Int64, _ scopes: Set<Scope>) throws -> Identity {
    let token = SecretToken()
    let now = clock.now
    let names = scopes.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ",")
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO personal_token (id, account_rowid, name, scopes, digest, created_at, expires_at)
        VALUES (?, ?, 'a test', ?, ?, ?, ?)
        """,
        [
          .text(environment.newDeviceID().text), .integer(account), .text("[\(names)]"),
          .blob(token.digest), .text(now.text),
          .text(Timestamp(secondsSinceEpoch: now.secondsSinceEpoch + 86_400).text),
        ])
    }
    return .bearer("farol_\(token.text)")
  }

  private static let passwordHash = Result { try PasswordHash.hash(TestAccount.password) }
}
