private import CSodium

/// Why a password could not be hashed.
package enum PasswordHashFailure: Error, Equatable {
  /// The 19 MiB of memory for a hash were not available.
  case outOfMemory
}

/// Password hashes: argon2id (RFC 9106) in PHC string format.
///
/// 19 MiB, two passes and one lane: the first choice of OWASP's Password Storage Cheat Sheet. A hash
/// takes about 25 ms of one core, so callers hash on a bounded queue, never on a server thread. The
/// complete password is hashed, in Unicode normalisation form KC (NIST SP 800-63B §5.1.1.2), without
/// truncation or trimming.
package enum PasswordHash {
  private static let passes: UInt64 = 2
  /// Bytes: 19 MiB.
  private static let memory = 19_922_944
  /// The prefix of current hashes; the salt and the result follow, both in base64 without padding.
  private static let head = "$argon2id$v=19$m=19456,t=2,p=1$"

  /// A hash without a password, to verify against if a username is unknown.
  ///
  /// Verification takes as long as with a real hash, so that the time does not reveal which usernames
  /// exist. It is generated once per process, with random bytes as salt and result, so no password for it
  /// is known.
  package static let decoy =
    "\(head)\(base64(Sodium.randomBytes(16)))$\(base64(Sodium.randomBytes(32)))"

  /// Hashes a password; the result differs at each call because the salt is new.
  ///
  /// - Returns: text of fewer than 128 ASCII characters, `$argon2id$v=19$m=19456,t=2,p=1$…`.
  /// - Throws: ``PasswordHashFailure/outOfMemory``.
  package static func hash(_ password: String) throws(PasswordHashFailure) -> String {
    Sodium.ready
    var secret = characters(of: password)
    defer { Sodium.wipe(&secret) }
    var hash = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let made = crypto_pwhash_str_alg(
      &hash, secret, UInt64(secret.count), passes, memory, crypto_pwhash_alg_argon2id13())
    guard made == 0 else { throw .outOfMemory }
    return String(decoding: hash.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Compares a password with a hash.
  ///
  /// - Parameters:
  ///   - password: as entered.
  ///   - hash: a result of ``hash(_:)`` or ``decoy``; hashes other than argon2id never match.
  /// - Returns: whether the hash belongs to this password.
  package static func verify(_ password: String, against hash: String) -> Bool {
    Sodium.ready
    guard hash.hasPrefix("$argon2id$") else { return false }
    var secret = characters(of: password)
    defer { Sodium.wipe(&secret) }
    return crypto_pwhash_str_verify(hash, secret, UInt64(secret.count)) == 0
  }

  /// Whether `hash` uses outdated parameters and should be renewed at the next sign-in.
  package static func needsRehash(_ hash: String) -> Bool {
    Sodium.ready
    return !hash.hasPrefix(head) || crypto_pwhash_str_needs_rehash(hash, passes, memory) != 0
  }

  private static func characters(of password: String) -> [CChar] {
    PasswordText.normalised(password).utf8.map { CChar(bitPattern: $0) }
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let variant = sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
