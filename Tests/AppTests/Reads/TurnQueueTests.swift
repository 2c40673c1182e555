import Foundation
import Locking
import Metrics
@testable import Service
import Testing

/// The order, the bounds and the budgets of a queue with turns.
@Suite struct TurnQueueTests {
  typealias Queue = TurnQueue<String>

  /// The events of jobs, in their order.
  private final class Log: Sendable {
    private let state = Monitor<[String]>([])

    func add(_ text: String) { state.withLock { $0.append(text) } }

    var all: [String] { state.withLock { $0 } }

    /// The first entries, as soon as there are so many.
    func first(_ count: Int) -> [String] {
      state.wait(until: { $0.count >= count }, orUntil: .now + .seconds(20)) {
        Array($0.prefix(count))
      }
    }
  }

  /// A job that occupies a thread until it is released.
  private final class Blocker: Sendable {
    private let begun = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    init(_ queue: Queue, for key: String) {
      let isRefused = Locked(true)
      // On a busy machine no thread may take the job before the timeout of a test, so it is added again.
      while isRefused.withLock({ $0 }) {
        queue.add(for: key) { [begun, end] in
          isRefused.withLock { $0 = false }
          begun.signal()
          end.wait()
        } refuse: { [begun] _ in
          begun.signal()
        }
        begun.wait()
      }
    }

    func release() { end.signal() }
  }

  private let log = Log()

  private func queue(_ change: (inout Queue.Limits) -> Void = { _ in }) -> Queue {
    var limits = Queue.Limits()
    change(&limits)
    return Queue("test", limits)
  }

  private func add(
    _ name: String, for key: String, to queue: Queue, taking time: Double = 0,
    isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    queue.add(for: key, isWanted: isWanted) { [log] in
      if time > 0 { Thread.sleep(forTimeInterval: time) }
      log.add(name)
    } refuse: { [log] in
      log.add("\(name) \($0)")
    }
  }

  @Test func `networks take turns`() {
    let queue = queue()
    let blocker = Blocker(queue, for: "other")
    for number in 1...3 { add("a\(number)", for: "a", to: queue, taking: 0.02) }
    for number in 1...3 { add("b\(number)", for: "b", to: queue, taking: 0.02) }
    blocker.release()
    let order = log.first(6)
    // The second job is of the network that has used nothing; later ones depend on the exact times.
    #expect(order.prefix(2) == ["a1", "b1"])
    #expect(order.filter { $0.hasPrefix("a") } == ["a1", "a2", "a3"])
    #expect(order.filter { $0.hasPrefix("b") } == ["b1", "b2", "b3"])
  }

  @Test func `a network that has used little comes before all that have used much`() {
    // A sixtieth of a second is forgiven in each second.
    let queue = queue { $0.budget = .seconds(1) }
    for number in 0..<5 { add("used", for: "much\(number)", to: queue, taking: 0.1) }
    _ = log.first(5)
    let blocker = Blocker(queue, for: "other")
    for number in 0..<5 { add("much", for: "much\(number)", to: queue) }
    add("little", for: "little", to: queue)
    blocker.release()
    #expect(log.first(11)[5] == "little")
  }

  @Test func `one network never occupies all threads`() {
    let queue = queue { $0.width = 2 }
    let blocker = Blocker(queue, for: "a")
    add("a", for: "a", to: queue)
    add("b", for: "b", to: queue)
    #expect(log.first(1) == ["b"])
    Thread.sleep(forTimeInterval: 0.05)
    #expect(log.all == ["b"])
    blocker.release()
    #expect(log.first(2) == ["b", "a"])
  }

  @Test func `a network may have a few waiting jobs`() {
    let queue = queue { $0.waiting = 2 }
    let blocker = Blocker(queue, for: "a")
    for number in 1...3 { add("a\(number)", for: "a", to: queue) }
    add("b", for: "b", to: queue)
    #expect(log.all == ["a3 network(seconds: 5)"])
    #expect(queue.limited.value == 1)
    #expect(queue.refused.value == 0)
    blocker.release()
    #expect(Set(log.first(4)) == ["a3 network(seconds: 5)", "a1", "a2", "b"])
  }

