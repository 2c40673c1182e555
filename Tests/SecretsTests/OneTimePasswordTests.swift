import Foundation
import Secrets
import Testing

@Suite struct OneTimePasswordTests {
  /// The secret of RFC 4226 appendix D and of RFC 6238 appendix B.
  private let factor: OneTimePassword

  init() throws {
    factor = try #require(OneTimePassword(secret: Array("12345678901234567890".utf8)))
  }

  /// RFC 6238 appendix B: the last six of its eight digits.
  @Test(
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"),
      (1_234_567_890, "005924"), (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ] as [(Int64, String)])
  func `codes match those of RFC 6238`(seconds: Int64, code: String) {
    #expect(factor.code(at: OneTimePassword.step(at: seconds)) == code)
  }

  /// RFC 4226 appendix D.
  @Test func `codes of the first ten steps match those of RFC 4226`() {
    #expect(
      (0..<10).map(factor.code(at:)) == [
        "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
        "520489",
      ])
  }

  @Test func `a step lasts 30 seconds, before 1970 too`() {
    #expect([0, 29, 30, 59, 60].map(OneTimePassword.step(at:)) == [0, 0, 1, 1, 2])
    #expect([-1, -30, -31].map(OneTimePassword.step(at:)) == [-1, -1, -2])
  }

  @Test func `a code is accepted in its step, the one before and the one after`() {
    let code = factor.code(at: 1_000)
    #expect(factor.verify(code, at: 30_000 - 31, after: nil) == nil)
    #expect(factor.verify(code, at: 30_000 - 30, after: nil) == 1_000)
    #expect(factor.verify(code, at: 30_000, after: nil) == 1_000)
    #expect(factor.verify(code, at: 30_000 + 59, after: nil) == 1_000)
    #expect(factor.verify(code, at: 30_000 + 60, after: nil) == nil)
  }

  @Test func `a code is accepted once`() {
    let code = factor.code(at: 1_000)
    #expect(factor.verify(code, at: 30_000, after: 999) == 1_000)
    #expect(factor.verify(code, at: 30_000, after: 1_000) == nil)
    #expect(factor.verify(code, at: 30_030, after: 1_000) == nil)
  }

  @Test func `a code older than the last accepted one is refused`() {
    #expect(factor.verify(factor.code(at: 999), at: 30_000, after: 1_000) == nil)
    #expect(factor.verify(factor.code(at: 1_001), at: 30_000, after: 1_000) == 1_001)
  }

  @Test func `spaces between the digits are ignored`() {
    #expect(factor.verify("287 082", at: 59, after: nil) == 1)
    #expect(factor.verify(" 287082 ", at: 59, after: nil) == 1)
  }

  @Test(arguments: ["", "287083", "28708", "2870820", "０２８７０８２", "28708２", "abcdef", "-87082"])
  func `any other text is refused`(code: String) {
    #expect(factor.verify(code, at: 59, after: nil) == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, Int64.max])
  func `extreme times are handled without an error`(seconds: Int64) {
    let code = factor.code(at: OneTimePassword.step(at: seconds))
    #expect(factor.verify(code, at: seconds, after: nil) == OneTimePassword.step(at: seconds))
  }

  @Test func `a new secret has 20 bytes and is unique`() {
    let one = OneTimePassword()
    #expect(one.secret.count == 20)
    #expect(one.base32.count == 32)
    #expect(one.secret != OneTimePassword().secret)
  }

  @Test func `a secret of 16 bytes is accepted and one of 15 is not`() {
    #expect(OneTimePassword(secret: [UInt8](repeating: 1, count: 16)) != nil)
    #expect(OneTimePassword(secret: [UInt8](repeating: 1, count: 15)) == nil)
  }

  /// Made by Python's base64.b32encode.
  @Test(arguments: [
    ("12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"),
    ("foobarfoobarfoob", "MZXW6YTBOJTG633CMFZGM33PMI"),
    ("foobarfoobarfooba", "MZXW6YTBOJTG633CMFZGM33PMJQQ"),
    ("foobarfoobarfoobar", "MZXW6YTBOJTG633CMFZGM33PMJQXE"),
    ("foobarfoobarfoobarf", "MZXW6YTBOJTG633CMFZGM33PMJQXEZQ"),
  ])
  func `the secret is written in base32 without padding`(secret: String, text: String) throws {
    #expect(try #require(OneTimePassword(secret: Array(secret.utf8))).base32 == text)
  }

  @Test func `the otpauth address contains all that an app needs, percent-encoded`() throws {
    let uri = factor.uri(issuer: "Farol: cidade & água", account: "lanterna@example.org")
    #expect(
      uri == "otpauth://totp/Farol%3A%20cidade%20%26%20%C3%A1gua:lanterna%40example.org"
        + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Farol%3A%20cidade%20%26%20%C3%A1gua"
        + "&algorithm=SHA1&digits=6&period=30")
    let read = try #require(URLComponents(string: uri))
    #expect(read.path == "/Farol: cidade & água:lanterna@example.org")
    #expect(read.queryItems?.first { $0.name == "issuer" }?.value == "Farol: cidade & água")
  }

  @Test func `a secret written to a log is hidden`() {
    var dumped = ""
    dump(factor, to: &dumped)
    let text = "\(factor) \(String(reflecting: factor)) \(dumped)"
    #expect(!text.contains("49") && !text.contains(factor.base32))
  }
}
