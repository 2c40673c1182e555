// SQLite's headers include `timespec` too, and the compiler takes it from the module that it reads first.
internal import CSpatiaLite
internal import Glibc
internal import Metrics

/// How long one write had the connection that writes to itself, before its commit.
package struct WriterHold: Sendable {
  /// Time by the clock: what other writes waited.
  package let duration: Duration
  /// Processor time of the thread that wrote. Unlike ``duration`` it does not depend on what else the
  /// machine does.
  package let processor: Duration
}

extension DatabaseActivity {
  /// Runs a write and notes how long it held the writer, whether it throws or not.
  func timed<T>(_ write: () throws -> T) rethrows -> T {
    let watcher = holdWatcher
    // Asking for it costs a system call.
    let worked = watcher == nil ? .zero : Self.processorTime()
    let started = ContinuousClock.now
    defer {
      let duration = ContinuousClock.now - started
      writerHolds.observe(duration)
      watcher?(WriterHold(duration: duration, processor: Self.processorTime() - worked))
    }
    return try write()
  }

  /// Processor time of the calling thread so far; zero where the system does not tell.
  private static func processorTime() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
