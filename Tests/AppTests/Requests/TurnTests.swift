import Foundation
import Locking
import Metrics
@testable import Service
import Testing

/// Accounts take turns in a queue, so that the work of one does not delay that of others.
@Suite struct TurnTests {
  /// Counts the operations that ran and lets them wait.
  private final class Gate: Sendable {
    private let open = DispatchSemaphore(value: 0)
    private let names = Locked<[String]>([])

    var ran: [String] { names.withLock { $0 } }

    /// An operation that waits for ``pass(_:)``.
    func operation(_ name: String) -> @Sendable () -> Void {
      { [self] in
        names.withLock { $0.append(name) }
        open.wait()
      }
    }

    func pass(_ count: Int) { for _ in 0..<count { open.signal() } }

    /// Waits until a number of operations have begun.
    func expect(_ count: Int) {
      let end = ContinuousClock.now + .seconds(20)
      while ran.count < count, .now < end { usleep(1_000) }
    }
  }

  @Test func `one account never takes all places`() {
    let (queue, gate) = (WorkQueue(width: 2, capacity: 16), Gate())
    for number in 1...4 { #expect(queue.add(for: 1, gate.operation("a\(number)"))) }
    #expect(queue.add(for: 2, gate.operation("b")))
    gate.expect(2)
    usleep(50_000)
    #expect(gate.ran == ["a1", "b"])
    gate.pass(5)
    queue.stop()
    #expect(gate.ran == ["a1", "b", "a2", "a3", "a4"])
    #expect(queue.length == 0)
  }

  @Test func `an account that comes later is next`() {
    let (queue, gate) = (WorkQueue(width: 1, capacity: 16), Gate())
    for number in 1...4 { #expect(queue.add(for: 1, gate.operation("a\(number)"))) }
    gate.expect(1)
    #expect(queue.add(for: 2, gate.operation("b")))
    gate.pass(5)
    queue.stop()
    #expect(gate.ran.prefix(3).contains("b"))
  }

  @Test func `an account gets a quarter of the queue`() {
    let (queue, gate) = (WorkQueue(width: 1, capacity: 16), Gate())
    let taken = (1...6).map { queue.add(for: 1, gate.operation("a\($0)")) }
    #expect(taken == [true, true, true, true, false, false])
    #expect(queue.refused.value == 2)
    #expect(queue.add(for: 2, gate.operation("b")))
    #expect(queue.add(gate.operation("nobody")))
    gate.pass(6)
    queue.stop()
    #expect(gate.ran.count == 6)
  }

  @Test func `work of no account fills the queue in its order`() {
    let (queue, gate) = (WorkQueue(width: 1, capacity: 3), Gate())
    let taken = (1...4).map { queue.add(gate.operation("\($0)")) }
    #expect(taken == [true, true, true, false])
    gate.pass(3)
    queue.stop()
    #expect(gate.ran == ["1", "2", "3"])
  }
}
