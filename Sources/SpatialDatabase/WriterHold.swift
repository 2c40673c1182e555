// SQLite's headers also declare `timespec`. The compiler attributes it to the module that it reads first.
internal import CSpatiaLite
internal import Glibc
internal import Metrics

extension DatabaseActivity {
  /// Runs a write and records how long it held the writer, whether or not it throws.
  func timed<T>(_ write: () throws -> T) rethrows -> T {
    let watcher = holdWatcher
    // Reading the processor time costs a system call.
    let worked = watcher == nil ? .zero : Self.processorTime()
    let started = ContinuousClock.now
    defer {
      writerHolds.observe(ContinuousClock.now - started)
      watcher?(Self.processorTime() - worked)
    }
    return try write()
  }

  /// Processor time of the calling thread so far. Zero if the system does not provide it.
  @Sendable static func processorTime() -> Duration {
    var time = timespec()
    guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
