internal import Synchronization

/// A figure that only grows, from 0 at the start of the program.
///
/// Any number of threads may count at once, without a lock.
package final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  package init() {}

  /// Adds one, or so many; less than nothing is nothing.
  package func add(_ amount: Int = 1) {
    count.add(UInt64(clamping: amount), ordering: .relaxed)
  }

  package var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A figure that goes up and down, kept by whoever changes it.
package final class Gauge: Sendable {
  private let level = Atomic<Int>(0)

  package init() {}

  /// - Returns: what it is then.
  @discardableResult
  package func add(_ amount: Int) -> Int {
    level.add(amount, ordering: .relaxed).newValue
  }

  package func set(_ value: Int) { level.store(value, ordering: .relaxed) }

  package var value: Int { level.load(ordering: .relaxed) }
}

/// A row of counters side by side in memory, for what is counted often and by place.
///
/// `@unchecked Sendable`: the memory is allocated once, freed with the row, and in between touched by
/// atomic steps alone.
package final class CounterRow: @unchecked Sendable {
  /// How many there are.
  package let count: Int
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>

  package init(count: Int) {
    self.count = max(0, count)
    cells = .allocate(capacity: self.count)
    for place in 0..<self.count { (cells + place).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    cells.deallocate()
  }

  /// Adds to the counter at a place; a place that is not there counts nothing.
  package func add(_ amount: UInt64 = 1, at place: Int) {
    guard place >= 0, place < count else { return }
    cells[place].add(amount, ordering: .relaxed)
  }

  /// All of them, in order.
  package var values: [UInt64] { (0..<count).map { cells[$0].load(ordering: .relaxed) } }
}

/// A counter for each of a few cases, told apart by a label.
package struct Counters<Case: CaseIterable & Equatable & RawRepresentable & Sendable>: Sendable
where Case.RawValue == String {
  private let row = CounterRow(count: Case.allCases.count)

  package init() {}

  package func add(_ which: Case, _ amount: Int = 1) {
    let place = Case.allCases.enumerated().first { $0.element == which }?.offset
    row.add(UInt64(clamping: amount), at: place ?? -1)
  }

  package func value(_ which: Case) -> UInt64 {
    zip(Case.allCases, row.values).first { $0.0 == which }?.1 ?? 0
  }

  /// Each with its label; those that are 0 too, so that the first one is seen to be an increase.
  package var samples: [MetricSample] {
    zip(Case.allCases, row.values).map { MetricSample(Double($1), labels: [$0.rawValue]) }
  }
}
