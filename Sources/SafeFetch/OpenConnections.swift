internal import CCurl
internal import Locking

/// Connections to webhooks that stay open between calls, each in a transfer handle of libcurl.
///
/// A new connection takes a TLS handshake, for which GnuTLS parses all certificate authorities of the system: several
/// milliseconds of processor time for each call.
final class OpenConnections: Sendable {
  /// A place to connect to: a host name, and the checked address and port.
  struct Place: Equatable, Sendable {
    let host: String
    let address: String
    /// When the name was looked up.
    let foundAt: ContinuousClock.Instant

    init(host: String, address: String, foundAt: ContinuousClock.Instant = .now) {
      (self.host, self.address, self.foundAt) = (host, address, foundAt)
    }

    fileprivate func isSame(as other: Place) -> Bool {
      host == other.host && address == other.address
    }
  }

  /// An unused handle.
  ///
  /// `@unchecked Sendable`: the lock around ``idle`` passes a handle to one thread at a time, as libcurl requires.
  private struct Idle: @unchecked Sendable {
    let handle: UnsafeMutableRawPointer
    let place: Place
    let since: ContinuousClock.Instant
  }

  /// The maximum number of connections that stay open, each with some hundred kilobytes of parsed authorities.
  static let maximum = 64
  /// The time after which an unused connection is closed, at the next call.
  static let idleTimeout = Duration.seconds(60)
  /// The time for which an open connection is used without looking its name up again.
  static let validity = Duration.seconds(60)

  private let idle = Locked<[Idle]>([])

  deinit {
    for one in idle.withLock({ $0 }) { curl_easy_cleanup(one.handle) }
  }

  /// A handle with an open connection to a host whose name was looked up recently. Nil without one.
  func take(host: String) -> (handle: UnsafeMutableRawPointer, place: Place)? {
    let limit = ContinuousClock.now - Self.validity
    return take { $0.host == host && $0.foundAt >= limit }.map { ($0.handle, $0.place) }
  }

  /// A handle, with an open connection to `place` if there is one. Nil if memory is exhausted.
  func take(_ place: Place) -> UnsafeMutableRawPointer? {
    take { $0.isSame(as: place) }?.handle ?? curl_easy_init()
  }

  private func take(where isWanted: (Place) -> Bool) -> Idle? {
    let (found, old) = idle.withLock { idle in
      let limit = ContinuousClock.now - Self.idleTimeout
      let old = idle.filter { $0.since < limit }
      idle.removeAll { $0.since < limit }
      return (idle.lastIndex { isWanted($0.place) }.map { idle.remove(at: $0) }, old)
    }
    for one in old { curl_easy_cleanup(one.handle) }
    return found
  }

  /// Keeps a handle from ``take(_:)`` after a successful call.
  func keep(_ handle: UnsafeMutableRawPointer, _ place: Place) {
    // Forgets the options, which point to memory of the call, but keeps the connection.
    curl_easy_reset(handle)
    let one = Idle(handle: handle, place: place, since: .now)
    let surplus = idle.withLock { idle in
      idle.append(one)
      return idle.count > Self.maximum ? idle.removeFirst() : nil
    }
    if let surplus { curl_easy_cleanup(surplus.handle) }
  }
}
