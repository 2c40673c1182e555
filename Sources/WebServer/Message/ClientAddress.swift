internal import Glibc

/// The client address of a request, used only for limits. It is never logged. If stored at all, it is stored as a
/// keyed digest.
package struct ClientAddress: Hashable, Sendable {
  /// Sixteen bytes. An IPv4 address is stored as `::ffff:a.b.c.d` (RFC 4291 §2.5.5.2).
  private var high: UInt64
  private var low: UInt64

  /// An unknown address, as in tests without a socket.
  package static let unknown = ClientAddress(high: 0, low: 0)

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads `192.0.2.1`, `2001:db8::1`, `[2001:db8::1]:443` or `192.0.2.1:443`.
  package init?(_ text: String) {
    var host = text.trimmed[...]
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      host = host[host.index(after: host.startIndex)..<end]
    } else if host.filter({ $0 == ":" }).count == 1, let colon = host.firstIndex(of: ":") {
      host = host[..<colon]
    }
    var four = in_addr()
    if inet_pton(AF_INET, String(host), &four) == 1 {
      self.init(four)
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, String(host), &six) == 1 else { return nil }
    self.init(six)
  }

  init(_ address: UnsafePointer<sockaddr>?) {
    switch (address?.pointee.sa_family).map(Int32.init) {
    case AF_INET:
      self =
        address?.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          ClientAddress($0.pointee.sin_addr)
        } ?? .unknown
    case AF_INET6:
      self =
        address?.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          ClientAddress($0.pointee.sin6_addr)
        } ?? .unknown
    default:
      self = .unknown
    }
  }

  private init(_ four: in_addr) {
    self.init(high: 0, low: 0xFFFF_0000_0000 | UInt64(UInt32(bigEndian: four.s_addr)))
  }

  private init(_ six: in6_addr) {
    (high, low) = withUnsafeBytes(of: six) {
      (
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// Reads ``bytes``; nil unless they are sixteen.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: half(bytes.prefix(8)), low: half(bytes.suffix(8)))
  }

  /// The sixteen bytes, most significant first, as input of a keyed digest or a cipher.
  package var bytes: [UInt8] {
    [high, low].flatMap { half in withUnsafeBytes(of: half.bigEndian) { Array($0) } }
  }

  /// Whether it is a loopback address: `127.0.0.0/8` or `::1`.
  package var isLoopback: Bool {
    isIPv4 ? UInt8(truncatingIfNeeded: low >> 24) == 127 : high == 0 && low == 1
  }

  package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// The key for limits: an IPv4 address, or the /64 prefix of an IPv6 address, because one
  /// customer commonly has a whole /64 (RFC 6177).
  package var limitKey: ClientAddress {
    isIPv4 ? self : ClientAddress(high: high, low: 0)
  }

  func shares(firstBits bits: Int, with other: ClientAddress) -> Bool {
    let highMask = bits >= 64 ? UInt64.max : bits <= 0 ? 0 : ~(UInt64.max >> UInt64(bits))
    let lowBits = bits - 64
    let lowMask = lowBits >= 64 ? UInt64.max : lowBits <= 0 ? 0 : ~(UInt64.max >> UInt64(lowBits))
    return (high ^ other.high) & highMask == 0 && (low ^ other.low) & lowMask == 0
  }
}

/// A block of addresses in CIDR notation, such as `10.0.0.0/8` or `2001:db8::/32`.
package struct AddressBlock: Hashable, Sendable {
  private var first: ClientAddress
  private var bits: Int

  /// Reads CIDR text. Without `/bits` the block is one address.
  package init?(_ text: String) {
    let parts = text.trimmed.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let start = parts.first, let address = ClientAddress(String(start)) else { return nil }
    let width = address.isIPv4 ? 32 : 128
    var bits = width
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...width).contains(given) else { return nil }
      bits = given
    }
    first = address
    self.bits = bits + 128 - width
  }

  package func contains(_ address: ClientAddress) -> Bool {
    first.shares(firstBits: bits, with: address)
  }
}
