import Secrets
import Testing

@Suite struct SecretTokenTests {
  @Test func `a token has 43 characters that are valid in a URL`() {
    let token = SecretToken()
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    #expect(token.text.count == 43)
    #expect(token.text.allSatisfy(allowed.contains))
  }

  @Test func `two tokens are never equal`() {
    #expect(Set((0..<1_000).map { _ in SecretToken().text }).count == 1_000)
  }

  @Test func `a parsed token has the digest of the created one`() throws {
    let made = SecretToken()
    let shown = try #require(SecretToken(text: made.text))
    #expect(shown.digest == made.digest)
    #expect(shown.text == made.text)
    #expect(SecretToken().digest != made.digest)
  }

  @Test func `the digest is SHA-256 of the bytes, not of the text`() throws {
    let token = try #require(SecretToken(text: String(repeating: "A", count: 43)))
    #expect(token.digest == Digest.sha256([UInt8](repeating: 0, count: 32)))
  }

  @Test func `base64url characters are accepted and base64 characters are not`() {
    let rest = String(repeating: "A", count: 42)
    #expect(SecretToken(text: "_" + rest) != nil)
    #expect(SecretToken(text: "-" + rest) != nil)
    #expect(SecretToken(text: "/" + rest) == nil)
    #expect(SecretToken(text: "+" + rest) == nil)
  }

  @Test func `a token with one character more or less is refused`() {
    #expect(SecretToken(text: String(repeating: "A", count: 42)) == nil)
    #expect(SecretToken(text: String(repeating: "A", count: 44)) == nil)
    #expect(SecretToken(text: "") == nil)
  }

  @Test(arguments: ["=", " ", "\n", "\0", "é", "B"])
  func `a token has exactly one spelling`(end: String) {
    // Only four of the six bits of the last character are used, so a careless decoder reads `B` as
    // `A`.
    #expect(SecretToken(text: String(repeating: "A", count: 42) + end) == nil)
    #expect(SecretToken(text: String(repeating: "A", count: 42) + "A" + end) == nil)
  }

  @Test func `a token written to a log is hidden`() {
    let token = SecretToken()
    var dumped = ""
    dump(token, to: &dumped)
    #expect(!"\(token) \(String(reflecting: token)) \(dumped)".contains(token.text))
  }
}
