/// How often a quantity lay within each of fixed bounds, and what all came to.
///
/// Observed in whole steps, so that counting is adding to two integers: no lock, and nothing is lost
/// however many threads observe at once.
package final class Histogram: Sendable {
  /// Upper bounds of the buckets, in steps, each including its own; beyond the last there is one more.
  let bounds: [UInt64]
  /// What a step is, in the unit that is told.
  let step: Double
  /// A counter for each bucket, and the sum at the end.
  private let cells: CounterRow

  init(bounds: [UInt64], step: Double) {
    self.bounds = bounds.sorted()
    self.step = step
    cells = CounterRow(count: bounds.count + 2)
  }

  /// Of numbers of things.
  package static func ofCounts(_ bounds: [UInt64]) -> Histogram {
    Histogram(bounds: bounds, step: 1)
  }

  /// Of durations, told in seconds; `bounds` in microseconds, by default from half a millisecond to ten
  /// seconds.
  package static func ofDurations(
    microseconds bounds: [UInt64] = [
      500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
      2_500_000, 5_000_000, 10_000_000,
    ]
  ) -> Histogram {
    Histogram(bounds: bounds, step: 1e-6)
  }

  /// Counts a quantity in steps.
  package func observe(_ steps: UInt64) {
    var place = 0
    // From the smallest: what happens often is small.
    while place < bounds.count, steps > bounds[place] { place += 1 }
    cells.add(at: place)
    cells.add(steps, at: bounds.count + 1)
  }

  /// Counts a duration; a step must be a microsecond.
  package func observe(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let microseconds = seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000
    observe(UInt64(clamping: microseconds))
  }

  /// What it shows at a moment.
  package struct Reading: Equatable, Sendable {
    /// Upper bounds in the unit that is told, and how many lay within each or below it; the last bound
    /// is infinity, and its count that of all.
    package let buckets: [(bound: Double, count: UInt64)]
    /// Of all quantities, in the unit that is told.
    package let sum: Double

    /// How many were observed.
    package var count: UInt64 { buckets.last?.count ?? 0 }

    package static func == (one: Reading, other: Reading) -> Bool {
      one.sum == other.sum && one.buckets.elementsEqual(other.buckets, by: ==)
    }
  }

  /// Counts are of one moment as far as that can be had without a lock; they never contradict each
  /// other, as that of all is their sum.
  package var reading: Reading {
    let values = cells.values
    var total: UInt64 = 0
    let limits = bounds.map { Self.told($0, step) } + [.infinity]
    let buckets = zip(limits, values).map { bound, count in
      total += count
      return (bound: bound, count: total)
    }
    return Reading(buckets: buckets, sum: Double(values.last ?? 0) * step)
  }

  /// 0.0025 rather than 0.0024999999999999996.
  private static func told(_ bound: UInt64, _ step: Double) -> Double {
    step < 1 ? Double(bound) / (1 / step).rounded() : Double(bound) * step
  }
}
