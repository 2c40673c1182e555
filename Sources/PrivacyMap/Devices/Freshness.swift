/// The age of a device's last check, derived from the day on which the device becomes stale.
package enum Freshness: String, CaseIterable, Sendable {
  case fresh, due, stale

  /// Number of days before the stale day from which a device is due for a check.
  package static let dueDays: Int32 = 60

  package init(staleOn: Day, today: Day) {
    if staleOn <= today {
      self = .stale
    } else if staleOn.daysSinceEpoch - today.daysSinceEpoch <= Self.dueDays {
      self = .due
    } else {
      self = .fresh
    }
  }
}
