@testable import App
import Dispatch
import Locking
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

@Suite struct ThrottleTests {
  /// Where events are counted.
  enum Place: CaseIterable {
    case memory, database
  }

  /// Two events in a minute, with a clock.
  private struct Scene {
    let clock: TestClock
    let throttle: Throttle<String>
    let app: TestApp?

    init(_ place: Place) throws {
      let app = place == .database ? try TestApp() : nil
      let clock = app?.clock ?? TestClock()
      let now: @Sendable () -> Timestamp = { clock.now }
      let limits =
        try app.map { RateLimits(try SharedEvents($0.database, now: now()), now: now) }
        ?? RateLimits(now: now)
      (self.clock, self.app) = (clock, app)
      throttle = limits.limit("test", 2, per: .seconds(60))
    }
  }

  @Test(arguments: Place.allCases)
  func `a request counts for the length of the window and not longer`(place: Place) throws {
    let scene = try Scene(place)
    #expect(try scene.throttle.take("a") == nil)
    scene.clock.advance(by: .seconds(20))
    #expect(try scene.throttle.take("a") == nil)
    #expect(try scene.throttle.take("a") == 40)
    #expect(try scene.throttle.take("b") == nil)
    scene.clock.advance(by: .seconds(39))
    #expect(try scene.throttle.wait(for: "a") == 1)
    scene.clock.advance(by: .seconds(1))
    #expect(try scene.throttle.wait(for: "a") == nil)
    #expect(try scene.throttle.take("a") == nil)
  }

  @Test(arguments: Place.allCases)
  func `a clock set back by a year does not block requests for a year`(place: Place) throws {
    let scene = try Scene(place)
    for _ in 1...2 { #expect(try scene.throttle.take("a") == nil) }
    scene.clock.advance(by: .seconds(-365 * 86_400))
    #expect(try scene.throttle.take("a") == nil)
  }

  @Test(arguments: Place.allCases)
  func `a clock set back by a second resets no limit`(place: Place) throws {
    let scene = try Scene(place)
    for _ in 1...2 { #expect(try scene.throttle.take("a") == nil) }
    scene.clock.advance(by: .seconds(-1))
    #expect(try scene.throttle.take("a") != nil)
  }

  @Test(arguments: Place.allCases)
  func `an event that is given back, and all that are forgotten, do not count`(
    place: Place
  ) throws {
    let scene = try Scene(place)
    for _ in 1...2 { #expect(try scene.throttle.take("a") == nil) }
    try scene.throttle.giveBack("a")
    #expect(try scene.throttle.take("a") == nil)
    #expect(try scene.throttle.take("a") == 60)
    try scene.throttle.forget("a")
    for _ in 1...2 { #expect(try scene.throttle.take("a") == nil) }
    #expect(try scene.throttle.take("a") == 60)
  }

  @Test(arguments: Place.allCases)
  func `events can be counted above the limit, and a limit can be lower for some`(
    place: Place
  ) throws {
    let scene = try Scene(place)
    for _ in 1...3 { try scene.throttle.count("a") }
    #expect(try scene.throttle.wait(for: "a") == 60)
    #expect(try scene.throttle.wait(for: "a", limit: 4) == nil)
    #expect(try scene.throttle.take("b", limit: 1) == nil)
    #expect(try scene.throttle.take("b", limit: 1) == 60)
    #expect(try scene.throttle.take("b") == nil)
  }

  @Test(arguments: Place.allCases)
  func `concurrent requests do not exceed the limit together`(place: Place) throws {
    let scene = try Scene(place)
    let taken = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      if (try? scene.throttle.take("a")) == .some(.none) { taken.withLock { $0 += 1 } }
    }
    #expect(taken.withLock { $0 } == 2)
  }

  @Test func `the table of counted events contains no names, and its rows are erased at their end`()
    throws
  {
    let scene = try Scene(.database)
    let app = try #require(scene.app)
    let limits = RateLimits(
      try SharedEvents(app.database, now: app.clock.now), now: { app.clock.now })
    let other: Throttle<String> = limits.limit("other", 2, per: .seconds(60))
    try scene.throttle.count("ana@example.org")
    try other.count("ana@example.org")
    let keys = try app.database.read {
      try $0.rows("SELECT key, happened_at, ends_at FROM counted_event ORDER BY rowid") {
        $0.blob(0)
      }
    }
    #expect(keys.count == 2 && keys.first != keys.last)
    let words = Array("ana".utf8)
    #expect(!keys.contains { $0.count != 16 || $0.starts(with: words) })
    let sweep = try #require(app.app.works["account_sweep"])
    scene.clock.advance(by: .seconds(59))
    try sweep("{}")
    #expect(try app.integer("SELECT count(*) FROM counted_event") == 2)
    scene.clock.advance(by: .seconds(1))
    try sweep("{}")
    #expect(try app.integer("SELECT count(*) FROM counted_event") == 0)
  }
}
