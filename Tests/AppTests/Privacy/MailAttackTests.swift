@testable import App
import Foundation
import JSON
import Mail
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn a person's name or address from mail, or to send them an attacker's text.
@Suite struct MailAttackTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("quirina")
  }

  /// Sends queued mails and returns them as sent, by address.
  private func sent() throws -> [String: String] {
    let transport = TestTransport()
    let runner = try app.runner(transport)
    while try runner.runOne() {}
    return Dictionary(
      transport.messages.map { ($0.to.text, $0.text) }, uniquingKeysWith: { $0 + $1 })
  }

  private func askForResearch() {
    let answer = app.post(
      "/api/account/research-access",
      [
        "project": "Cameras of towns", "until": "2027-03-01",
        "purpose": "How many cameras say who runs them, town by town.",
      ], as: ana.identity)
    #expect(answer.status == .created, "\(answer.text)")
  }

  @Test func `admins are not greeted by an attacker's name or by each other's`() throws {
    let admins = try ["chief", "second"].map { try app.account($0, role: .admin) }
    askForResearch()
    let mails = try sent()
    for admin in admins {
      let text = try #require(mails[admin.email])
      #expect(text.contains("Hello \(admin.username),"), "\(text)")
      #expect(text.contains("quirina requests"), "\(text)")
      for other in admins where other.rowid != admin.rowid {
        #expect(!text.contains(other.username))
      }
    }
  }

  @Test func `the requester of research access is greeted once, by their own name`() throws {
    let admin = try app.account("chief", role: .admin)
    askForResearch()
    _ = try sent()
    let id = try #require(try app.text("SELECT id FROM research_access"))
    let answer = app.post(
      "/api/admin/research-access/\(id)", ["decision": "refuse", "reason": "Too little said"],
      as: admin.identity)
    try #require(answer.status == .ok, "\(answer.text)")
    let text = try #require(try sent()[ana.email])
    #expect(text.components(separatedBy: "quirina").count == 2, "\(text)")
    #expect(text.hasPrefix("Hello quirina,"), "\(text)")
    #expect(!text.contains("chief"))
  }

  @Test(arguments: ["en", "pt"])
  func `no mail greets its reader by another person's name`(language: String) throws {
    let catalogue = app.app.catalogue
    for template in MailTemplate.allCases {
      let words = catalogue.text(
        Message("mail.\(template.rawValue).text", ["username": "READER"]), in: language)
      #expect(!words.contains("READER"), "\(template): the greeting has the name already")
    }
  }

  @Test func `an attacker does not learn an address from mail about records`() throws {
    let ben = try app.account("ben")
    let id = try app.dataRequest(from: ana, to: ben, ["reason": "WORDS of the asker"])
    try app.accept(id, ["note": "WORDS of the asked"], as: ben)
    for (address, text) in try sent() {
      #expect(!text.contains("WORDS"), "\(text)")
      let other = address == ana.email ? ben.email : ana.email
      #expect(!text.contains(other), "\(text)")
    }
  }

  @Test func `an organisation that requests records is named, in mail too`() throws {
    let speaker = try app.approved("City of Exemplo", "exemplo.example")
    _ = try sent()
    let id = try app.dataRequest(from: speaker.account, to: ana)
    #expect(
      try app.dataRequest(id, as: ana).json["from"] == [
        "username": .string(speaker.account.username), "organisation": "City of Exemplo",
      ])
    let text = try #require(try sent()[ana.email])
    #expect(text.contains("City of Exemplo (\(speaker.account.username))"), "\(text)")
  }

  @Test func `an attacker cannot send their text to a stranger's mailbox`() throws {
    let words = "BUY-NOW"
    #expect(app.signUp(words, email: "victim@example.org").status == .accepted)
    _ = app.post("/api/accounts/recover", ["login": "victim@example.org"])
    _ = app.post("/api/accounts/confirm/resend", ["login": "victim@example.org"])
    try app.work()
    _ = app.post(
      "/api/reports",
      [
        "target": ["type": "device", "id": .string(try app.added(as: ana))], "reason": "other",
        "note": .string(words), "email": "victim@example.org", "locale": "en",
      ])
    for (address, text) in try sent() where address.hasPrefix("victim") {
      #expect(!text.contains(words), "\(text)")
    }
  }

  @Test func `an attacker does not learn an address from sent mail`() throws {
    #expect(app.signUp("neu", email: "only-in-the-mail@example.org").status == .accepted)
    #expect(try app.count("mail") == 1)
    _ = try sent()
    #expect(try app.count("mail") == 0)
    #expect(app.log.lines.allSatisfy { !$0.contains("only-in-the-mail") })
  }
}
