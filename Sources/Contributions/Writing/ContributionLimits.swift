package import Service

/// Limits the contributions of one account per hour. The limits of a new account are low, so that a
/// fake account does little harm before a moderator notices. Moderators and admins have no limit.
package struct ContributionLimits: InstancePart {
  private let additions: Throttle<Int64>
  private let edits: Throttle<Int64>
  private let verdicts: Throttle<Int64>
  private let photos: Throttle<Int64>
  private let lists: Throttle<Int64>

  package init(_ instance: Instance) {
    let rates = instance.rates
    additions = rates.limit("contributions.additions", 300, per: .seconds(3_600))
    edits = rates.limit("contributions.edits", 600, per: .seconds(3_600))
    verdicts = rates.limit("contributions.verdicts", 300, per: .seconds(3_600))
    photos = rates.limit("contributions.photos", 60, per: .seconds(3_600))
    lists = rates.limit("contributions.lists", 60, per: .seconds(3_600))
  }

  /// Counts an added device. Called within the write, so that concurrent requests cannot exceed the
  /// limit together.
  func spendAddition(_ principal: Principal) throws { try spend(additions, principal, new: 10) }

  /// Counts an attempt to change a device, before any check: a refused attempt costs as much.
  package func spendEdit(_ principal: Principal) throws { try spend(edits, principal, new: 30) }

  /// Uncounts the last attempt, because it changes nothing.
  func giveBackEdit(_ principal: Principal) throws {
    if principal.role < .moderator { try edits.giveBack(principal.account) }
  }

  /// Counts a photo before it is decoded, even if it is refused later: decoding is the cost.
  package func spendPhoto(_ principal: Principal) throws { try spend(photos, principal, new: 15) }

  /// Counts a list before it is read, even if it is refused later: reading is the cost.
  package func spendList(_ principal: Principal) throws { try spend(lists, principal, new: 20) }

  /// Counts a verdict.
  func spendVerdict(_ principal: Principal) throws { try spend(verdicts, principal, new: 30) }

  private func spend(_ throttle: Throttle<Int64>, _ principal: Principal, new: Int) throws {
    guard principal.role < .moderator else { return }
    try throttle.spend(principal.account, limit: principal.isNew ? new : nil)
  }
}
