/// Counts observations in fixed buckets, and their sum.
///
/// Values are observed in whole steps, so counting only adds to two integers: it takes no lock, and no
/// observation is lost however many threads observe at once.
package final class Histogram: Sendable {
  /// Upper bounds of the buckets in steps, inclusive; one more bucket follows the last.
  let bounds: [UInt64]
  /// The size of a step, in the unit of the output.
  let step: Double
  /// A counter for each bucket, followed by the sum.
  private let cells: CounterRow

  init(bounds: [UInt64], step: Double) {
    self.bounds = bounds.sorted()
    self.step = step
    cells = CounterRow(count: bounds.count + 2)
  }

  /// A histogram of counts.
  package static func ofCounts(_ bounds: [UInt64]) -> Histogram {
    Histogram(bounds: bounds, step: 1)
  }

  /// A histogram of durations, reported in seconds; `bounds` in microseconds, by default from half a
  /// millisecond to ten seconds.
  package static func ofDurations(
    microseconds bounds: [UInt64] = [
      500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
      2_500_000, 5_000_000, 10_000_000,
    ]
  ) -> Histogram {
    Histogram(bounds: bounds, step: 1e-6)
  }

  /// Records a value in steps.
  package func observe(_ steps: UInt64) {
    var place = 0
    // Starts at the smallest bound, because most values are small.
    while place < bounds.count, steps > bounds[place] { place += 1 }
    cells.add(at: place)
    cells.add(steps, at: bounds.count + 1)
  }

  /// Records a duration; a step must be a microsecond.
  package func observe(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    observe(UInt64(clamping: microseconds))
  }

  /// The state at one time.
  package struct Reading: Equatable, Sendable {
    /// Upper bounds in the unit of the output, each with the number of values up to it. The last bound is
    /// infinity, with the count of all values.
    package let buckets: [(bound: Double, count: UInt64)]
    /// The sum of all values, in the unit of the output.
    package let sum: Double

    /// The number of values observed.
    package var count: UInt64 { buckets.last?.count ?? 0 }

    package static func == (one: Reading, other: Reading) -> Bool {
      one.sum == other.sum && one.buckets.elementsEqual(other.buckets, by: ==)
    }
  }

  /// As consistent as possible without a lock. The counts never contradict each other, because the total
  /// is their sum.
  package var reading: Reading {
    let values = cells.values
    var total: UInt64 = 0
    let limits = bounds.map { Self.shown($0, step) } + [.infinity]
    let buckets = zip(limits, values).map { bound, count in
      total += count
      return (bound: bound, count: total)
    }
    return Reading(buckets: buckets, sum: Double(values.last ?? 0) * step)
  }

  /// 0.0025 rather than 0.0024999999999999996.
  private static func shown(_ bound: UInt64, _ step: Double) -> Double {
    step < 1 ? Double(bound) / (1 / step).rounded() : Double(bound) * step
  }
}
