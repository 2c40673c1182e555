package import WebServer

/// A queue of requests.
package typealias RequestQueue = TurnQueue<Requester>

/// The person or network whose requests take turns in a ``TurnQueue``.
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

extension TurnQueue<Requester> {
  /// A queue for work of similar cost: `width` jobs at once, and `capacity` waiting, of which one requester has at most
  /// half.
  package convenience init(_ name: String, width: Int, capacity: Int) {
    var limits = Limits()
    limits.width = width
    limits.capacity = capacity
    limits.waiting = max(1, capacity / 2)
    limits.timeout = nil
    self.init(name, limits)
  }

  /// Adds the work for a request. It is dropped if the client goes meanwhile.
  func add(
    _ request: Request, of requester: Requester, _ run: @escaping @Sendable () -> Void,
    _ reply: @escaping Reply
  ) {
    add(for: requester, isWanted: { !request.isAbandoned }, run) { reply(.failure($0.refusal)) }
  }
}

extension TurnQueue.Refused {
  /// 429 if the network has used too much, otherwise 503.
  package var refusal: Refusal {
    guard case .network(let seconds) = self else { return .busy }
    return Refusal(
      .tooManyRequests, "error.too_many",
      ["seconds": "\(seconds)", "minutes": "\((seconds + 59) / 60)"],
      type: "too-many", headers: ["Retry-After": "\(seconds)"])
  }
}
