internal import Synchronization

/// Accepts connections and passes each to one of the worker threads in turn. Health checks go to a separate thread.
///
/// In libmicrohttpd's own pool, the thread that wakes first takes all pending connections. One thread then answers
/// all connections that a browser or a proxy opens at once, one request after the other, while the other threads are
/// idle (`docs/decisions/0014-one-acceptor-distributes-connections.md`).
final class Acceptor: Sendable {
  private let thread: WorkerThread
  private let wakeup: Wakeup
  private let isStopped: StopFlag

  /// Nil when the system has no more threads or descriptors.
  init?(_ listener: Int32, to daemons: Daemons, _ context: ServerContext) {
    guard let wakeup = Wakeup() else { return nil }
    let isStopped = StopFlag()
    let thread = WorkerThread {
      var loop = AcceptLoop(listener: listener, wakeup: wakeup, daemons: daemons, context: context)
      while !isStopped.value.load(ordering: .acquiring) { loop.accept() }
      loop.close()
    }
    guard let thread else {
      wakeup.close()
      return nil
    }
    self.thread = thread
    self.wakeup = wakeup
    self.isStopped = isStopped
  }

  /// Waits until the acceptor's thread has ended. Later connections remain unanswered. Call it
  /// once.
  func stop() {
    isStopped.value.store(true, ordering: .releasing)
    wakeup.signal()
    thread.join()
    wakeup.close()
  }
}

private final class StopFlag: Sendable {
  let value = Atomic(false)
}
