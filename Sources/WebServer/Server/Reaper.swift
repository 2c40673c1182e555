internal import Glibc
internal import Locking

/// Closes connections that take too long to send a head or a body, and handles connections whose
/// clients have finished sending.
///
/// libmicrohttpd's own timeout only measures silence, so a client that sends an occasional byte
/// would stay connected forever.
final class Reaper {
  private let thread: WorkerThread
  private let isStopped: Monitor<Bool>

  /// The milliseconds that libmicrohttpd has to close a connection whose client has finished sending. It closes most of
  /// them itself. The rest are woken after that.
  private static let settling: Int32 = 10

  /// Checks the deadlines once per `interval`. Nil when the system has no more threads.
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

  /// Waits until the thread has ended.
  func stop() {
    isStopped.withLock { $0 = true }
    thread.join()
  }
}
