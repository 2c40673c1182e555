internal import Locking
import Service
import WebServer

/// The networks of queued mail requests.
///
/// They are in memory only, because addresses of visitors are not stored, and the job has a number. After a restart the
/// number is unknown, and the request counts as one from an unknown network. If several servers share the database,
/// another server may run the job. The job then contains the network itself, encrypted with the key of mail links,
/// until it has run.
final class Askers: Sendable {
  private struct Waiting {
    /// Starts at a random number, so that a number of an earlier process is not found in this one.
    var last = Int.random(in: 0..<(1 << 50))
    var networks: [Int: ClientAddress] = [:]
  }

  /// Maximum number of stored requests; the oldest are removed first.
  private static let capacity = 10_000

  private let waiting = Locked(Waiting())
  /// Encrypts networks; nil to keep them in memory.
  private let seal: MailSeal?
  private static let context = "network of a mail request"

  /// With `seal`, networks are encrypted for other servers.
  init(sealing seal: MailSeal?) { self.seal = seal }

  /// Stores a network.
  ///
  /// - Returns: the text for the job.
  /// - Throws: ``DurableFile/Fault`` if there is no key.
  func add(_ network: ClientAddress) throws -> String {
    if let seal {
      let text = network.bytes.map { String($0) }.joined(separator: ".")
      return try seal.seal(text, in: Self.context)
    }
    return String(number(of: network))
  }

  private func number(of network: ClientAddress) -> Int {
    waiting.withLock { waiting in
      waiting.last += 1
      waiting.networks[waiting.last] = network
      waiting.networks[waiting.last - Self.capacity] = nil
      return waiting.last
    }
  }

  /// The network of a job; ``ClientAddress/unknown`` if its text is unknown.
  func network(_ text: String?) -> ClientAddress {
    guard let text else { return .unknown }
    guard let number = Int(text) else {
      let bytes = seal?.open(text, in: Self.context)?.split(separator: ".").compactMap { UInt8($0) }
      return bytes.flatMap(ClientAddress.init(bytes:)) ?? .unknown
    }
    return waiting.withLock { $0.networks[number] } ?? .unknown
  }

  func forget(_ text: String?) {
    guard let number = text.flatMap({ Int($0) }) else { return }
    waiting.withLock { _ = $0.networks.removeValue(forKey: number) }
  }
}
