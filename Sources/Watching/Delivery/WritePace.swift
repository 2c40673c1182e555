import Foundation
import SpatialDatabase

/// Slows deliveries while requests write as fast as the writer can.
///
/// What is delivered then takes processor time and pages of memory from the requests, and can wait: it is complete in the
/// database. At other times it is delivered at once.
struct WritePace: Sendable {
  /// The rest after a piece of work, in durations of it.
  private static let share = 9.0
  /// So that deliveries go on in any case.
  private static let longest = Duration.milliseconds(500)

  let writer: GroupedWriter

  /// Rests after work of this duration, if writes are saturated.
  func rest(after work: Duration) {
    guard writer.isSaturated else { return }
    Thread.sleep(forTimeInterval: min(work * Self.share, Self.longest) / .seconds(1))
  }
}
