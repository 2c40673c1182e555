import Testing

@testable import Secrets

@Suite struct SealingKeyTests {
  private let key = SealingKey()
  private static let text = "/reset#token=abcDEF_-123"

  @Test func `a sealed text is read with the same key and context`() {
    for text in [Self.text, "", "ç", String(repeating: "x", count: 5_000)] {
      #expect(key.open(key.seal(text, in: "a mail"), in: "a mail") == text)
    }
  }

  @Test func `a sealed text reveals nothing of the text and differs each time`() {
    let sealed = key.seal(Self.text, in: "a mail")
    #expect(!sealed.contains("abcDEF"))
    #expect(!sealed.contains("reset"))
    #expect(sealed != key.seal(Self.text, in: "a mail"))
  }

  @Test func `a sealed text cannot be read with another key or context`() {
    let sealed = key.seal(Self.text, in: "a mail")
    #expect(SealingKey().open(sealed, in: "a mail") == nil)
    #expect(key.open(sealed, in: "another mail") == nil)
  }

  @Test func `a changed, truncated or invented text is not read`() throws {
    let sealed = key.seal(Self.text, in: "a mail")
    for place in [0, 10, 40, sealed.count - 2] {
      var characters = Array(sealed)
      characters[place] = characters[place] == "A" ? "B" : "A"
      #expect(key.open(String(characters), in: "a mail") == nil, "changed at \(place)")
    }
    for count in [0, 1, 53, 54, sealed.count - 1] {
      #expect(key.open(String(sealed.prefix(count)), in: "a mail") == nil, "cut to \(count)")
    }
    for text in [Self.text, sealed + "A", sealed + "=", " " + sealed] {
      #expect(key.open(text, in: "a mail") == nil)
    }
  }

  @Test func `a stored key has 32 bytes`() {
    #expect(SealingKey(bytes: key.bytes)?.bytes == key.bytes)
    for count in [0, 31, 33] {
      #expect(SealingKey(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }
  }

  @Test func `a key written to a log is hidden`() {
    #expect("\(key)" == "SealingKey")
  }
}
