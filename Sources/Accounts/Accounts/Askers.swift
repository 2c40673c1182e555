internal import Locking
import WebServer

/// The networks of queued mail requests. They are in memory only, because addresses of visitors are
/// never stored.
///
/// The job stores a number. After a restart the number is unknown, and the request counts as one from
/// an unknown network.
final class Askers: Sendable {
  private struct Waiting {
    /// Starts at a random number, so that a number of an earlier process is not found in this one.
    var last = Int.random(in: 0..<(1 << 50))
    var networks: [Int: ClientAddress] = [:]
  }

  /// Maximum number of stored requests; the oldest are removed first.
  private static let capacity = 10_000

  private let waiting = Locked(Waiting())

  /// Stores a network.
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

  /// The network of a number; ``ClientAddress/unknown`` if the number is unknown.
  func network(_ number: Int?) -> ClientAddress {
    guard let number else { return .unknown }
    return waiting.withLock { $0.networks[number] } ?? .unknown
  }

  func forget(_ number: Int?) {
    guard let number else { return }
    waiting.withLock { _ = $0.networks.removeValue(forKey: number) }
  }
}
