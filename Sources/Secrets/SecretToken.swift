/// 32 random bytes that grant access to their holder: a session, a link in a mail, an API token.
///
/// The holder keeps ``text``; the database contains only ``digest``, so that a stolen database grants no
/// access.
package struct SecretToken: Sendable {
  /// 256 bits, twice the minimum of OWASP ASVS 5.0 §11.5.1.
  private static let size = 32
  /// 43 characters of base64url without padding (RFC 4648 §5).
  package let text: String
  private let bytes: [UInt8]

  /// SHA-256 of the 32 bytes: the value that is stored and looked up.
  package var digest: [UInt8] { Digest.sha256(bytes) }

  /// A new token.
  package init() {
    bytes = Sodium.randomBytes(Self.size)
    text = Base64URL.text(of: bytes)
  }

  /// Parses a token; `nil` if the text does not have the form of a token.
  ///
  /// A token has one spelling: padding, white space and stray bits at the end are refused.
  package init?(text: String) {
    guard let read = Base64URL.bytes(of: text, count: Self.size) else { return nil }
    bytes = read
    self.text = text
  }
}

extension SecretToken: CustomStringConvertible, CustomReflectable {
  /// Omits the token, so that it is not logged by mistake.
  package var description: String { "SecretToken" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
