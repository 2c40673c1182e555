import Foundation
import Testing

@testable import Metrics

/// No observation is lost or counted twice, however many threads count at once.
@Suite struct CountingTests {
  private enum Colour: String, CaseIterable, Sendable { case red, green }

  /// Runs `body` this many times on each of eight threads.
  private func sideBySide(_ times: Int, _ body: @escaping @Sendable (Int) -> Void) {
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<times { body(thread * times + number) }
    }
  }

  @Test func `a counter adds up the counts of all threads`() {
    let counter = Counter()
    sideBySide(20_000) { _ in counter.add() }
    #expect(counter.value == 160_000)
    counter.add(-5)
    #expect(counter.value == 160_000)
  }

  @Test func `a gauge returns to its first value after equal increments and decrements`() {
    let gauge = Gauge()
    sideBySide(20_000) { _ in
      #expect(gauge.add(1) > 0)
      gauge.add(-1)
    }
    #expect(gauge.value == 0)
  }

  @Test func `every observation of a histogram is in its bucket and in its sum`() {
    let histogram = Histogram.ofCounts([10, 1_000])
    sideBySide(10_000) { histogram.observe(UInt64($0)) }
    let reading = histogram.reading
    #expect(reading.buckets.map(\.count) == [11, 1_001, 80_000])
    #expect(reading.count == 80_000)
    #expect(reading.sum == 80_000 * 79_999 / 2)
  }

  @Test func `a reading during observations is consistent`() {
    let histogram = Histogram.ofCounts([1, 2])
    sideBySide(2_000) { number in
      histogram.observe(UInt64(number % 4))
      let buckets = histogram.reading.buckets.map(\.count)
      #expect(buckets == buckets.sorted())
    }
  }

  @Test(arguments: [(1, 0), (2, 1), (3, 1), (4, 2), (1_000_000, 2)])
  func `a bucket includes its bound, and larger values count in the last bucket`(
    steps: UInt64, bucket: Int
  ) {
    let histogram = Histogram.ofCounts([1, 3])
    histogram.observe(steps)
    #expect(histogram.reading.buckets.firstIndex { $0.count == 1 } == bucket)
  }

  @Test func `a negative duration counts as zero`() {
    let histogram = Histogram.ofDurations(microseconds: [1])
    histogram.observe(.seconds(-1))
    #expect(histogram.reading.buckets.map(\.count) == [1, 1])
    #expect(histogram.reading.sum == 0)
  }

  @Test func `labelled counters are separate, and include those that are 0`() {
    let counters = Counters<Colour>()
    sideBySide(1_000) { counters.add($0.isMultiple(of: 4) ? .red : .green) }
    #expect(counters.value(.red) == 2_000)
    #expect(counters.value(.green) == 6_000)
    #expect(Counters<Colour>().samples.map(\.labels) == [["red"], ["green"]])
  }

  @Test func `an unknown label value is not counted`() {
    let row = CounterRow(count: 2)
    for place in [-1, 0, 1, 2] { row.add(at: place) }
    #expect(row.values == [1, 1])
  }
}
