@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Letters contain a person's name and address: they are mailed to verified addresses only.
@Suite struct LettersTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  /// The address to which a letter of Ana's to an organisation is mailed; nil when it waits in the
  /// inbox only.
  private func destination(_ city: TestOperator) throws -> String? {
    let device = try app.added(longitude: Double(try app.count("device")), as: ana)
    try app.claim(device, as: city)
    let before = try app.waitingMails().count
    let choice = try app.choice(
      of: ana, about: device, "access", ["country": "PT", "details": ["name": "A. Person"]])
    let sent = app.send(.post, "/api/choices/\(choice)/send", json: [:], as: ana.identity)
    try #require(sent.status == .ok, "\(sent.text)")
    let mails = try app.waitingMails().dropFirst(before)
    #expect(mails.count <= 1)
    return mails.first?.to
  }

  private func change(_ members: JSONValue, _ city: TestOperator) throws -> JSONValue {
    let answer = app.send(.patch, "/api/operators/mine", json: members, as: city.identity)
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json
  }

  private func ask(for address: String, _ city: TestOperator) -> TestAnswer {
    app.send(
      .post, "/api/operators/mine/check",
      json: ["method": "email", "address": .string(address)], as: city.identity)
  }

  @Test func `an operator with an unverified address gets no letter by mail`() throws {
    let city = try app.approved()
    try app.checkDomain(of: city)
    let own = try change(["contact": "victim@elsewhere.example"], city)
    #expect(own["unproven_contacts"] == ["victim@elsewhere.example"] && own["letters_to"] == .null)
    #expect(try destination(city) == city.account.email)
    // It is nevertheless shown in the inbox.
    #expect(own["contact"] == "victim@elsewhere.example")
  }

  @Test func `a subdomain of the verified domain, or a similar one, proves nothing`() throws {
    let city = try app.approved()
    try app.checkDomain(of: city)
    for address in [
      "a@sub.exemplo.example", "a@notexemplo.example", "a@exemplo.example.evil.example",
    ] {
      _ = try change(["contact": .string(address)], city)
      #expect(try destination(city) == city.account.email, "\(address)")
    }
    _ = try change(["contact": "Office@EXEMPLO.example"], city)
    #expect(try destination(city) == "Office@EXEMPLO.example")
  }

  @Test func `a manual check verifies no address`() throws {
    let city = try app.approved(
      "City of Exemplo", "exemplo.example", ["contact": "office@exemplo.example"])
    #expect(try destination(city) == city.account.email)
    try app.checkDomain(of: city)
    #expect(try destination(city) == "office@exemplo.example")
  }

  @Test func `an external contact gets letters once its owner has opened the link`() throws {
    let city = try app.approved()
    _ = try change(["data_protection_contact": "dpo@law.example"], city)
    #expect(ask(for: "stranger@law.example", city).status == .unprocessableContent)
    #expect(ask(for: "DPO@law.example", city).status == .ok)
    let mail = try #require(try app.waitingMails().last)
    #expect(mail.template == "operator_contact" && mail.to == "DPO@law.example")
    #expect(mail.all == "{}")
    #expect(try destination(city) == city.account.email)
    #expect(try app.confirm("operator_contact").json["confirmed"] == "contact")
    #expect(try destination(city) == "dpo@law.example")
    // That does not verify the domain.
    let mine = try app.get("/api/operators/mine", as: city.identity).json
    #expect(mine["check"]?["method"] == "manual" && mine["unproven_contacts"] == [])
    // Another address needs a separate link, and so does a return to the first one.
    _ = try change(["data_protection_contact": "other@law.example"], city)
    #expect(try destination(city) == city.account.email)
    _ = try change(["data_protection_contact": "dpo@law.example"], city)
    #expect(try destination(city) == city.account.email)
  }

  @Test func `a link for a contact that changed since is invalid`() throws {
    let city = try app.approved()
    _ = try change(["contact": "dpo@law.example"], city)
    #expect(ask(for: "dpo@law.example", city).status == .ok)
    let token = try app.token(in: "operator_contact")
    _ = try change(["contact": "other@law.example"], city)
    let late = app.send(.post, "/api/operators/check", json: ["token": .string(token)])
    #expect(
      try late.status == .unprocessableContent && late.json["type"] == "/problems/token-spent")
    #expect(
      try app.integer("SELECT count(*) FROM organisation WHERE confirmed_contact IS NULL") == 1)
  }

  @Test func `a contact agrees to one organisation, not to a renamed one`() throws {
    app.register("Shop", "shop.example", ["contact": "dpo@law.example"], as: ana.identity)
    let begun = app.send(
      .post, "/api/operators/mine/check",
      json: ["method": "email", "address": "dpo@law.example"], as: ana.identity)
    #expect(begun.status == .ok)
    try app.confirm("operator_contact")
    let before = try app.get("/api/operators/mine", as: ana.identity).json
    #expect(before["letters_to"] == "dpo@law.example")
    let renamed = app.send(
      .patch, "/api/operators/mine", json: ["name": "Another shop"], as: ana.identity)
    #expect(try renamed.json["letters_to"] == .null)
  }

  @Test func `links to contacts have the limits of domain checks`() throws {
    let city = try app.approved()
    _ = try change(["contact": "dpo@law.example"], city)
    for _ in 0..<3 { #expect(ask(for: "dpo@law.example", city).status == .ok) }
    #expect(ask(for: "dpo@law.example", city).status == .tooManyRequests)
  }

  @Test func `no mail with user-written text goes to an unverified address`() {
    // Only two kinds of mail go to unverified addresses: those that verify an address, and those to
    // people who report without an account. Their only placeholder for text is the moderator's
    // reply.
    for template in MailTemplate.allCases where [.claim, .report].contains(template.occasion) {
      let gaps = template.arguments.subtracting(template == .reportAnswered ? ["outcome"] : [])
      #expect(gaps.isEmpty, "\(template)")
    }
  }

  // Claims

  @Test func `an organisation may claim sixty devices an hour`() throws {
    let city = try app.approved()
    let device = try app.added(as: ana)
    func claim(_ method: Method) -> Status {
      app.send(
        method, Path.item(device) + "/operator", json: method == .post ? [:] : nil,
        as: city.identity
      )
      .status
    }
    for _ in 0..<30 {
      #expect(claim(.post) == .created)
      #expect(claim(.delete) == .noContent)
    }
    #expect(claim(.post) == .tooManyRequests)
    let other = try app.approved("Another", "another.example")
    #expect(try app.claim(device, as: other) == "standing")
    app.clock.advance(by: .seconds(3_600))
    #expect(claim(.post) == .created)
  }

  @Test func `at most fifty claims of an organisation wait for a moderator`() throws {
    let city = try app.approved()
    for number in 0..<50 {
      let device = try app.device(by: ana, longitude: Double(number))
      try app.write(operator: "Somebody Else", on: device)
      #expect(try app.claim(device.id, as: city) == "waiting")
    }
    let next = try app.device(by: ana, longitude: 51)
    try app.write(operator: "Somebody Else", on: next)
    let path = Path.item(next.id) + "/operator"
    let refused = app.send(.post, path, json: [:], as: city.identity)
    #expect(try refused.status == .conflict && refused.json["type"] == "/problems/too-many-claims")
    // An undisputed claim is valid nevertheless.
    let clear = try app.device(by: ana, longitude: 52)
    #expect(try app.claim(clear.id, as: city) == "standing")
  }
}

extension TestApp {
  /// Sets an operator of a device, as an edit does.
  fileprivate func write(operator name: String, on device: TestDevice) throws {
    try database.write { connection in
      let row = try OperatorStore().rowid(ofOrganisation: name, .company, connection)
      try connection.execute(
        "UPDATE device SET operator_rowid = ? WHERE rowid = ?",
        [SQLValue(row), .integer(device.rowid)])
    }
  }
}
