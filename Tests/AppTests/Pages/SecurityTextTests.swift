@testable import App
import PrivacyMap
@testable import Service
@testable import Site
import Testing
import WebServer

@Suite struct SecurityTextTests {
  private static func app(_ contact: String?) throws -> TestApp {
    var settings = InstanceSettings()
    settings.securityContact = contact.flatMap { SecurityContact($0) }
    return try TestApp(settings: settings)
  }

  @Test func `the security file has the contact, the expiry and the languages`()
    throws
  {
    let answer = try Self.app("seguranca@example.org").get("/.well-known/security.txt")
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
    #expect(
      answer.text == """
        Contact: mailto:seguranca@example.org
        Expires: 2027-02-19T00:00:00Z
        Preferred-Languages: en, pt

        """)
  }

  @Test func `it expires in under a year, whenever it is requested`() throws {
    let app = try Self.app("https://example.org/security")
    app.clock.advance(by: .seconds(400 * 86_400))
    let lines = app.get("/.well-known/security.txt").text.split(separator: "\n")
    let end = try #require(lines.first { $0.hasPrefix("Expires: ") }?.dropFirst("Expires: ".count))
    let left = try #require(Timestamp(text: String(end))).secondsSinceEpoch
    let seconds = left - app.clock.now.secondsSinceEpoch
    #expect(seconds > 0 && seconds < 365 * 86_400)
  }

  @Test func `its own address is included where that is safe`() throws {
    let text = SecurityText.path
    let app = try Self.app("a@example.org")
    var router = Router()
    var settings = InstanceSettings()
    settings.securityContact = SecurityContact("a@example.org")
    SecurityText(
      settings, app.app.catalogue, Addresses(base: "https://farol.example.org/"), app.environment)?
      .add(to: &router)
    let body = router.respond(to: Request(.get, text)).body.bytes ?? []
    #expect(
      String(decoding: body, as: UTF8.self).contains(
        "\nCanonical: https://farol.example.org/.well-known/security.txt\n"))
  }

  @Test func `without a contact there is no such file`() throws {
    #expect(try Self.app(nil).get("/.well-known/security.txt").status == .notFound)
  }

  @Test(arguments: [
    ("a@example.org", "mailto:a@example.org"), ("mailto:a@example.org", "mailto:a@example.org"),
    ("https://example.org/s", "https://example.org/s"), ("tel:+351-21-000", "tel:+351-21-000"),
    ("http://example.org/s", nil), ("https://", nil), ("tel:1", nil), ("Ana", nil), ("", nil),
    ("https://example.org/a b", nil), ("mailto:", nil), ("a@example.org\nContact: x", nil),
  ])
  func `a contact is an address that a program can use`(text: String, address: String?) {
    #expect(SecurityContact(text)?.address == address)
  }
}
