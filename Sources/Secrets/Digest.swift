private import CSodium

/// Digests of bytes, and their comparison.
package enum Digest {
  /// SHA-256 (FIPS 180-4): 32 bytes.
  ///
  /// Sufficient for storing a ``SecretToken``, which cannot be guessed; for passwords use
  /// ``PasswordHash``.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    Sodium.ready
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
    crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
  }

  /// HMAC-SHA-256 (RFC 2104) with a key of any length: 32 bytes.
  package static func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
    Sodium.ready
    var state = crypto_auth_hmacsha256_state()
    defer { sodium_memzero(&state, crypto_auth_hmacsha256_statebytes()) }
    var code = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_bytes()))
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }

  /// Compares two digests, in a time that does not reveal where they differ.
  ///
  /// Their lengths are not secret: if they differ, the result is returned at once.
  package static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    Sodium.ready
    return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
  }
}
