import Secrets
import Testing

@Suite struct MaskedTokenTests {
  private let key = [UInt8](repeating: 7, count: 32)
  private let content: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 255]

  private func token(_ context: String = "ana@example.org") throws -> MaskedToken {
    try #require(MaskedToken(content, in: context, key: key))
  }

  @Test func `a token has 40 lower-case letters and digits and gives its content back`() throws {
    let text = try token().text
    #expect(text.utf8.count == 40)
    #expect(text.allSatisfy { "abcdefghijklmnopqrstuvwxyz234567".contains($0) })
    let read = try #require(MaskedToken(text: text, key: key))
    #expect(read.content == content)
    #expect(read.isGenuine(in: "ana@example.org", key: key))
  }

  @Test func `upper case is the same token`() throws {
    let read = try #require(MaskedToken(text: token().text.uppercased(), key: key))
    #expect(read.isGenuine(in: "ana@example.org", key: key))
  }

  @Test func `another context or key makes it false`() throws {
    let text = try token().text
    #expect(MaskedToken(text: text, key: key)?.isGenuine(in: "rui@example.org", key: key) == false)
    let other = [UInt8](repeating: 8, count: 32)
    #expect(
      MaskedToken(text: text, key: other)?.isGenuine(in: "ana@example.org", key: other) == false)
  }

  @Test func `each changed character makes it false`() throws {
    let text = Array(try token().text)
    for index in text.indices {
      var changed = text
      changed[index] = changed[index] == "a" ? "b" : "a"
      let read = try #require(MaskedToken(text: String(changed), key: key))
      #expect(!read.isGenuine(in: "ana@example.org", key: key))
    }
  }

  @Test func `tokens of similar contents have nothing in common`() throws {
    var next = content
    next[9] = 254
    let other = try #require(MaskedToken(next, in: "ana@example.org", key: key))
    let same = zip(try token().text, other.text).count { $0 == $1 }
    #expect(same < 15)
    #expect(!other.text.hasSuffix(String(try token().text.suffix(8))))
  }

  @Test(arguments: [0, 9, 11])
  func `another length of content is refused`(count: Int) {
    #expect(MaskedToken([UInt8](repeating: 0, count: count), in: "", key: key) == nil)
  }

  @Test(arguments: [
    "", "a", String(repeating: "a", count: 32), String(repeating: "a", count: 48),
    String(repeating: "1", count: 40), String(repeating: "é", count: 20),
    String(repeating: "=", count: 40),
  ])
  func `other texts are no token`(text: String) {
    #expect(MaskedToken(text: text, key: key) == nil)
  }

  @Test func `a description reveals nothing`() throws {
    #expect("\(try token())" == "MaskedToken")
    #expect(Mirror(reflecting: try token()).children.isEmpty)
  }
}
