import Locking
import SpatialDatabase

/// Lets requests write first: while they write as fast as the processor allows, the work of watches waits.
///
/// What there is to compare and to deliver is complete in the database meanwhile. After a minute the work goes on beside the
/// writes until it has caught up, so no alert waits without end.
final class WritePace: Sendable {
  /// The maximum time that work waits.
  static let longest = Duration.seconds(60)
  /// The time between two looks at the writer.
  static let interval = 0.1

  private let isSaturated: @Sendable () -> Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  /// Since when work waits; nil when it has caught up.
  private let waitsSince = Locked<ContinuousClock.Instant?>(nil)

  init(
    isSaturated: @escaping @Sendable () -> Bool,
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.isSaturated, self.now) = (isSaturated, now)
  }

  /// Whether work has to wait now.
  var mustWait: Bool {
    guard isSaturated() else { return false }
    let now = now()
    return waitsSince.withLock { since in
      let begin = since ?? now
      since = begin
      return now - begin < Self.longest
    }
  }

  /// Notes that nothing is left to do.
  func end() { waitsSince.withLock { $0 = nil } }
}
