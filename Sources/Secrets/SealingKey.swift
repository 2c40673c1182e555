private import CSodium

/// A key that encrypts short texts, so that only holders of the key can read or change them.
///
/// XChaCha20-Poly1305 (libsodium's `crypto_aead_xchacha20poly1305_ietf`) with a random nonce of 24 bytes,
/// which is safe for any number of texts.
package struct SealingKey: Sendable {
  /// The size of a key, in bytes.
  package static let size = 32
  private static let nonceSize = 24
  private static let tagSize = 16

  /// The bytes to store, separate from the encrypted texts.
  package let bytes: [UInt8]

  /// A new key.
  package init() { bytes = Sodium.randomBytes(Self.size) }

  /// A stored key; nil unless it has ``size`` bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Encrypts a text.
  ///
  /// - Parameters:
  ///   - text: the text to protect.
  ///   - context: the place of the text; ``open(_:in:)`` needs the same one, so that an encrypted text
  ///     cannot be moved to another place.
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

  /// Decrypts the result of ``seal(_:in:)`` with this key and context; nil for anything that was sealed
  /// differently.
  package func open(_ sealed: String, in context: String) -> String? {
    // Four characters encode three bytes.
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
  /// Omits the key, so that it is not logged by mistake.
  package var description: String { "SealingKey" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
