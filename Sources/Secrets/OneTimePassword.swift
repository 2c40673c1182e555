private import CNettle

/// A second factor: six-digit codes from an authenticator app, each valid for 30 seconds.
///
/// TOTP (RFC 6238) with HMAC-SHA-1, the only algorithm that all apps support; its known weaknesses do not
/// affect HMAC (RFC 6238 §5.1).
package struct OneTimePassword: Sendable {
  /// The validity of a code, in seconds (RFC 6238 §5.2).
  package static let period: Int64 = 30
  /// The number of digits of a code.
  package static let digits = 6
  /// The size of a new secret in bytes: the output size of SHA-1 (RFC 4226 §4, R6).
  private static let size = 20
  /// The minimum size of a secret in bytes (RFC 4226 §4, R6).
  private static let smallest = 16

  /// The secret shared with the app; 20 bytes if it was generated here.
  package let secret: [UInt8]

  /// The secret for typing into an app: base32 (RFC 4648 §6) without padding, 32 characters for 20 bytes.
  package var base32: String { Base32.text(of: secret) }

  /// A new secret.
  package init() {
    secret = Sodium.randomBytes(Self.size)
  }

  /// A stored secret; `nil` below 16 bytes (RFC 4226 §4, R6).
  package init?(secret: [UInt8]) {
    guard secret.count >= Self.smallest else { return nil }
    self.secret = secret
  }

  /// The address in the QR code for an app.
  ///
  /// - Parameters:
  ///   - issuer: the service that requires the codes, such as `Farol`.
  ///   - account: the person's name at this service.
  /// - Returns: `otpauth://totp/issuer:account?secret=…`, percent-encoded.
  package func uri(issuer: String, account: String) -> String {
    let issuer = Self.percentEncoded(issuer)
    return "otpauth://totp/\(issuer):\(Self.percentEncoded(account))?secret=\(base32)"
      + "&issuer=\(issuer)&algorithm=SHA1&digits=\(Self.digits)&period=\(Self.period)"
  }

  /// The time step of a moment (RFC 6238 §4.2).
  ///
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  /// - Returns: the number of 30-second steps since then.
  package static func step(at seconds: Int64) -> Int64 {
    let (whole, rest) = seconds.quotientAndRemainder(dividingBy: period)
    return rest < 0 ? whole - 1 : whole
  }

  /// The six digits of a time step (RFC 4226 §5.3).
  package func code(at step: Int64) -> String {
    let hash = hmacSHA1(of: step)
    let offset = Int(hash[hash.count - 1] & 0xF)
    let number = hash[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
    let text = String(number % 1_000_000)
    return String(repeating: "0", count: Self.digits - text.count) + text
  }

  /// Verifies a code and returns its time step; `nil` if the code is wrong or was used before.
  ///
  /// One step earlier and one later are also accepted, because clocks differ (RFC 6238 §5.2). The last
  /// accepted step and earlier ones are refused, so that a code works only once. All three steps are
  /// always compared, so that the time taken reveals nothing.
  ///
  /// - Parameters:
  ///   - code: six digits; spaces are ignored.
  ///   - seconds: now, since 1970-01-01T00:00:00Z.
  ///   - lastStep: the previous result; `nil` before the first.
  /// - Returns: the step to store as `lastStep`.
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

  /// Percent-encodes everything except the unreserved characters of RFC 3986 §2.3.
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
  /// Omits the secret, so that it is not logged by mistake.
  package var description: String { "OneTimePassword" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
