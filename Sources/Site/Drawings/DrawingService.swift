import Drawing
internal import Locking
package import PrivacyMap
package import Service
import WebServer

/// Makes the drawings that visitors request, signs and share cards, within limits: one at a time, a few
/// waiting, a number per network, and each only once while it stays in the cache.
package final class DrawingService: InstancePart {
  /// The content of a drawing, as texts. Drawings with equal contents are equal.
  typealias Content = [String]

  private struct Generations {
    var young: [Content: [UInt8]] = [:]
    var old: [Content: [UInt8]] = [:]
    var youngSize = 0
  }

  /// Drawings of one network within ``window``.
  static let maximum = 60
  private static let window = Duration.seconds(600)

  /// The thread that draws.
  package let queue = RequestQueue("drawings", width: 1, capacity: 16)
  private let networks: Throttle<ClientAddress>
  private let generations = Locked(Generations())
  private let capacity: Int

  /// - Parameters:
  ///   - capacity: the maximum size of cached drawings, in bytes.
  ///   - now: the clock of the limits.
  package init(capacity: Int = 8 << 20, now: @escaping @Sendable () -> Timestamp) {
    self.capacity = capacity
    // Each server counts for itself, because the limit protects its processor.
    networks = RateLimits(now: now).limit("drawings", Self.maximum, per: Self.window)
  }

  package convenience init(_ instance: Instance) { self.init(now: instance.environment.now) }

  /// The drawing of a content: from the cache, or made now for a client.
  ///
  /// - Throws: a 429 if the network of the client has requested too many new ones, a 503 if this machine
  ///   cannot draw.
  func drawing(
    _ content: Content, for client: ClientAddress, _ draw: () throws -> [UInt8]
  ) throws -> [UInt8] {
    if let known = generations.withLock({ $0.young[content] ?? $0.old[content] }) { return known }
    try networks.spend(client.limitKey)
    do {
      let file = try draw()
      keep(file, content)
      return file
    } catch is DrawingFailure {
      throw Refusal(.serviceUnavailable, "error.drawing", headers: ["Retry-After": "300"])
    }
  }

  /// When the younger generation is full, it becomes the older one, whose drawings are dropped.
  private func keep(_ file: [UInt8], _ content: Content) {
    generations.withLock { generations in
      let half = capacity / 2
      guard file.count <= half else { return }
      if generations.youngSize + file.count > half {
        generations.old = generations.young
        generations.young = [:]
        generations.youngSize = 0
      }
      generations.young[content] = file
      generations.youngSize += file.count
    }
  }
}
