import Devices
import Reading
import SpatialDatabase

/// Evaluates the filters of many watches separately: a filter that fails or takes long must not keep other watches from
/// reporting.
///
/// Each filter has a slice of time, and all filters of a step share a budget. A filter without a result is undecided:
/// its watch is compared again alone, when its mail or its call is due.
struct FilterTrial: Sendable {
  let database: Database
  /// The time for one filter.
  let slice: Duration
  private let deadline: ContinuousClock.Instant

  /// The time for one filter, and for all filters of a step.
  static let usualSlice = Duration.milliseconds(100)
  static let usualBudget = Duration.milliseconds(500)

  init(
    _ database: Database, slice: Duration = usualSlice, budget: Duration = usualBudget
  ) {
    (self.database, self.slice) = (database, slice)
    deadline = .now + budget
  }

  /// The devices among `rows` that match a filter, hidden ones included. Nil if it fails, exceeds its slice, or if the
  /// budget is used up.
  func matching(
    _ filter: DeviceFilter, among rows: [UInt32], in store: DeviceStore
  ) -> Set<UInt32>? {
    let left = deadline - .now
    guard left > .zero else { return nil }
    // On a separate connection, because a fault ends the transaction.
    return try? database.read(limit: .after(min(slice, left))) { connection in
      try LiveFilter.matching(filter, among: rows, includesHidden: true, in: store, connection)
    }
  }
}
