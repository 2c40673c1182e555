import Foundation
internal import Locking
package import WebServer

/// Who waits in a ``TurnQueue``.
package enum Requester: Hashable, Sendable {
  /// An IPv4 address, or the /64 prefix of an IPv6 address.
  case network(ClientAddress)
  /// An account that is not new. Its people do not share the turns of others at a school or a provider.
  case account(Int64)

  init(_ request: Request, _ principal: Principal?) {
    if let principal, !principal.isNew {
      self = .account(principal.account)
    } else {
      self = .network(request.clientAddress.limitKey)
    }
  }
}

/// The queue of reads whose cost depends on the request: words, filters, other orders, statistics, feeds
/// (docs/decisions/0028).
///
/// A handler need not know it. It begins on the thread that serves its socket, and runs once more here as soon as it
/// reads from the database other than quickly (`Database.read`).
package struct CostlyReads: Sendable {
  package let queue: TurnQueue<Requester>
  private let gate: Gate

  /// - Parameters:
  ///   - gate: finds the account of a request.
  ///   - readers: the number of connections for reading.
  ///   - seconds: how long the reads of one network may run in a minute; 0 for no limit. A busy screen of a map with a
  ///     filter takes one or two seconds.
  package init(gate: Gate, readers: Int, seconds: Int) {
    self.gate = gate
    var limits = TurnQueue<Requester>.Limits()
    // One processor and half of the connections are left to the threads that serve sockets.
    limits.width = max(1, min(ProcessInfo.processInfo.activeProcessorCount - 1, readers / 2))
    if seconds > 0 {
      limits.budget = .seconds(seconds)
    } else {
      limits.waiting = limits.capacity
    }
    // While a thread that serves a socket needs the processor, a costly read gets a quarter of it.
    limits.nice = 5
    queue = TurnQueue("costly reads", limits)
  }

  /// The ``Router/relay`` of an instance.
  package func relay(
    _ request: Request, _ run: @escaping @Sendable () -> Void, _ reply: @escaping Reply
  ) {
    queue.add(for: requester(request), isWanted: { !request.isAbandoned }, run) {
      reply(.failure($0.refusal))
    }
  }

  private func requester(_ request: Request) -> Requester {
    // The handler reports invalid credentials.
    let principal = try? SocketThread.running { try gate.principal(of: request) }
    return Requester(request, principal)
  }
}

extension TurnQueue.Refused {
  /// 429 if the network has asked for too much, otherwise 503.
  var refusal: Refusal {
    guard case .network(let seconds) = self else { return .busy }
    return Refusal(
      .tooManyRequests, "error.too_many",
      ["seconds": "\(seconds)", "minutes": "\((seconds + 59) / 60)"],
      type: "too-many", headers: ["Retry-After": "\(seconds)"])
  }
}
