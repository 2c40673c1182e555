import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing

@Suite struct MailQueueTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `a queued mail has exactly one job that will send it`() throws {
    let ana = try app.account()
    try app.add(.example(.warned, to: ana))
    try app.add(.example(.warned, to: ana))
    #expect(try app.waiting() == (2, 2))
    #expect(try app.text("SELECT min(due_at) FROM job") == app.clock.now.text)
    #expect(try app.integer("SELECT count(DISTINCT payload) FROM job") == 2)
  }

  @Test func `a mail of a failed transaction is not queued`() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try app.database.write { connection in
        try app.queue.add(.example(.reportReceived), connection)
        throw Stop()
      }
    }
    #expect(try app.waiting() == (0, 0))
  }

  @Test func `jobs contain no address and no link`() throws {
    try app.add(.example(.confirm))
    let payload = try app.text("SELECT payload FROM job")
    #expect(payload == "1")
  }

  @Test func `a mail without a value of its template is refused`() throws {
    for template in MailTemplate.allCases {
      for name in template.arguments {
        var mail = OutgoingMail.example(template)
        mail.arguments[name] = nil
        #expect(throws: UnfitMail.self, "\(template) without \(name)") { try app.add(mail) }
      }
    }
    var mail = OutgoingMail.example(.warned)
    mail.template = "unheard_of"
    #expect(throws: UnfitMail.self) { try app.add(mail) }
    #expect(try app.waiting() == (0, 0))
  }

  @Test(arguments: [
    "https://evil.example/", "//evil.example/", "/\\evil.example", "confirm", "", "/a b", "/a\r\nb",
    "/ç", "javascript:alert(1)",
  ])
  func `a link outside the instance is refused`(link: String) {
    var mail = OutgoingMail.example(.confirm)
    mail.link = link
    #expect(throws: UnfitMail.self) { try app.add(mail) }
  }

  @Test func `a template with a link needs one, and one without a button has none`() {
    for template in MailTemplate.allCases {
      var mail = OutgoingMail.example(template)
      mail.link = template.link == .none ? "/" : nil
      if template.link == .optional {
        #expect(throws: Never.self) { try app.add(mail) }
      } else {
        #expect(throws: UnfitMail.self, "\(template)") { try app.add(mail) }
      }
    }
  }
}
