import PrivacyMap
@testable import Service
import Testing

@Suite struct ThrottleTests {
  private let clock = TestClock()

  private var throttle: Throttle<String> {
    Throttle(limit: 2, window: .seconds(60)) { [clock] in clock.now }
  }

  @Test func `a request counts for the length of the window and not longer`() {
    let throttle = throttle
    #expect(throttle.take("a") == nil)
    clock.advance(by: .seconds(20))
    #expect(throttle.take("a") == nil)
    #expect(throttle.take("a") == 40)
    #expect(throttle.take("b") == nil)
    clock.advance(by: .seconds(39))
    #expect(throttle.wait(for: "a") == 1)
    clock.advance(by: .seconds(1))
    #expect(throttle.take("a") == nil)
  }

  @Test func `a clock set back by a year does not block requests for a year`() {
    let throttle = throttle
    for _ in 1...2 { #expect(throttle.take("a") == nil) }
    clock.advance(by: .seconds(-365 * 86_400))
    #expect(throttle.take("a") == nil)
  }

  @Test func `a clock set back by a second resets no limit`() {
    let throttle = throttle
    for _ in 1...2 { #expect(throttle.take("a") == nil) }
    clock.advance(by: .seconds(-1))
    #expect(throttle.take("a") != nil)
  }
}
