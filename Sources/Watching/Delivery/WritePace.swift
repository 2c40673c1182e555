import Locking

/// Lets requests write first: while they write as fast as the processor allows, the work of watches waits.
///
/// The changes are in the database meanwhile, so no alert is lost. After a minute the work continues alongside the
/// writes until it has caught up.
final class WritePace: Sendable {
  /// The maximum time that work waits.
  static let maxHoldBack = Duration.seconds(60)
  /// The seconds between two checks of the writer by a waiting thread.
  static let interval = 0.1
  /// The rest between two batches of a backlog, in durations of the batch before it: requests get most of the time.
  private static let restShare = 2.0
  private static let maxRest = Duration.seconds(1)
  /// The number of waiting changes above which there is no rest. While requests write at the limit for minutes, they
  /// would become more without end. At 500 changes a second these are 20 seconds.
  static let maxBacklog: Int64 = 10_000

  private let isSaturated: @Sendable () -> Bool
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The start of the wait; nil once the work has caught up.
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
      return now - begin < Self.maxHoldBack
    }
  }

  /// The rest after a batch of a backlog.
  ///
  /// - Parameters:
  ///   - batch: the duration of the batch.
  ///   - backlog: the number of remaining changes.
  /// - Returns: its duration.
  static func rest(after batch: Duration, backlog: Int64) -> Duration {
    backlog > maxBacklog ? .zero : min(maxRest, batch * restShare)
  }

  /// Records that the work has caught up.
  func end() { waitsSince.withLock { $0 = nil } }
}
