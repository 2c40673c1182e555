@testable import App
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// A request through Farol: sent, read in the inbox or by the reply link, and answered.
@Suite struct RequestTests {
  let app: TestApp
  let ana: TestAccount
  let city: TestOperator
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.added(["operator": ["name": "City of Exemplo", "kind": "public"]], as: ana)
    city = try app.approved(
      "City of Exemplo", "exemplo.example",
      ["data_protection_contact": "dpo@exemplo.example"])
    try app.claim(device, as: city)
    try app.checkDomain(of: city)
  }

  private var me: Identity { (try? app.signIn(ana.rowid)) ?? .visitor }
  private var them: Identity { (try? app.signIn(city.account.rowid)) ?? .visitor }

  private func wanted(_ details: JSONValue = ["name": "A. Person"]) throws -> String {
    try app.choice(of: ana, about: device, "access", ["country": "PT", "details": details])
  }

  @discardableResult
  private func send(_ id: String) -> TestAnswer {
    app.send(.post, "/api/choices/\(id)/send", json: [:], as: me)
  }

  private func inbox() throws -> [JSONValue] {
    try app.get("/api/operator/requests", as: them).json["requests"]?.arrayValue ?? []
  }

  private func answer(_ id: String, _ body: JSONValue) -> TestAnswer {
    app.send(.post, "/api/operator/requests/\(id)/events", json: body, as: them)
  }

  @Test func `a letter goes to the operator of the device, who responds in the inbox`() throws {
    let id = try wanted()
    let before = try app.get("/api/choices/\(id)", as: me).json
    #expect(before["farol"]?["operator"]?["name"] == "City of Exemplo")
    #expect(before["reply_link"] == true)
    let sent = send(id)
    #expect(sent.status == .ok, "\(sent.text)")
    #expect(try sent.json["state"] == "sent" && sent.json["channel"] == "farol")
    #expect(try sent.json["events"]?[0]?["by"] == "farol")
    let mail = try #require(try app.waitingMails().last)
    #expect(mail.template == "operator_request" && mail.to == "dpo@exemplo.example")
    #expect(mail.all.contains("A. Person") && mail.link.hasPrefix("/reply#token="))
    let list = try inbox()
    #expect(list.count == 1 && list[0]["due_on"] == "2026-12-21")
    let request = try #require(list[0]["id"]?.stringValue)
    #expect(request != id)
    let whole = try app.get("/api/operator/requests/\(request)", as: them).json
    #expect(whole["body"]?.stringValue?.contains("A. Person") == true)
    #expect(whole["body"]?.stringValue?.contains("token=") == false)
    #expect(whole["next"] == ["acknowledged", "extended", "honoured", "refused"])
    #expect(whole["reasons_of"]?["extended"] == ["complexity", "number"])
    #expect(whole["reasons_of"]?["refused"]?.arrayValue?.contains("others") == true)
    #expect(whole["reasons_of"]?["refused"]?.arrayValue?.contains("compelling") == false)
    for bad: JSONValue in [
      ["event": "refused"], ["event": "refused", "reason": "because"],
      ["event": "extended", "reason": "others"], ["event": "honoured", "reason": "no_data"],
      ["event": "withdrawn"], ["event": "complained"], ["event": "sent"],
    ] { #expect(answer(request, bad).status == .unprocessableContent, "\(bad)") }
    let refused = answer(request, ["event": "refused", "reason": "no_data", "note": "Sorry."])
    #expect(refused.status == .ok, "\(refused.text)")
    #expect(answer(request, ["event": "acknowledged"]).status == .conflict)
    let mine = try app.get("/api/choices/\(id)", as: me).json
    let event = mine["events"]?[1]
    #expect(mine["state"] == "refused" && mine["channel"] == "farol")
    #expect(event?["by"] == "operator" && event?["channel"] == "farol")
    #expect(event?["reason"] == "no_data" && event?["note"] == "Sorry.")
    #expect(try app.waitingMails().last?.template == "choice_answered")
    #expect(try app.waitingMails().last?.to == ana.email)
  }

  @Test func `a person objects to a request marked as done, and the operator is told why`() throws {
    let id = try wanted()
    send(id)
    let path = "/api/operator/requests/\(try #require(try inbox().first?["id"]?.stringValue))"
    #expect(
      answer(String(path.split(separator: "/").last ?? ""), ["event": "honoured"]).status == .ok)
    let reported = try #require(try app.waitingMails().last)
    #expect(reported.template == "choice_answered" && reported.all.contains("City of Exemplo"))
    #expect(try app.get("/api/choices/\(id)", as: me).json["next"] == ["confirmed", "contested"])
    let objection = app.event(
      id, "contested", ["reason": "Nothing has arrived.", "note": "Call them."], as: ana)
    #expect(objection.status == .ok, "\(objection.text)")
    let mail = try #require(try app.waitingMails().last)
    #expect(mail.template == "operator_contested" && mail.to == "dpo@exemplo.example")
    #expect(mail.all.contains("Nothing has arrived.") && mail.all.contains("City of Exemplo"))
    #expect(!mail.all.contains("Call them."))
    let count = try app.waitingMails().count
    let whole = try app.get(path, as: them).json
    #expect(whole["state"] == "contested" && whole["next"] == ["honoured", "refused"])
    #expect(whole["events"]?[2]?["reason"] == "Nothing has arrived.")
    #expect(whole["events"]?[2]?["note"] == .null)
    let letter = try app.get(
      "/api/choices/\(id)/letter", ["which": "complain", "lang": "en"], as: me
    )
    .json
    #expect(letter["letter"] == "complain_unfulfilled")
    #expect(letter["body"]?.stringValue?.contains("What is missing: Nothing has arrived.") == true)
    #expect(
      app.send(.post, path + "/events", json: ["event": "confirmed"], as: them).status
        == .unprocessableContent)
    #expect(app.send(.post, path + "/events", json: ["event": "honoured"], as: them).status == .ok)
    #expect(app.event(id, "confirmed", as: ana).status == .ok)
    #expect(try app.get(path, as: them).json["next"] == [])
    #expect(try app.waitingMails().count == count + 1, "only the second answer is mailed")
  }

  @Test func `it is refused without an operator, with missing text, or a second time`() throws {
    let id = try wanted([:])
    let missing = send(id)
    #expect(try missing.status == .unprocessableContent && missing.fields == ["details.name"])
    let elsewhere = try app.added(longitude: 9, as: ana)
    let other = try app.choice(of: ana, about: elsewhere, "access", ["country": "PT"])
    let none = send(other)
    #expect(try none.status == .conflict && none.json["type"] == "/problems/no-operator")
    let full = try wanted()
    #expect(send(full).status == .ok && send(full).status == .conflict)
    let ben = try app.account("ben").identity
    #expect(app.send(.post, "/api/choices/\(full)/send", json: [:], as: ben).status == .notFound)
    #expect(try app.count("request") == 1)
  }

  @Test func `the inbox shows due dates, overdue requests and states`() throws {
    let first = try wanted()
    let second = try wanted()
    send(first)
    app.clock.set("2026-12-14T10:00:00Z")
    send(second)
    let page = try app.get("/api/operator/requests", ["limit": "1"], as: them).json
    #expect(page["due"]?.arrayValue?.count == 1 && page["counts"]?["sent"] == 2)
    let cursor = try #require(page["next"]?.stringValue)
    let rest = try app.get("/api/operator/requests", ["limit": "1", "cursor": cursor], as: them)
      .json
    #expect(rest["requests"]?.arrayValue?.count == 1 && rest["next"] == .null)
    #expect(rest["requests"]?[0]?["id"] == page["due"]?[0])
    app.clock.set("2026-12-22T00:00:00Z")
    let late = try app.get("/api/operator/requests", ["state": "overdue"], as: them).json
    #expect(late["requests"]?.arrayValue?.count == 1 && late["counts"]?["overdue"] == 1)
    #expect(late["requests"]?[0]?["overdue"] == true)
    let never = app.get("/api/operator/requests", ["state": "wanted"], as: them)
    #expect(never.status == .badRequest)
    let rival = try app.approved("Another", "another.example")
    #expect(try app.get("/api/operator/requests", as: rival.identity).json["requests"] == [])
    let request = try #require(late["requests"]?[0]?["id"]?.stringValue)
    let path = "/api/operator/requests/\(request)"
    #expect(app.get(path, as: rival.identity).status == .notFound)
    #expect(
      app.send(.post, path + "/events", json: ["event": "honoured"], as: rival.identity).status
        == .notFound)
  }

  // Reply links

  private func reply(_ token: String, _ body: JSONValue? = nil) -> TestAnswer {
    var members = JSONObject([("token", .string(token))])
    for member in body?.objectValue?.members ?? [] { members[member.key] = member.value }
    return app.send(
      .post, body == nil ? "/api/replies/open" : "/api/replies", json: .object(members))
  }

  /// The token in the person's copy of the letter.
  private func token(_ id: String, _ query: TestApp.Parameters = [:]) throws -> String? {
    let letter = try app.get("/api/choices/\(id)/letter", query, as: me).json
    let body = try #require(letter["body"]?.stringValue)
    guard let found = body.firstRange(of: "/reply#token=") else { return nil }
    return String(body[found.upperBound...].prefix { $0 != "\n" })
  }

  @Test func `the recipient of a mailed letter responds by its link, without an account`() throws {
    let id = try wanted()
    let token = try #require(try token(id))
    #expect(token.count == 43)
    #expect(try self.token(id, ["lang": "pt"]) == token)
    #expect(reply(token).status == .notFound)
    app.event(id, "sent", ["channel": "email", "note": "my own note"], as: ana)
    let opened = try reply(token).json
    #expect(opened["operator_name"] == "City of Exemplo" && opened["state"] == "sent")
    #expect(opened["body"]?.stringValue?.contains("A. Person") == true)
    #expect(!reply(token).text.contains("my own note"))
    // Later changes are not part of the sent letter.
    let change: JSONValue = ["details": ["name": "Another Name"]]
    #expect(app.send(.patch, "/api/choices/\(id)", json: change, as: me).status == .ok)
    #expect(try reply(token).json["body"] == opened["body"])
    let longer = reply(token, ["event": "extended", "reason": "complexity"])
    #expect(try longer.json["extended_until"] == "2027-02-22")
    let event = try app.get("/api/choices/\(id)", as: me).json["events"]?[1]
    #expect(event?["by"] == "operator" && event?["channel"] == "link")
    #expect(reply(token, ["event": "honoured"]).status == .ok)
    #expect(reply(token, ["event": "refused", "reason": "other"]).status == .conflict)
    // Ninety days after the end, and no longer.
    app.clock.set("2027-02-19T12:00:00Z")
    #expect(reply(token).status == .ok)
    app.clock.set("2027-02-20T12:00:00Z")
    let over = reply(token)
    #expect(try over.status == .notFound && over.json["type"] == "/problems/token-spent")
  }

  @Test func `an unknown link returns 404`() throws {
    let id = try wanted()
    app.event(id, "sent", as: ana)
    let token = try #require(try token(id))
    let flipped = String(token.dropLast()) + (token.hasSuffix("A") ? "E" : "A")
    let swapped = String(token.dropFirst(22)) + String(token.prefix(22))
    for wrong in ["", "x", flipped, swapped, token + "A", String(token.reversed())] {
      #expect(reply(wrong).status == .notFound, "\(wrong)")
      #expect(reply(wrong, ["event": "honoured"]).status == .notFound)
    }
    #expect(reply(token).status == .ok)
    #expect(app.send(.delete, "/api/choices/\(id)", as: me).status == .noContent)
    #expect(reply(token).status == .notFound)
  }

  @Test func `without a link the letter has none, nor has a complaint`() throws {
    let id = try wanted()
    let given = try #require(try token(id))
    let off: JSONValue = ["reply_link": false]
    let changed = app.send(.patch, "/api/choices/\(id)", json: off, as: me)
    #expect(try changed.json["reply_link"] == false)
    #expect(try token(id) == nil)
    send(id)
    #expect(reply(given).status == .notFound)
    #expect(try app.waitingMails().last?.link.hasPrefix("/operator/requests/") == true)
    let other = try wanted()
    app.event(other, "sent", as: ana)
    app.clock.set("2026-12-22T10:00:00Z")
    #expect(try token(other, ["which": "remind"]) != nil)
    #expect(try token(other, ["which": "complain"]) == nil)
    let anonymous = app.get("/api/letters", ["device": device, "kind": "access", "country": "PT"])
    #expect(!anonymous.text.contains("/reply#"))
  }

  @Test func `the rate of opening links is limited per network`() throws {
    for _ in 0..<120 { #expect(reply("x").status == .notFound) }
    #expect(reply("x").status == .tooManyRequests)
  }

  // Erasing

  @Test func `an erased request is gone from the inbox, also with its account`() throws {
    let first = try wanted()
    let second = try wanted()
    send(first)
    send(second)
    #expect(try inbox().count == 2)
    #expect(app.send(.delete, "/api/choices/\(first)", as: me).status == .noContent)
    #expect(try inbox().count == 1)
    let erased = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)], as: me)
    #expect(erased.status == .noContent)
    #expect(try inbox().isEmpty && app.count("request") == 0)
    // The unsent mail was deleted with the account.
    #expect(try app.waitingMails().allSatisfy { !$0.all.contains("A. Person") })
  }

  @Test func `without a known operator the letter names the claiming organisation`()
    throws
  {
    let nameless = try app.added(longitude: 7.5, as: ana)
    try app.claim(nameless, as: city)
    let id = try app.choice(of: ana, about: nameless, "access", ["country": "PT"])
    let letter = try app.get("/api/choices/\(id)/letter", as: me).json
    #expect(letter["body"]?.stringValue?.contains("City of Exemplo") == true)
    #expect(letter["to"]?["email"] == "dpo@exemplo.example")
  }

  @Test func `letters and organisations are in the export of their owner`() throws {
    send(try wanted())
    func export(_ identity: Identity) throws -> JSONValue {
      var headers = Headers()
      for (name, value) in identity.headers { headers.add(name, value) }
      let answer = app.app.router.respond(
        to: Request(.get, "/api/account/export", headers: headers))
      return try JSONValue(parsing: try answer.collectBody())
    }
    let mine = try export(me)["requests"]?[0]
    #expect(mine?["operator"] == "City of Exemplo")
    #expect(mine?["body"]?.stringValue?.contains("A. Person") == true)
    let theirs = try export(them)
    #expect(theirs["organisation"]?[0]?["domain"] == "exemplo.example")
    #expect(theirs["organisation_devices"]?[0]?["device"]?.stringValue == device)
    #expect(theirs["requests"] == [])
  }
}
