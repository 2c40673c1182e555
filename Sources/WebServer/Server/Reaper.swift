internal import Glibc
internal import Locking

/// Ends connections that take too long over a head or a body, and sees to those whose clients have
/// finished sending.
///
/// libmicrohttpd's own timeout counts silence only, so a client that sends a byte now and then
/// would stay for ever.
final class Reaper {
  private let thread: WorkerThread
  private let isStopped: Monitor<Bool>

  /// How long a connection whose client has finished sending is left to libmicrohttpd, which closes most
  /// of them by itself; the rest are woken after that, in milliseconds.
  private static let settling: Int32 = 10

  /// It looks at the deadlines once every `interval`; nil when the system gives no more threads.
  init?(_ table: ConnectionTable, _ hangups: HangupWatch, interval: Duration) {
    let isStopped = Monitor(false)
    let pause = interval.wholeNanoseconds
    let thread = WorkerThread {
      // Sockets with bytes that libmicrohttpd has not read yet.
      var unread: [Int32] = []
      var next = Clock.now &+ pause
      while !isStopped.withLock({ $0 }) {
        let left = Int32(clamping: max(0, (next &- Clock.now) / 1_000_000 + 1))
        let hasNews = hangups.wait(unread.isEmpty ? left : min(left, Self.settling))
        if hasNews { usleep(UInt32(Self.settling) * 1_000) }
        if hasNews || !unread.isEmpty { unread = table.wake(unread + hangups.take()) }
        let now = Clock.now
        guard now >= next else { continue }
        table.cutOverdue(at: now)
        next = now &+ pause
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
