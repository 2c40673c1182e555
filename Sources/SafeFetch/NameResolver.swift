internal import Foundation
internal import Locking

/// Looks up the addresses of host names, with a time limit for each.
///
/// `getaddrinfo` has no time limit and cannot be interrupted. With name servers that do not answer, it takes as long as
/// `/etc/resolv.conf` allows, half a minute or more. So each lookup runs on a separate thread. A lookup that exceeds
/// the limit occupies its thread until the system gives up; while ``maximum`` lookups are in progress, further ones are
/// refused.
final class NameResolver: Sendable {
  /// The reason why a lookup failed; a name without addresses is not a failure.
  enum Failure: Error {
    case tookTooLong
    /// The maximum number of lookups is in progress.
    case busy
  }

  /// The maximum number of lookups at a time.
  let maximum: Int
  private let limit: Duration
  private let lookUp: @Sendable (String) -> [PublicAddress]
  private let underWay = Locked(0)

  /// - Parameters:
  ///   - limit: the longest wait of a caller.
  ///   - maximum: the maximum number of lookups in progress.
  ///   - lookUp: resolves a name; may block.
  init(
    limit: Duration = .seconds(4), maximum: Int = 4,
    lookUp: @escaping @Sendable (String) -> [PublicAddress] = { PublicAddress.all(of: $0) }
  ) {
    self.limit = limit
    self.maximum = maximum
    self.lookUp = lookUp
  }

  /// The addresses of a host; an empty list if it has no address.
  ///
  /// - Throws: ``Failure``, after ``limit`` at the latest.
  func addresses(of host: String) throws(Failure) -> [PublicAddress] {
    let mayBegin = underWay.withLock { count in
      guard count < maximum else { return false }
      count += 1
      return true
    }
    guard mayBegin else { throw .busy }
    let found = Monitor<[PublicAddress]?>(nil)
    NamedThread.start("names") { [self] in
      let addresses = lookUp(host)
      found.withLock { $0 = addresses }
      underWay.withLock { $0 -= 1 }
    }
    let addresses = found.wait(until: { $0 != nil }, orUntil: .now + limit) { $0 }
    guard let addresses else { throw .tookTooLong }
    return addresses
  }
}
