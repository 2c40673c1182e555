import PrivacyMap

/// How much one account may contribute in an hour: a new one little, so that a made-up account does
/// little harm before somebody looks; moderators and admins as much as they like.
struct ContributionLimits: Sendable {
  private let additions: Throttle<Int64>
  private let edits: Throttle<Int64>
  private let verdicts: Throttle<Int64>
  private let photos: Throttle<Int64>

  init(now: @escaping @Sendable () -> Timestamp) {
    additions = Throttle(limit: 300, window: .seconds(3_600), now: now)
    edits = Throttle(limit: 600, window: .seconds(3_600), now: now)
    verdicts = Throttle(limit: 300, window: .seconds(3_600), now: now)
    photos = Throttle(limit: 60, window: .seconds(3_600), now: now)
  }

  /// Counts a device added. Called where the write is carried out, so that side by side requests
  /// cannot pass together.
  func spendAddition(_ principal: Principal) throws { try spend(additions, principal, new: 10) }

  /// Counts an attempt to change a device, before anything is looked at: what is refused has cost as
  /// much.
  func spendEdit(_ principal: Principal) throws { try spend(edits, principal, new: 30) }

  /// Takes the last attempt back: it changes nothing.
  func giveBackEdit(_ principal: Principal) {
    if principal.role < .moderator { edits.giveBack(principal.account) }
  }

  /// Counts a picture that is to be read, taken or not: reading is what costs.
  func spendPhoto(_ principal: Principal) throws { try spend(photos, principal, new: 15) }

  /// Counts a verdict.
  func spendVerdict(_ principal: Principal) throws { try spend(verdicts, principal, new: 30) }

  private func spend(_ throttle: Throttle<Int64>, _ principal: Principal, new: Int) throws {
    guard principal.role < .moderator else { return }
    try throttle.spend(principal.account, limit: principal.isNew ? new : nil)
  }
}