  @Test func `a full queue takes a place from the network with the most waiting jobs`() {
    let queue = queue { $0.capacity = 4 }
    let blocker = Blocker(queue, for: "other")
    for number in 1...4 { add("a\(number)", for: "a", to: queue) }
    add("b1", for: "b", to: queue)
    #expect(log.all == ["a4 full"])
    // With three and one, b may have another; with two and two, a third is refused.
    add("b2", for: "b", to: queue)
    add("b3", for: "b", to: queue)
    #expect(log.all == ["a4 full", "a3 full", "b3 full"])
    #expect(queue.refused.value == 3)
    blocker.release()
    #expect(Set(log.first(7).suffix(4)) == ["a1", "a2", "b1", "b2"])
  }

  @Test func `the budget of a network ends, and comes back`() {
    // A sixtieth of a second is forgiven in each second.
    let queue = queue { $0.budget = .seconds(1) }
    add("a1", for: "a", to: queue, taking: 1.01)
    _ = log.first(1)
    Thread.sleep(forTimeInterval: 0.05)
    add("a2", for: "a", to: queue)
    add("b", for: "b", to: queue)
    let later = Set(log.first(3).suffix(2))
    #expect(later.contains("b"))
    #expect(later.contains { $0.hasPrefix("a2 network(seconds: ") })
    Thread.sleep(forTimeInterval: 2.5)
    add("a3", for: "a", to: queue)
    #expect(log.first(4).last == "a3")
  }

  @Test func `jobs that wait when a budget ends are refused`() {
    let queue = queue { $0.budget = .milliseconds(100) }
    for number in 1...3 { add("a\(number)", for: "a", to: queue, taking: 0.2) }
    let ended = log.first(3)
    #expect(ended[0] == "a1")
    #expect(ended.dropFirst().allSatisfy { $0.contains("network") })
    #expect(queue.length == 0)
  }

  @Test func `a job that has waited too long is refused`() {
    let queue = queue { $0.timeout = .milliseconds(50) }
    let blocker = Blocker(queue, for: "a")
    add("late", for: "b", to: queue)
    Thread.sleep(forTimeInterval: 0.1)
    add("early", for: "c", to: queue)
    #expect(log.all == ["late full"])
    blocker.release()
    #expect(log.first(2) == ["late full", "early"])
  }

  @Test func `without a limit a job waits as long as it must`() {
    let queue = queue { $0.timeout = nil }
    let blocker = Blocker(queue, for: "a")
    add("first", for: "b", to: queue)
    Thread.sleep(forTimeInterval: 0.1)
    add("second", for: "c", to: queue)
    blocker.release()
    #expect(log.first(2) == ["first", "second"])
  }

  @Test func `a job whose client has gone is dropped`() {
    let queue = queue()
    add("gone", for: "a", to: queue, isWanted: { false })
    add("here", for: "b", to: queue)
    #expect(Set(log.first(2)) == ["gone abandoned", "here"])
    #expect(queue.abandoned.value == 1)
  }

  @Test func `a stop refuses waiting jobs and later ones, and waits for the running one`() {
    let queue = queue()
    let blocker = Blocker(queue, for: "a")
    add("waiting", for: "b", to: queue)
    let stopped = Future("stop") { [log] in
      queue.stop()
      log.add("stopped")
    }
    #expect(log.first(1) == ["waiting stopped"])
    add("later", for: "c", to: queue)
    #expect(log.all == ["waiting stopped", "later stopped"])
    blocker.release()
    #expect(throws: Never.self) { try stopped.value() }
    #expect(log.all.last == "stopped")
    #expect(queue.length == 0)
  }

  @Test func `many jobs of many networks all end`() {
    let queue = queue {
      $0.width = 3
      $0.waiting = 1_000
      $0.capacity = 10_000
    }
    Race.run(16) { thread in
      for number in 0..<100 { add("\(thread) \(number)", for: "\(number % 7)", to: queue) }
    }
    #expect(Set(log.first(1_600)).count == 1_600)
    #expect(queue.wait.reading.count == 1_600)
  }
}
