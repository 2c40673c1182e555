private import CSodium

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
package struct SHA256Stream: ~Copyable {
  private var state = crypto_hash_sha256_state()

  package init() {
    Sodium.ready
    crypto_hash_sha256_init(&state)
  }

  package mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
  }

  /// The 32 bytes of the digest; no more input may follow.
  package mutating func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_bytes()))
    crypto_hash_sha256_final(&state, &digest)
    return digest
  }
}
