import Glibc

/// An IP address that a name resolves to.
struct PublicAddress: Equatable {
  /// Four or sixteen bytes.
  let bytes: [UInt8]

  /// In the format of libcurl: dotted, or with colons.
  var text: String {
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    return bytes.withUnsafeBytes { raw in
      guard inet_ntop(family, raw.baseAddress, &buffer, socklen_t(buffer.count)) != nil else {
        return ""
      }
      return String(
        decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// Whether the address is on the public internet: not loopback, private, for tests, multicast or
  /// otherwise reserved in the IANA special-purpose registries (RFC 6890, RFC 9637).
  var isPublic: Bool {
    switch bytes.count {
    case 4: !Self.special4.contains { $0.holds(bytes) }
    // Only global unicast, without prefixes that embed another address.
    case 16: bytes[0] & 0xE0 == 0x20 && !Self.special6.contains { $0.holds(bytes) }
    default: false
    }
  }

  private struct Block {
    let start: [UInt8]
    let bits: Int

    func holds(_ bytes: [UInt8]) -> Bool {
      for place in 0..<bits {
        let (byte, mask) = (place / 8, UInt8(0x80) >> UInt8(place % 8))
        let wanted = byte < start.count ? start[byte] & mask : 0
        if byte >= bytes.count || bytes[byte] & mask != wanted { return false }
      }
      return true
    }
  }

  private static let special4: [Block] = [
    Block(start: [0], bits: 8), Block(start: [10], bits: 8), Block(start: [100, 64], bits: 10),
    Block(start: [127], bits: 8), Block(start: [169, 254], bits: 16),
    Block(start: [172, 16], bits: 12), Block(start: [192, 0, 0], bits: 24),
    Block(start: [192, 0, 2], bits: 24), Block(start: [192, 31, 196], bits: 24),
    Block(start: [192, 52, 193], bits: 24), Block(start: [192, 88, 99], bits: 24),
    Block(start: [192, 168], bits: 16), Block(start: [192, 175, 48], bits: 24),
    Block(start: [198, 18], bits: 15), Block(start: [198, 51, 100], bits: 24),
    Block(start: [203, 0, 113], bits: 24), Block(start: [224], bits: 4),
    Block(start: [240], bits: 4),
  ]
  private static let special6: [Block] = [
    Block(start: [0x20, 0x01], bits: 23), Block(start: [0x20, 0x01, 0x0D, 0xB8], bits: 32),
    Block(start: [0x20, 0x02], bits: 16), Block(start: [0x26, 0x20, 0, 0x4F, 0x80], bits: 48),
    Block(start: [0x3F, 0xFF], bits: 20), Block(start: [0x3F, 0xFE], bits: 16),
  ]

  /// The addresses of a host from the system's resolver; an empty list if it has no address.
  static func all(of host: String) -> [PublicAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [PublicAddress] = []
    var next = list
    while let entry = next {
      if let address = PublicAddress(entry.pointee), !found.contains(address) {
        found.append(address)
      }
      next = entry.pointee.ai_next
    }
    return found
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  private init?(_ entry: addrinfo) {
    guard let address = entry.ai_addr else { return nil }
    switch entry.ai_family {
    case AF_INET:
      bytes = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
      }
    case AF_INET6:
      bytes = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
      }
    default: return nil
    }
  }
}
