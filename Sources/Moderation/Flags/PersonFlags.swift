import Accounts
package import Service
package import SpatialDatabase

/// Flags of a person by another one who does not know the name, such as the two sides of a visit. They wait in the
/// queue like all flags, and only upheld ones count on a profile.
package struct PersonFlags: Sendable {
  private let store: FlagStore
  private let limit: Throttle<Int64>

  /// The reasons for which a person can be flagged.
  package static let reasons =
    [FlagStore.Reason.offensive, .spam, .personalData, .other].map(\.rawValue)

  init(store: FlagStore, rates: RateLimits) {
    self.store = store
    // Counts together with the flags of devices and photos.
    limit = rates.limit("moderation.flags", FlagRoutes.hourlyLimit, per: .seconds(3_600))
  }

  /// Flags an account.
  ///
  /// - Returns: the id of the flag.
  /// - Throws: ``NotFound`` if the account does not exist, and a 429 after too many flags.
  package func flag(
    _ account: Int64, reason: String, note: String?, by principal: Principal,
    _ connection: borrowing Connection
  ) throws -> String {
    guard let reason = FlagStore.Reason(rawValue: reason),
      let person = try AccountStore().account(account, connection)
    else { throw NotFound.account }
    try limit.spend(
      principal.account, limit: principal.isNew ? FlagRoutes.hourlyLimitOfNew : nil)
    let subject = try Subject(
      Target(kind: .account, id: person.id), for: Caller(principal: principal), connection)
    return try store.flag(
      subject, FlagStore.Words(reason: reason, note: note), by: principal, connection)
  }
}
