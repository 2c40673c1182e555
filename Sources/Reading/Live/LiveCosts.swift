import Foundation
import Locking
import WebServer

/// The time that the filters and the missed changes of each network took. It halves every ten seconds.
final class LiveCosts: Sendable {
  private struct Spent {
    var seconds: Double
    var at: ContinuousClock.Instant

    func left(_ now: ContinuousClock.Instant) -> Double {
      seconds * pow(0.5, (now - at) / .seconds(LiveCosts.halfLife))
    }
  }

  private let networks = Locked<[ClientAddress: Spent]>([:])
  private static let halfLife = 10
  /// The seconds above which a network must wait.
  private static let maximum = 1.0
  /// The maximum number of remembered networks. Above it, networks that spent little are dropped.
  private static let remembered = 4_096

  /// The seconds that a network spent.
  func of(_ network: ClientAddress) -> Double {
    networks.withLock { $0[network]?.left(.now) ?? 0 }
  }

  /// Whether a network spent so much that nothing more is read for it.
  func isOver(_ network: ClientAddress) -> Bool { of(network) > Self.maximum }

  /// Divides a time among the networks that caused it.
  func add(_ time: Duration, to causes: Set<ClientAddress>) {
    let share = time / .seconds(1) / Double(max(causes.count, 1))
    let now = ContinuousClock.now
    networks.withLock { networks in
      if networks.count > Self.remembered {
        networks = networks.filter { $0.value.left(now) > 0.01 }
      }
      for network in causes {
        networks[network] = Spent(
          seconds: (networks[network]?.left(now) ?? 0) + share, at: now)
      }
    }
  }
}
