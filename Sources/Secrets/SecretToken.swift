/// 32 random bytes that open something to whoever shows them: a session, a link in a mail, the
/// interface.
///
/// The holder keeps ``text``; we keep only ``digest``, so that a stolen database opens nothing.
package struct SecretToken: Sendable {
  /// 256 bits, twice what OWASP ASVS 5.0 §11.5.1 asks.
  private static let size = 32
  /// 43 characters of base64url without padding (RFC 4648 §5).
  package let text: String
  private let bytes: [UInt8]

  /// SHA-256 of the 32 bytes: what is stored and looked up.
  package var digest: [UInt8] { Digest.sha256(bytes) }

  /// A new token.
  package init() {
    bytes = Sodium.randomBytes(Self.size)
    text = Base64URL.text(of: bytes)
  }

  /// The token that somebody shows; `nil` when no token is written like that.
  ///
  /// One token has one spelling: padding, white space and stray bits at the end are refused.
  package init?(text: String) {
    guard let read = Base64URL.bytes(of: text, count: Self.size) else { return nil }
    bytes = read
    self.text = text
  }
}

extension SecretToken: CustomStringConvertible, CustomReflectable {
  /// Not the token, so that no log holds one by mistake.
  package var description: String { "SecretToken" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
