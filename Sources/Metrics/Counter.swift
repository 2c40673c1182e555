internal import Synchronization

/// A counter that only increases, from 0 at the start of the program.
///
/// Any number of threads may count at once, without a lock.
package final class Counter: Sendable {
  private let count = Atomic<UInt64>(0)

  package init() {}

  /// Adds `amount`; negative amounts are ignored.
  package func add(_ amount: Int = 1) {
    count.add(UInt64(clamping: amount), ordering: .relaxed)
  }

  package var value: UInt64 { count.load(ordering: .relaxed) }
}

/// A value that goes up and down.
package final class Gauge: Sendable {
  private let level = Atomic<Int>(0)

  package init() {}

  /// - Returns: the new value.
  @discardableResult
  package func add(_ amount: Int) -> Int {
    level.add(amount, ordering: .relaxed).newValue
  }

  package func set(_ value: Int) { level.store(value, ordering: .relaxed) }

  package var value: Int { level.load(ordering: .relaxed) }
}

/// An array of counters next to each other in memory, for values that are counted often and by index.
///
/// `@unchecked Sendable`: the memory is allocated once, freed with the row, and accessed only with atomic
/// operations in between.
package final class CounterRow: @unchecked Sendable {
  /// The number of counters.
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

  /// Adds to the counter at an index; an index out of range is ignored.
  package func add(_ amount: UInt64 = 1, at place: Int) {
    guard place >= 0, place < count else { return }
    cells[place].add(amount, ordering: .relaxed)
  }

  /// All values, in order.
  package var values: [UInt64] { (0..<count).map { cells[$0].load(ordering: .relaxed) } }
}

/// A counter for each of a few cases, distinguished by a label.
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

  /// Each value with its label, including zeros, so that a first count is visible as an increase.
  package var samples: [MetricSample] {
    zip(Case.allCases, row.values).map { MetricSample(Double($1), labels: [$0.rawValue]) }
  }
}
