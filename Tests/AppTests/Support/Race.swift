import Foundation

/// Runs one piece of work on many threads that begin at the same moment.
enum Race {
  static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let start = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for place in 0..<count {
      done.enter()
      Thread.detachNewThread {
        start.wait()
        work(place)
        done.leave()
      }
    }
    for _ in 0..<count { start.signal() }
    done.wait()
  }
}
