/// A name of 16 bytes and 16 bytes that prove that we gave it away: HMAC-SHA-256 with a key of the
/// instance, cut to 128 bits.
///
/// Nothing of the proof is stored: it is made anew whenever somebody shows the name.
package struct SealedName: Sendable {
  /// Bytes of a name.
  package static let size = 16

  package let name: [UInt8]
  /// 43 characters of base64url without padding (RFC 4648 §5).
  package let text: String

  /// Seals a name; `purpose` keeps what opens one thing from opening another.
  package init(_ name: [UInt8], for purpose: String, key: [UInt8]) {
    self.name = name
    text = Base64URL.text(of: name + Self.proof(of: name, purpose, key))
  }

  /// What somebody shows; nil unless we have sealed it for this purpose with this key.
  package init?(text: String, for purpose: String, key: [UInt8]) {
    guard let bytes = Base64URL.bytes(of: text, count: 2 * Self.size) else { return nil }
    let name = Array(bytes.prefix(Self.size))
    guard Digest.equal(Array(bytes.dropFirst(Self.size)), Self.proof(of: name, purpose, key)) else {
      return nil
    }
    self.name = name
    self.text = text
  }

  private static func proof(of name: [UInt8], _ purpose: String, _ key: [UInt8]) -> [UInt8] {
    let message = Array(purpose.utf8) + [0] + name
    return Array(Digest.hmacSHA256(key: key, message: message).prefix(size))
  }
}

extension SealedName: CustomStringConvertible, CustomReflectable {
  /// Not the name, so that no log holds one by mistake.
  package var description: String { "SealedName" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
