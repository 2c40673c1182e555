import JSON
import SpatialDatabase
import Testing
import WebServer

@testable import MapAPI

@Suite struct ReportTests {
  let app: TestApp
  let device: TestDevice

  init() throws {
    app = try TestApp()
    device = try app.device(name: "A stranger's words")
  }

  @discardableResult
  private func report(
    _ id: String? = nil, note: JSONValue = "That is my house.", email: JSONValue = nil,
    locale: JSONValue = nil, from address: String = "192.0.2.1",
    headers: Headers = [:]
  ) -> TestAnswer {
    app.send(
      .post, "/api/reports", headers: headers,
      json: [
        "target": ["type": "device", "id": .string(id ?? device.id)],
        "reason": "personal_data", "note": note, "email": email, "locale": locale,
      ], from: address)
  }

  @Test func `anybody reports without an account and is told that it came`() throws {
    let answer = report(email: "jo@example.org", locale: "pt")

    #expect(answer.status == .accepted)
    #expect(answer.bytes.isEmpty)
    #expect(try app.text("SELECT kind FROM flag") == "report")
    #expect(try app.text("SELECT email FROM flag") == "jo@example.org")
    #expect(try app.text("SELECT locale FROM flag") == "pt")
    let mail = try #require(try app.mails.first)
    #expect(mail.address == "jo@example.org" && mail.template == "report_received")
    #expect(mail.link == "/devices/\(device.id)")
  }

  @Test func `a mail to an address that anybody may type carries nobody's words`() throws {
    report(note: "Buy at evil.example", email: "jo@example.org")
    #expect(try app.mails.map(\.arguments) == [[:]])
  }

  @Test func `without an address there is no mail, and the language is the browser's`() throws {
    #expect(report(headers: ["Accept-Language": "pt-PT"]).status == .accepted)
    #expect(try app.mails.isEmpty)
    #expect(try app.text("SELECT locale FROM flag") == "pt")
  }

  @Test func `a report needs words`() throws {
    #expect(report(note: nil).status == .badRequest)
    #expect(report(note: "").status == .unprocessableContent)
    #expect(report(note: "   ").status == .unprocessableContent)
    #expect(report(email: "no address").status == .unprocessableContent)
    #expect(report(locale: "xx").status == .unprocessableContent)
    #expect(try app.integer("SELECT count(*) FROM flag") == 0)
  }

  @Test func `what nobody may see cannot be reported, and what never was neither`() throws {
    #expect(report("01890a5d-ac96-774b-bcce-b302099a8057").status == .notFound)
    try app.hide(device)
    #expect(report().status == .notFound)
  }

  @Test func `five reports an hour from one network, whatever its addresses`() throws {
    for place in 0..<5 {
      #expect(report(from: "2001:db8::\(place)").status == .accepted)
    }
    let refused = report(from: "2001:db8::99")
    #expect(refused.status == .tooManyRequests)
    #expect(refused.headers["Retry-After"] == "3600")
    #expect(report(from: "2001:db8:0:1::1").status == .accepted)
    app.clock.advance(by: .seconds(3_600))
    #expect(report(from: "2001:db8::99").status == .accepted)
  }

  @Test func `ten reports a day about one thing are enough`() throws {
    for place in 0..<10 {
      #expect(report(from: "192.0.2.\(place)").status == .accepted)
    }
    #expect(report(from: "198.51.100.1").status == .tooManyRequests)
    let other = try app.device()
    #expect(report(other.id, from: "198.51.100.1").status == .accepted)
  }

  @Test func `nobody's mailbox is flooded in their name`() throws {
    for place in 0..<5 {
      let other = try app.device()
      report(other.id, email: "jo@example.org", from: "192.0.2.\(place)")
    }
    #expect(try app.integer("SELECT count(*) FROM flag") == 5)
    #expect(try app.mails.count == 3)
    report(email: "JO@example.org", from: "198.51.100.1")
    #expect(try app.mails.count == 3)
  }

  @Test func `an address that has waited for ninety days is erased`() throws {
    report(email: "jo@example.org")
    app.clock.advance(by: .seconds(90 * 86_400 - 1))
    let store = FlagStore(surroundings: app.surroundings)
    #expect(try app.database.write { try store.eraseOldAddresses($0) } == 0)
    app.clock.advance(by: .seconds(1))
    #expect(try app.database.write { try store.eraseOldAddresses($0) } == 1)
    #expect(try app.text("SELECT email FROM flag") == nil)
  }
}
