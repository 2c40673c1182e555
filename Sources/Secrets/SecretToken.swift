private import CSodium

/// 32 random bytes that open something to whoever shows them: a session, a link in a mail, the
/// interface.
///
/// The holder keeps ``text``; we keep only ``digest``, so that a stolen database opens nothing.
package struct SecretToken: Sendable {
  /// 256 bits, twice what OWASP ASVS 5.0 §11.5.1 asks.
  private static let size = 32
  /// base64url without padding (RFC 4648 §5).
  private static let variant = sodium_base64_VARIANT_URLSAFE_NO_PADDING

  /// 43 characters of base64url without padding (RFC 4648 §5).
  package let text: String
  private let bytes: [UInt8]

  /// SHA-256 of the 32 bytes: what is stored and looked up.
  package var digest: [UInt8] { Digest.sha256(bytes) }

  /// A new token.
  package init() {
    bytes = Sodium.randomBytes(Self.size)
    // The length counts the zero that ends a C string.
    let length = sodium_base64_encoded_len(Self.size, Self.variant)
    var characters = [CChar](repeating: 0, count: length)
    sodium_bin2base64(&characters, characters.count, bytes, bytes.count, Self.variant)
    text = String(decoding: characters.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    Sodium.wipe(&characters)
  }

  /// The token that somebody shows; `nil` when no token is written like that.
  ///
  /// One token has one spelling: padding, white space and stray bits at the end are refused.
  package init?(text: String) {
    Sodium.ready
    let characters = text.utf8.map { CChar(bitPattern: $0) }
    guard characters.count == sodium_base64_encoded_len(Self.size, Self.variant) - 1 else {
      return nil
    }
    var read = [UInt8](repeating: 0, count: Self.size)
    var count = 0
    let isWhole = sodium_base642bin(
      &read, read.count, characters, characters.count, nil, &count, nil, Self.variant)
    guard isWhole == 0, count == Self.size else { return nil }
    bytes = read
    self.text = text
  }
}

extension SecretToken: CustomStringConvertible, CustomReflectable {
  /// Not the token, so that no log holds one by mistake.
  package var description: String { "SecretToken" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
