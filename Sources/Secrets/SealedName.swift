/// A name of 16 bytes, with 16 bytes that prove that this instance issued it: HMAC-SHA-256 with a key of
/// the instance, truncated to 128 bits.
///
/// The proof is not stored: it is computed again for each check.
package struct SealedName: Sendable {
  /// The size of a name, in bytes.
  package static let size = 16

  package let name: [UInt8]
  /// 43 characters of base64url without padding (RFC 4648 §5).
  package let text: String

  /// Seals a name; `purpose` prevents the use of a sealed name for another purpose.
  package init(_ name: [UInt8], for purpose: String, key: [UInt8]) {
    self.name = name
    text = Base64URL.text(of: name + Self.proof(of: name, purpose, key))
  }

  /// Parses a sealed name; nil unless it was sealed for this purpose with this key.
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
  /// Omits the name, so that it is not logged by mistake.
  package var description: String { "SealedName" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
