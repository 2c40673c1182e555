import Foundation
internal import Locking
package import WebServer

/// The queue of reads whose cost depends on the request: words, filters, other orders, statistics, feeds
/// (docs/decisions/0028).
///
/// A handler need not know it. It begins on the thread that serves its socket, and runs once more here as soon as it
/// reads from the database other than quickly (`Database.read`).
package struct CostlyReads: Sendable {
  package let queue: RequestQueue
  private let gate: Gate

  /// - Parameters:
  ///   - gate: finds the account of a request.
  ///   - readers: the number of connections for reading.
  ///   - seconds: the maximum time that the reads of one network may run in a minute; 0 for no limit. A busy screen of
  ///     a map with a filter takes one or two seconds.
  package init(gate: Gate, readers: Int, seconds: Int) {
    self.gate = gate
    var limits = RequestQueue.Limits()
    // One processor and half of the connections are left to the threads that serve sockets.
    limits.width = max(1, min(ProcessInfo.processInfo.activeProcessorCount - 1, readers / 2))
    if seconds > 0 {
      limits.budget = .seconds(seconds)
    } else {
      limits.waiting = limits.capacity
    }
    // While a thread that serves a socket needs the processor, a costly read gets a quarter of it.
    limits.nice = 5
    queue = RequestQueue("costly reads", limits)
  }

  /// The ``Router/relay`` of an instance.
  package func relay(
    _ request: Request, _ run: @escaping @Sendable () -> Void, _ reply: @escaping Reply
  ) {
    queue.add(request, of: requester(request), run, reply)
  }

  private func requester(_ request: Request) -> Requester {
    // The handler reports invalid credentials.
    let principal = try? SocketThread.running { try gate.principal(of: request) }
    return Requester(request, principal)
  }
}
