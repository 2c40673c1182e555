internal import Locking
internal import Foundation
internal import PostgreSQL
internal import Synchronization

/// Learns of writes by other servers on the same PostgreSQL database.
package final class WriteListener: Sendable {
  /// The channel of `NOTIFY`.
  static let channel = "farol_writes"
  /// The longest time between two checks: a notification may be lost.
  private static let pause = Duration.milliseconds(500)

  private let isStopped = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Starts a thread that calls `look` soon after each write of others, and at least twice a second. `own` is the
  /// payload of the notifications of this server, which knows its own writes.
  init(
    _ address: ServerAddress, ignoring own: String, _ look: @escaping @Sendable () -> Void
  ) throws {
    // Checks the channel before the thread starts.
    _ = try NotificationListener(address, channel: Self.channel)
    NamedThread.start("writes of others") { [self] in
      let listener = try? NotificationListener(address, channel: Self.channel)
      while !isStopped.load(ordering: .acquiring) {
        // Without a connection, the look itself finds out whether the server answers.
        if (try? listener?.wait(upTo: Self.pause, ignoring: own)) == nil {
          Thread.sleep(forTimeInterval: 0.5)
        }
        look()
      }
      ended.signal()
    }
  }

  /// Waits for the thread.
  package func stop() {
    isStopped.store(true, ordering: .releasing)
    ended.wait()
    // For another caller.
    ended.signal()
  }
}
