import PrivacyMap
import Secrets
import SpatialDatabase

/// The second factors of accounts: checks codes of an authenticator app, or recovery codes.
struct SecondFactorStore: Sendable {
  /// Checks and uses a code.
  ///
  /// - Returns: false if the code is wrong or was used before. If several requests use the same
  ///   code at once, one succeeds.
  func accept(
    _ code: String, of account: StoredAccount, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Bool {
    if try acceptStep(code, of: account, at: now, connection) { return true }
    guard let written = RecoveryCode.normalised(code) else { return false }
    try connection.execute(
      "DELETE FROM recovery_code WHERE account_rowid = ? AND digest = ?",
      [.integer(account.rowid), .blob(Self.digest(written))])
    return connection.changedRowCount == 1
  }

  private func acceptStep(
    _ code: String, of account: StoredAccount, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard let secret = account.totpSecret.flatMap({ OneTimePassword(secret: $0) }),
      let step = secret.verify(code, at: now.secondsSinceEpoch, after: account.totpLastStep)
    else { return false }
    // `account` may have been read before another request used the same code.
    try connection.execute(
      """
      UPDATE account SET totp_last_step = ?
      WHERE rowid = ? AND (totp_last_step IS NULL OR totp_last_step < ?)
      """, [.integer(step), .integer(account.rowid), .integer(step)])
    return connection.changedRowCount == 1
  }

  /// Starts enrolment with a new secret. The previous one stays valid until the app proves the new one.
  func begin(for account: Int64, _ connection: borrowing Connection) throws -> OneTimePassword {
    let made = OneTimePassword()
    try connection.execute(
      "UPDATE account SET totp_pending = ? WHERE rowid = ?",
      [.blob(made.secret), .integer(account)])
    return made
  }

  /// Activates the pending secret if `code` proves that the app has it.
  ///
  /// - Returns: new recovery codes, shown once; nil if the code is wrong.
  func confirm(
    _ code: String, of account: StoredAccount, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws -> [String]? {
    guard let pending = account.totpPending, let secret = OneTimePassword(secret: pending),
      let step = secret.verify(code, at: now.secondsSinceEpoch, after: nil)
    else { return nil }
    try connection.execute(
      """
      UPDATE account SET totp_secret = totp_pending, totp_pending = NULL, totp_confirmed_at = ?,
        totp_last_step = ?
      WHERE rowid = ?
      """, [.text(now.text), .integer(step), .integer(account.rowid)])
    return try renewCodes(of: account.rowid, connection)
  }

  /// Sets a secret that no code has confirmed.
  func replace(
    _ secret: OneTimePassword, of account: Int64, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE account SET totp_secret = ?, totp_pending = NULL, totp_confirmed_at = ?,
        totp_last_step = NULL
      WHERE rowid = ?
      """, [.blob(secret.secret), .text(now.text), .integer(account)])
  }

  /// The number of unused recovery codes.
  func codesLeft(of account: Int64, _ connection: borrowing Connection) throws -> Int64 {
    try connection.integer(
      "SELECT count(*) FROM recovery_code WHERE account_rowid = ?", [.integer(account)]) ?? 0
  }

  /// Replaces the recovery codes.
  func renewCodes(of account: Int64, _ connection: borrowing Connection) throws -> [String] {
    try connection.execute(
      "DELETE FROM recovery_code WHERE account_rowid = ?", [.integer(account)])
    let codes = RecoveryCode.make()
    for code in codes {
      try connection.execute(
        "INSERT INTO recovery_code (account_rowid, digest) VALUES (?, ?)",
        [.integer(account), .blob(Self.digest(code))])
    }
    return codes
  }

  /// Removes the second factor.
  func remove(from account: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      UPDATE account SET totp_secret = NULL, totp_pending = NULL, totp_confirmed_at = NULL,
        totp_last_step = NULL
      WHERE rowid = ?
      """, [.integer(account)])
    try connection.execute(
      "DELETE FROM recovery_code WHERE account_rowid = ?", [.integer(account)])
  }

  /// Recovery codes have 50 bits and ten attempts an hour, so a plain digest is sufficient.
  private static func digest(_ code: String) -> [UInt8] { Digest.sha256(Array(code.utf8)) }
}
