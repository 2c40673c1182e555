import Testing

@testable import SpatialDatabase

struct SaturationTests {
  private let start = ContinuousClock.now

  /// Ends a transaction every 10 ms for some time, with a processor used for a share of it.
  private func transactions(
    _ saturation: inout Saturation, from begin: Duration, to end: Duration, load: Double
  ) {
    var moment = begin
    while moment <= end {
      saturation.note(isWaiting: true, at: start + moment, processor: moment * load)
      moment += .milliseconds(10)
    }
  }

  @Test func `it takes a window without a pause`() {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: Saturation.window - .milliseconds(10), load: 0.9)
    #expect(!saturation.isReached)
    transactions(&saturation, from: Saturation.window, to: Saturation.window, load: 0.9)
    #expect(saturation.isReached)
  }

  @Test func `a transaction after which nothing waits ends it`() {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(1), load: 0.9)
    saturation.note(isWaiting: false, at: start + .seconds(1), processor: .milliseconds(900))
    #expect(!saturation.isReached)
    // The next window begins anew.
    transactions(
      &saturation, from: .seconds(1), to: .seconds(1) + Saturation.window - .milliseconds(10),
      load: 0.9)
    #expect(!saturation.isReached)
  }

  @Test(arguments: [(0.39, false), (0.41, true)])
  func `a writer that waits for the disk is not saturated`(load: Double, isReached: Bool) {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(1), load: load)
    #expect(saturation.isReached == isReached)
  }

  @Test func `only the last window counts`() {
    var saturation = Saturation()
    transactions(&saturation, from: .zero, to: .seconds(10), load: 0.9)
    for number in 1...30 {
      saturation.note(
        isWaiting: true, at: start + .seconds(10) + .milliseconds(number * 10),
        processor: .seconds(9))
    }
    #expect(!saturation.isReached)
  }
}
