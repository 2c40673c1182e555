private import CSodium

/// A key that encrypts short texts, so that only holders of the key can read or change them.
///
/// XChaCha20-Poly1305 (libsodium's `crypto_aead_xchacha20poly1305_ietf`) with a random nonce of 24
/// bytes, which may be drawn at random for any number of texts.
package struct SealingKey: Sendable {
  /// Bytes of a key.
  package static let size = 32
  private static let nonceSize = 24
  private static let tagSize = 16

  /// What is kept, in a place that the sealed texts are not in.
  package let bytes: [UInt8]

  /// A new key.
  package init() { bytes = Sodium.randomBytes(Self.size) }

  /// A key that was kept; nil unless it has ``size`` bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Encrypts a text.
  ///
  /// - Parameters:
  ///   - text: what only holders of the key may read.
  ///   - context: where the text belongs; ``open(_:in:)`` needs the same, so that a sealed text cannot
  ///     be moved to another place.
  /// - Returns: base64url without padding (RFC 4648 §5).
  package func seal(_ text: String, in context: String) -> String {
    let message = Array(text.utf8)
    let context = Array(context.utf8)
    let nonce = Sodium.randomBytes(Self.nonceSize)
    var sealed = [UInt8](repeating: 0, count: message.count + Self.tagSize)
    var length: UInt64 = 0
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, &length, message, UInt64(message.count), context, UInt64(context.count), nil, nonce,
      bytes)
    return Base64URL.text(of: nonce + sealed)
  }

  /// Decrypts what ``seal(_:in:)`` made with this key and context; nil for anything else.
  package func open(_ sealed: String, in context: String) -> String? {
    // Four characters spell three bytes.
    let count = sealed.utf8.count * 3 / 4
    guard count >= Self.nonceSize + Self.tagSize,
      let whole = Base64URL.bytes(of: sealed, count: count)
    else { return nil }
    let nonce = Array(whole.prefix(Self.nonceSize))
    let body = Array(whole.dropFirst(Self.nonceSize))
    let context = Array(context.utf8)
    var message = [UInt8](repeating: 0, count: body.count - Self.tagSize)
    var length: UInt64 = 0
    let isGenuine = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &message, &length, nil, body, UInt64(body.count), context, UInt64(context.count), nonce,
      bytes)
    guard isGenuine == 0 else { return nil }
    return String(validating: message, as: UTF8.self)
  }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
  /// Not the key, so that no log holds one by mistake.
  package var description: String { "SealingKey" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
