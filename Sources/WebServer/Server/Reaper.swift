internal import Glibc
internal import Locking

/// Ends connections that take too long over a head or a body.
///
/// libmicrohttpd's own timeout counts silence only, so a client that sends a byte now and then
/// would stay for ever.
final class Reaper {
  private let thread: WorkerThread
  private let isStopped: Monitor<Bool>

  /// It looks at the table once every `interval`; nil when the system gives no more threads.
  init?(_ table: ConnectionTable, interval: Duration) {
    let isStopped = Monitor(false)
    let pause = UInt32(clamping: interval.wholeNanoseconds / 1_000)
    let thread = WorkerThread {
      while !isStopped.withLock({ $0 }) {
        usleep(pause)
        table.cutOverdue(at: Clock.now)
      }
    }
    guard let thread else { return nil }
    self.thread = thread
    self.isStopped = isStopped
  }

  /// Waits until its thread has ended.
  func stop() {
    isStopped.withLock { $0 = true }
    thread.join()
  }
}
