import Foundation
import Testing

@testable import Locking

/// One thread holds the lock at a time, and waiting threads are woken.
@Suite struct LockedTests {
  private struct Refused: Error {}

  @Test func `no change is lost when sixteen threads change one value`() {
    let value = Locked([0, 0])
    DispatchQueue.concurrentPerform(iterations: 16) { thread in
      for _ in 0..<5_000 { value.withLock { $0[thread % 2] += 1 } }
    }
    #expect(value.withLock { $0 } == [40_000, 40_000])
  }

  @Test func `an error is rethrown, keeps the changes and frees the lock`() {
    let value = Locked(1)
    #expect(throws: Refused.self) {
      try value.withLock { number throws(Refused) in
        number = 2
        throw Refused()
      }
    }
    #expect(value.withLock { $0 } == 2)
  }

  @Test func `the protected value lives exactly as long as the lock`() {
    final class Kept: Sendable {}
    weak var seen: Kept?
    do {
      let kept = Kept()
      seen = kept
      let value = Locked(kept)
      #expect(value.withLock { $0 === seen })
    }
    #expect(seen == nil)
  }
}

@Suite struct MonitorTests {
  @Test func `a waiting thread goes on when another thread makes the condition true`() {
    let value = Monitor(0)
    Thread.detachNewThread { for _ in 0..<3 { value.withLock { $0 += 1 } } }
    let seen = value.wait(until: { $0 == 3 }) { $0 }
    #expect(seen == 3)
  }

  @Test func `a wait with a deadline ends at the deadline, whatever the value`() {
    let value = Monitor(0)
    let begun = ContinuousClock.now
    let seen = value.wait(until: { $0 == 1 }, orUntil: begun + .milliseconds(50)) { $0 }
    #expect(seen == 0)
    #expect(ContinuousClock.now - begun >= .milliseconds(50))
  }
}
