import Mail
import Testing

@Suite struct BounceAddressTests {
  private let token = String(repeating: "a2", count: 20)

  @Test(arguments: [
    "bounces+*@example.org", "b-*@example.org", "*@bounces.example.org", "x*y@example.org",
  ])
  func `an address with a token gives the token back`(pattern: String) throws {
    let address = try BounceAddress(pattern)
    let text = try address.address(token).text
    #expect(text == pattern.replacing("*", with: token))
    #expect(address.tokens(in: text) == [token])
  }

  @Test(arguments: [
    "Undelivered <bounces+TOKEN@example.org>", " bounces+TOKEN@example.org\n",
    "a@example.net, \"x\" <BOUNCES+TOKEN@EXAMPLE.ORG>", "bounces+\n TOKEN@example.org",
    "bounces+bounces+TOKEN@example.org",
  ])
  func `a token is found in a header field`(field: String) throws {
    let address = try BounceAddress("bounces+*@example.org")
    #expect(address.tokens(in: field.replacing("TOKEN", with: token)) == [token])
  }

  @Test(arguments: [
    "bounces@example.org", "bounces+TOKEN@example.net", "other+TOKEN@example.org", "bounces+TOKEN",
    "bounces+aTOKEN@example.org", "bounces+-TOKEN@example.org", "",
  ])
  func `other addresses have no token`(field: String) throws {
    let address = try BounceAddress("bounces+*@example.org")
    #expect(address.tokens(in: field.replacing("TOKEN", with: token)).isEmpty)
  }

  @Test func `a field has ten tokens at most`() throws {
    let address = try BounceAddress("bounces+*@example.org")
    let field = String(repeating: "bounces+\(token)@example.org ", count: 50)
    #expect(address.tokens(in: field).count == 10)
  }

  @Test(arguments: [(24, true), (25, false)])
  func `a local part stays within 64 bytes with the token`(length: Int, isValid: Bool) {
    let pattern = String(repeating: "b", count: length) + "*@example.org"
    #expect(((try? BounceAddress(pattern)) != nil) == isValid)
  }

  @Test(arguments: [
    "", "*", "bounces@example.org", "b*c*@example.org", "bounces@*.example.org", "bounces+*",
    "bounces+*@", "bou nces+*@example.org", "bounces+*@example.org\r\n", "é*@example.org",
  ])
  func `a pattern that makes no address is refused`(pattern: String) {
    #expect(throws: InvalidBounceAddress.self) { try BounceAddress(pattern) }
  }
}
