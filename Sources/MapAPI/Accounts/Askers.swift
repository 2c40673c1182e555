internal import Locking
import WebServer

/// The networks of mail requests that wait for their job, in memory only: addresses of visitors are
/// never stored.
///
/// The job carries a number. After a restart the number leads nowhere, and the request counts as one
/// from an unknown network.
final class Askers: Sendable {
  private struct Waiting {
    /// Begins anywhere, so that a number of an earlier process is not taken for one of this.
    var last = Int.random(in: 0..<(1 << 50))
    var networks: [Int: ClientAddress] = [:]
  }

  /// Requests remembered at once; beyond it the oldest are forgotten.
  private static let capacity = 10_000

  private let waiting = Locked(Waiting())

  /// Remembers a network.
  ///
  /// - Returns: its number.
  func add(_ network: ClientAddress) -> Int {
    waiting.withLock { waiting in
      waiting.last += 1
      waiting.networks[waiting.last] = network
      waiting.networks[waiting.last - Self.capacity] = nil
      return waiting.last
    }
  }

  /// The network of a number; ``ClientAddress/unknown`` where there is none.
  func network(_ number: Int?) -> ClientAddress {
    guard let number else { return .unknown }
    return waiting.withLock { $0.networks[number] } ?? .unknown
  }

  func forget(_ number: Int?) {
    guard let number else { return }
    waiting.withLock { _ = $0.networks.removeValue(forKey: number) }
  }
}
