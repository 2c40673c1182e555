import Locking
import Testing

@testable import Watching

struct WritePaceTests {
  private final class World: Sendable {
    let isSaturated = Locked(false)
    let now = Locked(ContinuousClock.now)

    var pace: WritePace {
      WritePace(
        isSaturated: { [self] in isSaturated.withLock { $0 } },
        now: { [self] in now.withLock { $0 } })
    }

    func advance(_ duration: Duration) { now.withLock { $0 += duration } }
  }

  private let world = World()

  @Test func `work waits only while writes are saturated`() {
    let pace = world.pace
    #expect(!pace.mustWait)
    world.isSaturated.withLock { $0 = true }
    #expect(pace.mustWait)
    world.isSaturated.withLock { $0 = false }
    #expect(!pace.mustWait)
  }

  @Test func `work waits at most a minute`() {
    let pace = world.pace
    world.isSaturated.withLock { $0 = true }
    #expect(pace.mustWait)
    world.advance(WritePace.maxHoldBack - .milliseconds(1))
    #expect(pace.mustWait)
    world.advance(.milliseconds(1))
    #expect(!pace.mustWait)
    world.advance(WritePace.maxHoldBack * 2)
    #expect(!pace.mustWait)
  }

  @Test func `a pause of the writes does not prolong the wait of what is left`() {
    let pace = world.pace
    world.isSaturated.withLock { $0 = true }
    #expect(pace.mustWait)
    world.isSaturated.withLock { $0 = false }
    world.advance(WritePace.maxHoldBack)
    world.isSaturated.withLock { $0 = true }
    #expect(!pace.mustWait)
  }

  @Test func `work that has caught up may wait again`() {
    let pace = world.pace
    world.isSaturated.withLock { $0 = true }
    #expect(pace.mustWait)
    world.advance(WritePace.maxHoldBack)
    #expect(!pace.mustWait)
    pace.end()
    #expect(pace.mustWait)
  }

  @Test func `a long backlog is compared without a rest`() {
    let batch = Duration.milliseconds(100)
    #expect(WritePace.rest(after: batch, backlog: WritePace.maxBacklog) == batch * 2)
    #expect(WritePace.rest(after: batch, backlog: WritePace.maxBacklog + 1) == .zero)
    #expect(WritePace.rest(after: .seconds(10), backlog: 1) == .seconds(1))
  }
}
