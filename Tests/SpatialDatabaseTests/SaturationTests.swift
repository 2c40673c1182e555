import Testing

@testable import SpatialDatabase

struct SaturationTests {
  private let start = ContinuousClock.now

  /// Transactions that end every 10 ms, and take a share of this time of a processor.
  private func transactions(
    _ saturation: inout Saturation, from begin: Duration, to end: Duration, load: Double
  ) {
    for moment in stride(from: begin / .milliseconds(10), through: end / .milliseconds(10), by: 1) {
      saturation.note(.milliseconds(10) * load, at: start + .milliseconds(10) * Int(moment))
    }
  }

  private func isReached(_ saturation: Saturation, at moment: Duration) -> Bool {
    saturation.isReached(at: start + moment)
  }

  @Test func `it takes a whole window`() {
    var saturation = Saturation()
    let last = Saturation.window - .milliseconds(10)
    transactions(&saturation, from: .zero, to: last, load: 0.9)
    #expect(!isReached(saturation, at: last))
    transactions(&saturation, from: Saturation.window, to: Saturation.window, load: 0.9)
    #expect(isReached(saturation, at: Saturation.window))
  }

  @Test(arguments: [(0.69, false), (0.71, true)])
  func `a writer that waits for the disk is not saturated`(load: Double, expected: Bool) {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(1), load: load)
    #expect(isReached(saturation, at: .seconds(1)) == expected)
  }

  @Test func `a pause ends it, and the next window begins after the pause`() {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(1), load: 0.9)
    #expect(isReached(saturation, at: .seconds(1) + Saturation.pause - .milliseconds(1)))
    #expect(!isReached(saturation, at: .seconds(1) + Saturation.pause))
    // One long transaction after a pause is not much.
    saturation.note(.milliseconds(100), at: start + .seconds(10))
    saturation.note(.milliseconds(5), at: start + .seconds(10) + Saturation.window)
    #expect(!isReached(saturation, at: .seconds(10) + Saturation.window))
  }

  @Test func `it ends at a lower load than it begins`() {
    var saturation = Saturation()
    let (low, lower) = (Saturation.lowLoad + 0.01, Saturation.lowLoad - 0.01)
    transactions(&saturation, from: .zero, to: .seconds(1), load: low)
    #expect(!isReached(saturation, at: .seconds(1)))
    transactions(&saturation, from: .milliseconds(1_010), to: .seconds(2), load: 0.9)
    #expect(isReached(saturation, at: .seconds(2)))
    transactions(&saturation, from: .milliseconds(2_010), to: .seconds(10), load: low)
    #expect(isReached(saturation, at: .seconds(10)))
    transactions(
      &saturation, from: .milliseconds(10_010), to: .seconds(10) + Saturation.longWindow * 2,
      load: lower)
    #expect(!isReached(saturation, at: .seconds(10) + Saturation.longWindow * 2))
  }

  @Test func `a moment with few transactions does not end it`() {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(1), load: 0.9)
    transactions(&saturation, from: .milliseconds(1_010), to: .milliseconds(1_200), load: 0)
    transactions(&saturation, from: .milliseconds(1_210), to: .seconds(2), load: 0.9)
    for moment in stride(from: 1_010, through: 2_000, by: 10) {
      #expect(isReached(saturation, at: .milliseconds(moment)))
    }
  }

  @Test func `only the last window counts`() {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(10), load: 0.9)
    transactions(&saturation, from: .seconds(10), to: .seconds(11), load: 0.1)
    #expect(!isReached(saturation, at: .seconds(11)))
  }
}
