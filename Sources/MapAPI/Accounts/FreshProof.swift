import SpatialDatabase
import WebServer

/// The password and the code of the second factor, shown once more in the request that they are for.
///
/// A session alone must not give out power that outlives it: whoever finds a browser open could make
/// themselves an admin's token or give a role to an account of theirs. Tokens of scope `moderate` or
/// `admin` and changes of roles need this proof; see docs/threat-model.md.
struct FreshProof: Sendable {
  /// The members of a request's body that hold it.
  static let members: Set<String> = ["password", "code"]

  private let password: String?
  private let code: String?

  /// Reads the proof out of a body; where it is required, a member that is missing is a fault.
  init(_ body: inout RequestBody, isRequired: Bool = true) {
    password = body.secret("password", isRequired: isRequired)
    code = body.text("code", 1...100, isRequired: isRequired)
  }

  /// A proof whose password was right. Its code is looked at in the transaction of the act.
  struct Begun: Sendable {
    fileprivate let code: String
    fileprivate let principal: Principal
    /// The hash that the password was compared with.
    fileprivate let passwordHash: String
  }

  /// Compares the password, which takes as long as a hash: never in a transaction.
  ///
  /// - Throws: a 403 for a token, a 422 that names `password`, or a 429 after too many wrong ones.
  func begin(_ principal: Principal, _ accounts: Accounts) throws -> Begun {
    _ = try principal.session()
    let account = try accounts.account(
      of: principal, password: password.given(), field: "password")
    return Begun(
      code: try code.given(), principal: principal, passwordHash: account.passwordHash)
  }
}

extension FreshProof.Begun {
  /// Uses up the code of the second factor, in the transaction of what it allows.
  ///
  /// - Throws: a 422 that names `code`, a 429 after too many wrong ones, a 403 where there is no second
  ///   factor, or a 401 where the password or the role has changed since the request came.
  func finish(_ accounts: Accounts, _ connection: borrowing Connection) throws {
    let account = try accounts.account(of: principal, connection)
    guard account.passwordHash == passwordHash, account.role == principal.role else {
      throw Refusal.signedOut
    }
    guard account.hasSecondFactor else { throw Refusal.mustEnrol }
    try accounts.prove(code, of: account, connection)
  }
}
