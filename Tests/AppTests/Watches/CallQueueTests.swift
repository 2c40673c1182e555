import Testing

@testable import Watching

@Suite struct CallQueueTests {
  private var queue = CallQueue()

  @Test mutating func `one call at a time goes to a host, and hosts take turns`() {
    for watch: Int64 in 1...3 { queue.add(watch, at: "a") }
    queue.add(4, at: "b")
    #expect(queue.take().map { $0.watch } == 1)
    #expect(queue.take().map { $0.watch } == 4)
    #expect(!queue.isReady && queue.take() == nil)
    queue.free("a")
    #expect(queue.isReady)
    #expect(queue.take().map { $0.watch } == 2)
    queue.free("b")
    #expect(!queue.isReady)
  }

  @Test mutating func `a watch waits once, and again while it is being called`() {
    queue.add(1, at: "a")
    queue.add(1, at: "a")
    #expect(queue.take() != nil)
    queue.add(1, at: "a")
    #expect(queue.take() == nil)
    queue.free("a")
    #expect(queue.take().map { $0.watch } == 1)
    queue.free("a")
    #expect(queue.take() == nil)
  }
}
