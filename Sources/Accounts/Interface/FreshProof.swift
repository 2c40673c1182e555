package import Service
package import SpatialDatabase

/// The password and the second-factor code, entered again in the request that needs them.
///
/// A session alone must not grant power that outlives it. Otherwise an attacker at an unlocked browser
/// could create an admin token or give a role to another account. Tokens of scope `moderate` or `admin`
/// and changes of roles need this proof; see docs/explanation/threat-model.md.
package struct FreshProof: Sendable {
  /// The members of a request body that contain the proof.
  package static let members: Set<String> = ["password", "code"]

  private let password: String?
  private let code: String?

  /// Reads the proof from a body. If it is required, a missing member is an error.
  package init(_ body: inout RequestBody, isRequired: Bool = true) {
    password = body.secret("password", isRequired: isRequired)
    code = body.text("code", 1...100, isRequired: isRequired)
  }

  /// A proof whose password was correct. Its code is checked in the transaction of the action.
  package struct Begun: Sendable {
    fileprivate let code: String
    fileprivate let principal: Principal
    /// The hash that the password was compared with.
    fileprivate let passwordHash: String
  }

  /// Compares the password. Takes as long as a hash, so never call it in a transaction.
  ///
  /// - Throws: a 403 for a token, a 422 that names `password`, or a 429 after too many wrong ones.
  package func begin(_ principal: Principal, _ accounts: Accounts) throws -> Begun {
    _ = try principal.session()
    let account = try accounts.account(
      of: principal, password: password.given(), field: "password")
    return Begun(
      code: try code.given(), principal: principal, passwordHash: account.passwordHash)
  }
}

extension FreshProof.Begun {
  /// Checks and uses the second-factor code, in the transaction of the action that it permits.
  ///
  /// - Throws: a 422 that names `code`, a 429 after too many wrong codes, a 403 if the account has no
  ///   second factor, or a 401 if the password or the role has changed since the request arrived.
  package func finish(_ accounts: Accounts, _ connection: borrowing Connection) throws {
    let account = try accounts.account(of: principal, connection)
    guard account.passwordHash == passwordHash, account.role == principal.role else {
      throw Refusal.signedOut
    }
    guard account.hasSecondFactor else { throw Refusal.mustEnrol }
    try accounts.prove(code, of: account, connection)
  }
}
