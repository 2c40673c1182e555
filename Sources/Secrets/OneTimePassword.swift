private import CNettle

/// A second factor: codes of six digits that an authenticator app shows, each for 30 seconds.
///
/// TOTP (RFC 6238) with HMAC-SHA-1, the only one that all apps read; its known weaknesses do not
/// touch HMAC (RFC 6238 §5.1).
package struct OneTimePassword: Sendable {
  /// How long a code stands, in seconds (RFC 6238 §5.2).
  package static let period: Int64 = 30
  /// Digits of a code.
  package static let digits = 6
  /// Bytes of a new secret: as many as SHA-1 gives (RFC 4226 §4, R6).
  private static let size = 20
  /// The fewest bytes of a secret (RFC 4226 §4, R6).
  private static let smallest = 16

  /// What the app and we share; 20 bytes when it was made here.
  package let secret: [UInt8]

  /// The secret as people type it into an app: base32 (RFC 4648 §6) without padding, 32 characters
  /// for 20 bytes.
  package var base32: String { Base32.text(of: secret) }

  /// A new secret.
  package init() {
    secret = Sodium.randomBytes(Self.size)
  }

  /// A secret that was stored; `nil` below 16 bytes (RFC 4226 §4, R6).
  package init?(secret: [UInt8]) {
    guard secret.count >= Self.smallest else { return nil }
    self.secret = secret
  }

  /// The address that a QR code hands to an app.
  ///
  /// - Parameters:
  ///   - issuer: who asks for the codes, such as `Farol`.
  ///   - account: the person's name there.
  /// - Returns: `otpauth://totp/issuer:account?secret=…`, percent-encoded.
  package func uri(issuer: String, account: String) -> String {
    let issuer = Self.percentEncoded(issuer)
    return "otpauth://totp/\(issuer):\(Self.percentEncoded(account))?secret=\(base32)"
      + "&issuer=\(issuer)&algorithm=SHA1&digits=\(Self.digits)&period=\(Self.period)"
  }

  /// The step that a time lies in (RFC 6238 §4.2).
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  /// - Returns: how often 30 seconds have gone by since then.
  package static func step(at seconds: Int64) -> Int64 {
    let (whole, rest) = seconds.quotientAndRemainder(dividingBy: period)
    return rest < 0 ? whole - 1 : whole
  }

  /// The six digits of a step (RFC 4226 §5.3).
  package func code(at step: Int64) -> String {
    let hash = hmacSHA1(of: step)
    let offset = Int(hash[hash.count - 1] & 0xF)
    let number = hash[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: Self.digits - text.count) + text
  }

  /// The step whose code somebody shows; `nil` when the code is wrong or was used before.
  ///
  /// One step earlier and one later are accepted too, for clocks differ (RFC 6238 §5.2); never the
  /// step that was accepted last nor one before it, so that a code works once. All three are always
  /// looked at, in a time that tells nothing.
  ///
  /// - Parameters:
  ///   - code: six digits; spaces between them are left out.
  ///   - seconds: now, since 1970-01-01T00:00:00Z.
  ///   - lastStep: what this gave the last time; `nil` before the first.
  /// - Returns: the step to keep as `lastStep`.
  package func verify(_ code: String, at seconds: Int64, after lastStep: Int64?) -> Int64? {
    let shown = Array(code.utf8.filter { $0 != UInt8(ascii: " ") })
    let now = Self.step(at: seconds)
    var accepted: Int64?
    for step in now - 1...now + 1 {
      let isRight = Digest.equal(shown, Array(self.code(at: step).utf8))
      let isNew = lastStep.map { step > $0 } ?? true
      if isRight && isNew { accepted = step }
    }
    return accepted
  }

  private func hmacSHA1(of step: Int64) -> [UInt8] {
    let counter = withUnsafeBytes(of: step.bigEndian) { Array($0) }
    var context = hmac_sha1_ctx()
    var hash = [UInt8](repeating: 0, count: Self.size)
    nettle_hmac_sha1_set_key(&context, secret.count, secret)
    nettle_hmac_sha1_update(&context, counter.count, counter)
    nettle_hmac_sha1_digest(&context, hash.count, &hash)
    return hash
  }

  /// All but the unreserved characters of RFC 3986 §2.3 as `%` and two digits.
  private static func percentEncoded(_ text: String) -> String {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    let bytes = text.utf8.flatMap { byte in
      unreserved.contains(byte)
        ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension OneTimePassword: CustomStringConvertible, CustomReflectable {
  /// Not the secret, so that no log holds one by mistake.
  package var description: String { "OneTimePassword" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
