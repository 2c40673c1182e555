internal import Foundation

/// Threads with a name, which debuggers and `top -H` show.
///
///     NamedThread.start("lease") { [self] in renew() }
package enum NamedThread {
  /// Starts a thread that ends with `work`. `nice` lowers its priority, see ``ThreadPriority/lower(to:)``.
  package static func start(
    _ name: String, nice: Int32 = 0, _ work: @escaping @Sendable () -> Void
  ) {
    let thread = Thread {
      if nice > 0 { ThreadPriority.lower(to: nice) }
      work()
    }
    thread.name = name
    thread.start()
  }
}
