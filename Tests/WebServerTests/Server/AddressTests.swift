import Testing

@testable import WebServer

@Suite struct AddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1:80"), ("2001:db8::1", "[2001:db8::1]:443"),
    ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0::1", " 2001:db8::1 "),
  ])
  func `all spellings of an address are equal`(one: String, other: String) {
    #expect(ClientAddress(one) != nil)
    #expect(ClientAddress(one) == ClientAddress(other))
  }

  @Test(arguments: ["", "a", "1.2.3", "1.2.3.4.5", "256.0.0.1", "1.2.3.4/8", "[::1", "::g"])
  func `an invalid address is refused`(text: String) {
    #expect(ClientAddress(text) == nil)
  }

  @Test func `IPv6 is limited by its first 64 bits and IPv4 by the whole address`() {
    func key(_ text: String) -> ClientAddress? { ClientAddress(text)?.limitKey }
    #expect(key("2001:db8:0:1::1") == key("2001:db8:0:1:ffff::2"))
    #expect(key("2001:db8:0:1::1") != key("2001:db8:0:2::1"))
    #expect(key("192.0.2.1") != key("192.0.2.2"))
    #expect(key("192.0.2.1") == key("::ffff:192.0.2.1"))
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
    ("10.0.0.0/8", "9.255.255.255", false), ("192.0.2.7", "192.0.2.7", true),
    ("192.0.2.7", "192.0.2.8", false), ("192.0.2.6/31", "192.0.2.7", true),
    ("192.0.2.6/31", "192.0.2.8", false), ("0.0.0.0/0", "203.0.113.1", true),
    ("0.0.0.0/0", "2001:db8::1", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
    ("2001:db8::/32", "2001:db9::1", false), ("::1", "::1", true), ("::1", "::2", false),
    ("2001:db8::/127", "2001:db8::1", true), ("2001:db8::/127", "2001:db8::2", false),
  ])
  func `a block contains its addresses and none next to them`(
    block: String, address: String, holds: Bool
  ) throws {
    let block = try #require(AddressBlock(block))
    #expect(block.contains(try #require(ClientAddress(address))) == holds)
  }

  @Test(arguments: [
    "", "10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/x", "a/8", "10.0.0.0/8/8",
  ])
  func `an invalid block is refused`(text: String) {
    #expect(AddressBlock(text) == nil)
  }
}
