package import PrivacyMap
package import SpatialDatabase

/// The right of an account to have work done that continues after its request, such as an import. It does not depend on
/// the session or token of the request.
///
///     try WriteCondition.requiring(.caller, standing.confirm) { try run(list) }
package struct AccountStanding: Sendable {
  /// The account was deleted or suspended, or has another role.
  package struct Lost: Error, CustomStringConvertible {
    package let description = "the account that started it may not do this any more"
  }

  private let account: Int64
  private let role: Role
  private let now: @Sendable () -> Timestamp

  /// `role` is the role that the work needs.
  package init(of account: Int64, as role: Role, now: @escaping @Sendable () -> Timestamp) {
    (self.account, self.role, self.now) = (account, role, now)
  }

  /// Checks it in a transaction of the work.
  ///
  /// - Throws: ``Lost``.
  @Sendable package func confirm(_ connection: Connection) throws {
    let now = now()
    let isGood = try connection.first(
      """
      SELECT role, suspended_at, suspended_until, totp_confirmed_at FROM account WHERE rowid = ?
      """, [.integer(account)]
    ) { row in
      let until = row.optionalText(2).flatMap { Timestamp(text: $0) }
      let isSuspended = !row.isNull(1) && (until.map { $0 > now } ?? true)
      let isEnrolled = !role.needsSecondFactor || !row.isNull(3)
      return (Role(rawValue: row.text(0)) ?? .contributor) >= role && !isSuspended && isEnrolled
    }
    guard isGood == true else { throw Lost() }
  }
}
