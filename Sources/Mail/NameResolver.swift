internal import Foundation
internal import Locking

/// Looks up the addresses of names and waits no longer than a limit for each.
///
/// `getaddrinfo` has no limit of its own and cannot be interrupted: with name servers that do not answer
/// it takes as long as `/etc/resolv.conf` says, half a minute and more. So it runs on a thread of its
/// own. A lookup that took too long keeps that thread until the system gives it up; with ``most`` of them
/// under way, further ones are refused.
final class NameResolver: Sendable {
  /// Why there are no addresses; a name without any is no failure.
  enum Failure: Error {
    case tookTooLong
    /// As many lookups as there may be are under way.
    case busy
  }

  /// Lookups at a time.
  let most: Int
  private let limit: Duration
  private let lookUp: @Sendable (String) -> [PublicAddress]
  private let underWay = Locked(0)

  /// - Parameters:
  ///   - limit: how long a caller waits.
  ///   - most: how many lookups may be under way.
  ///   - lookUp: what looks a name up, for as long as it takes.
  init(
    limit: Duration = .seconds(4), most: Int = 4,
    lookUp: @escaping @Sendable (String) -> [PublicAddress] = { PublicAddress.all(of: $0) }
  ) {
    self.limit = limit
    self.most = most
    self.lookUp = lookUp
  }

  /// The addresses of a host; none where it has none.
  ///
  /// - Throws: ``Failure``, after ``limit`` at the latest.
  func addresses(of host: String) throws(Failure) -> [PublicAddress] {
    let mayBegin = underWay.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
    guard mayBegin else { throw .busy }
    let found = Monitor<[PublicAddress]?>(nil)
    let thread = Thread { [self] in
      let addresses = lookUp(host)
      found.withLock { $0 = addresses }
      underWay.withLock { $0 -= 1 }
    }
    thread.name = "names"
    thread.start()
    let addresses = found.wait(until: { $0 != nil }, orUntil: .now + limit) { $0 }
    guard let addresses else { throw .tookTooLong }
    return addresses
  }
}
