@testable import App
import JSON
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Requests for another person's records, and their results.
@Suite struct DataRequestTests {
  let app: TestApp
  let rita: TestAccount
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    rita = try app.account("rita")
    ana = try app.account("ana")
  }

  private func state(_ id: String, as account: TestAccount? = nil) throws -> String? {
    try app.dataRequest(id, as: account ?? rita).json["state"]?.stringValue
  }

  private func pass(days: Int64) { app.clock.advance(by: .seconds(days * 86_400)) }

  private func templates() throws -> [String] {
    try app.database.write { connection in
      let found = try connection.rows("SELECT template, address FROM mail ORDER BY rowid") {
        "\($0.text(0)) \($0.text(1).prefix { $0 != "@" })"
      }
      try connection.execute("DELETE FROM mail")
      return found
    }
  }

  @Test func `both sides see the request, and the other side gets a mail without its text`() throws
  {
    let answer = app.ask("ana", ["reason": "Secret words"], as: rita)
    #expect(answer.status == .created)
    let json = try answer.json
    #expect(json["from"] == ["username": "rita", "organisation": .null])
    #expect(json["to"] == ["username": "ana", "organisation": .null])
    #expect(json["reason"] == "Secret words")
    #expect(json["asked_at"] == "2026-11-21T12:00:00Z")
    #expect(json["lapses_on"] == "2026-12-21")
    #expect(json["state"] == "waiting")
    #expect(json["granted"] == .null)
    #expect(json["seen"] == [])
    let id = try #require(json["id"]?.stringValue)
    #expect(answer.headers["Location"] == "http://farol.example/api/data-requests/\(id)")
    #expect(try app.dataRequest(id, as: ana).json == json)
    let mail = try app.lastMail
    #expect(mail.template == "data_request_asked")
    #expect(mail.account == ana.rowid)
    #expect(mail.arguments == ["other": "rita", "username": "ana"])
    #expect(mail.link == "/data-requests")
  }

  @Test func `a request is refused after thirty days, not a second earlier`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    _ = try templates()
    app.clock.advance(by: .seconds(30 * 86_400 - 1))
    try RecordRequestSweep(requests: app.app.dataRequests).run()
    #expect(try state(id) == "waiting")
    #expect(try templates() == [])
    app.clock.advance(by: .seconds(1))
    // At once, before the job has run.
    #expect(try state(id) == "lapsed")
    #expect(app.tell("answer", id, ["accept": true], as: ana).status == .conflict)
    try RecordRequestSweep(requests: app.app.dataRequests).run()
    try RecordRequestSweep(requests: app.app.dataRequests).run()
    #expect(try state(id) == "lapsed")
    #expect(try templates() == ["data_request_lapsed rita"])
    #expect(app.records(id, as: rita).status == .conflict)
  }

  @Test func `a refusal is final`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    _ = try templates()
    #expect(app.tell("answer", id, ["accept": false, "note": "Não."], as: ana).status == .ok)
    #expect(try templates() == ["data_request_refused rita"])
    let json = try app.dataRequest(id, as: rita).json
    #expect(json["state"] == "refused")
    #expect(json["note"] == "Não.")
    #expect(json["answered_at"] == "2026-11-21T12:00:00Z")
    #expect(app.records(id, as: rita).status == .conflict)
    #expect(app.tell("answer", id, ["accept": true], as: ana).status == .conflict)
    #expect(app.tell("revoke", id, as: ana).status == .conflict)
    #expect(app.tell("withdraw", id, as: rita).status == .conflict)
  }

  @Test func `a grant is notified to both, and valid until its day`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    _ = try templates()
    try app.accept(id, as: ana)
    #expect(try templates() == ["data_request_accepted rita", "data_request_given ana"])
    let granted = try app.dataRequest(id, as: rita).json["granted"]
    #expect(granted?["until"] == "2027-01-20")
    #expect(granted?["fields"] == ["devices", "edits", "claims", "photos"])
    #expect(granted?["subscribed"] == false)
    app.clock.set("2027-01-20T23:59:58Z")
    #expect(app.records(id, as: rita).status == .ok)
    #expect(app.records(id, as: rita).status == .conflict)
    #expect(try state(id) == "ended")
    try RecordRequestSweep(requests: app.app.dataRequests).run()
    #expect(try templates() == ["data_request_ended rita", "data_request_ended ana"])
  }

  @Test(
    arguments: [
      (["until": "2027-01-22"], "until"), (["until": "2026-11-20"], "until"),
      (["until": "tomorrow"], "until"), (["subscribe": true], "subscribe"),
      (["from": "2026-02-02", "to": "2026-02-01"], "to"), (["fields": ["wishes"]], "fields"),
      (["fields": []], "fields"), (["fields": ["photos"]], "fields"),
    ] as [(JSONValue, String)])
  func `a grant never exceeds the request`(more: JSONValue, field: String) throws {
    let id = try app.dataRequest(from: rita, to: ana, ["fields": ["devices"]])
    var members = JSONObject([("accept", true)])
    for member in more.objectValue?.members ?? [] { members[member.key] = member.value }
    let answer = app.tell("answer", id, .object(members), as: ana)
    #expect(answer.status == .unprocessableContent, "\(answer.text)")
    #expect(answer.text.contains("\"\(field)\""), "\(answer.text)")
    #expect(try state(id) == "waiting")
  }

  @Test func `a grant dated ahead by a time zone ends on the last requested day`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    try app.accept(id, ["until": "2027-01-21"], as: ana)
    #expect(try app.dataRequest(id, as: ana).json["granted"]?["until"] == "2027-01-20")
  }

  @Test func `a grant can be revoked at any time, and the requester is notified`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    try app.accept(id, as: ana)
    #expect(app.records(id, as: rita).status == .ok)
    _ = try templates()
    #expect(app.tell("revoke", id, ["note": "Enough."], as: ana).status == .ok)
    #expect(try templates() == ["data_request_revoked rita"])
    let refused = app.records(id, as: rita)
    #expect(refused.status == .conflict)
    #expect(try refused.json["state"] == "revoked")
    #expect(try app.dataRequest(id, as: rita).json["note"] == "Enough.")
  }

  @Test func `the requester can withdraw before and after the response`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    try app.accept(id, as: ana)
    _ = try templates()
    #expect(app.tell("withdraw", id, as: rita).status == .ok)
    #expect(try templates() == ["data_request_withdrawn ana"])
    #expect(app.records(id, as: rita).status == .conflict)
    #expect(app.tell("withdraw", id, as: rita).status == .conflict)
    // They may still request again.
    #expect(app.ask("ana", as: rita).status == .created)
  }

  @Test func `a request to an unavailable person gets the response for an unknown one`() throws {
    _ = try app.account("uma", isConfirmed: false)
    _ = try app.account("susana", isSuspended: true)
    let shy = try app.account("timida")
    let change = app.send(
      .patch, "/api/account", json: ["data_requests": false], as: shy.identity)
    #expect(try change.json["data_requests"] == false)
    let answers = ["nobody-here", "uma", "susana", "timida", "not a name"].map {
      app.ask($0, as: rita)
    }
    for answer in answers {
      #expect(answer.status == .notFound)
      #expect(
        answer.text.replacing(/"instance":"[^"]*"/, with: "")
          == answers[0].text.replacing(/"instance":"[^"]*"/, with: ""))
    }
    #expect(try app.count("data_request") == 0)
    #expect(try app.mails.isEmpty)
  }

  @Test func `opting out keeps existing grants until they are revoked`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    try app.accept(id, as: ana)
    _ = app.send(.patch, "/api/account", json: ["data_requests": false], as: ana.identity)
    #expect(app.records(id, as: rita).status == .ok)
    #expect(app.ask("ana", as: rita).status == .notFound)
  }

  @Test func `a request for one's own records is refused`() throws {
    #expect(app.ask("rita", as: rita).status == .unprocessableContent)
  }

  @Test func `one request is open at a time, and a refusal starts a pause`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    #expect(try app.ask("ana", as: rita).type == "/problems/data-request-open")
    app.tell("answer", id, ["accept": false], as: ana)
    #expect(try app.ask("ana", as: rita).type == "/problems/data-request-rest")
    pass(days: 90)
    #expect(app.ask("ana", as: rita).status == .created)
  }

  @Test func `ten requests a day are allowed, whether they reach a person or not`() throws {
    for number in 0..<10 { #expect(app.ask("name\(number)", as: rita).status == .notFound) }
    let answer = app.ask("ana", as: rita)
    #expect(answer.status == .tooManyRequests)
    #expect(answer.headers["Retry-After"] != nil)
    pass(days: 1)
    #expect(app.ask("ana", as: rita).status == .created)
  }

  @Test func `at most twenty requests are pending`() throws {
    for number in 0..<20 {
      if number == 10 { pass(days: 1) }
      _ = try app.dataRequest(from: rita, to: try app.account("someone\(number)"))
    }
    pass(days: 1)
    #expect(app.ask("ana", as: rita).status == .conflict)
  }

  @Test(
    arguments: [
      ["reason": ""], ["reason": .null], ["fields": []], ["fields": ["email"]],
      ["days": 0], ["days": 366], ["days": "many"], ["username": .null], ["subscribe": "yes"],
      ["other": 1], ["reason": "a\u{202E}b"],
    ] as [JSONValue])
  func `an invalid request is refused`(more: JSONValue) throws {
    let answer = app.ask("ana", more, as: rita)
    #expect([400, 422].contains(answer.status.code), "\(answer.text)")
  }

  @Test func `lists have one side, with counts, filters and pages`() throws {
    var ids: [String] = []
    for name in ["eva", "rui", "zita"] {
      ids.append(try app.dataRequest(from: rita, to: try app.account(name)))
    }
    let other = try app.dataRequest(from: ana, to: rita)
    let first = try app.get(
      "/api/data-requests", ["as": "asking", "limit": "2"], as: rita.identity
    ).json
    #expect(
      first["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [ids[2], ids[1]])
    #expect(first["counts"]?["waiting"] == 3)
    let next = try #require(first["next"]?.stringValue)
    let second = try app.get(
      "/api/data-requests", ["as": "asking", "limit": "2", "cursor": next], as: rita.identity
    ).json
    #expect(second["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [ids[0]])
    #expect(second["next"] == .null)
    let asked = try app.get("/api/data-requests", as: rita.identity).json
    #expect(asked["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue } == [other])
    app.tell("withdraw", ids[0], as: rita)
    let withdrawn = try app.get(
      "/api/data-requests", ["as": "asking", "state": "withdrawn"], as: rita.identity
    ).json
    #expect(withdrawn["requests"]?.arrayValue?.count == 1)
    #expect(withdrawn["counts"]?["withdrawn"] == 1)
    for wrong in ["x", "WAITING"] {
      #expect(
        app.get("/api/data-requests", ["state": wrong], as: rita.identity).status == .badRequest)
    }
  }

  @Test func `other users cannot detect that a request exists`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    let mia = try app.account("mia", role: .admin)
    let there = app.dataRequest(id, as: mia)
    let nowhere = app.dataRequest("019aa5b0-0000-7000-8000-000000000000", as: mia)
    #expect(there.status == .notFound)
    #expect(nowhere.status == .notFound)
    #expect(try there.json["detail"] == nowhere.json["detail"])
  }

  @Test func `account deletion erases its texts, and the other side is notified`() throws {
    let given = try app.dataRequest(from: rita, to: ana, ["reason": "I am Rita of the institute"])
    try app.accept(given, ["note": "I am Ana of the corner"], as: ana)
    _ = try templates()
    let left = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: ana.identity)
    #expect(left.status == .noContent)
    #expect(try templates().contains("data_request_ended rita"))
    let json = try app.dataRequest(given, as: rita).json
    #expect(json["to"] == .null)
    #expect(json["state"] == "ended")
    #expect(json["note"] == .null)
    #expect(json["reason"] == "I am Rita of the institute")
    #expect(app.records(given, as: rita).status == .conflict)
    let gone = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: try app.signIn(rita.rowid))
    #expect(gone.status == .noContent)
    #expect(try app.count("data_request") == 0)
  }

  @Test func `the log stays when the requester is deleted, without their reason`()
    throws
  {
    let id = try app.dataRequest(from: rita, to: ana, ["reason": "I am Rita"])
    try app.accept(id, as: ana)
    #expect(app.records(id, as: rita).status == .ok)
    _ = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: try app.signIn(rita.rowid))
    let json = try app.dataRequest(id, as: ana).json
    #expect(json["from"] == .null)
    #expect(json["reason"] == "")
    #expect(json["seen"]?.arrayValue?.count == 1)
  }

  @Test func `a year after its end a request is erased`() throws {
    let id = try app.dataRequest(from: rita, to: ana)
    app.tell("withdraw", id, as: rita)
    app.clock.advance(by: .seconds(365 * 86_400 - 1))
    try RecordRequestSweep(requests: app.app.dataRequests).run()
    #expect(try app.count("data_request") == 1)
    app.clock.advance(by: .seconds(1))
    try RecordRequestSweep(requests: app.app.dataRequests).run()
    #expect(try app.count("data_request") == 0)
  }

  @Test func `the job is one of the program's repeated jobs`() {
    #expect(app.app.works[RecordRequestSweep.job] != nil)
    #expect(app.app.repeatedWorks[RecordRequestSweep.job] == .seconds(3_600))
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the queries use an index`() throws {
    try app.database.read { connection in
      for isAsking in [true, false] {
        let plan = try connection.explain(
          RecordRequestStore.pageQuery(asking: isAsking), [1, "2026", .null, 9, 10])
        let index = isAsking ? "data_request_by_asker" : "data_request_by_asked"
        #expect(plan.contains { $0.contains(index) }, "\(plan)")
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
      let lapsing = try connection.explain(RecordRequestStore.lapsing, ["2026", 10])
      #expect(lapsing.contains { $0.contains("data_request_waiting") }, "\(lapsing)")
      let ending = try connection.explain(RecordRequestStore.ending, ["2026", 10])
      #expect(ending.contains { $0.contains("data_request_accepted") }, "\(ending)")
    }
  }

  @Test func `an operator is addressed by its name, and responds like any user`() throws {
    let city = try app.approved("City of Exemplo", "exemplo.example")
    let asked = app.ask("", ["username": .null, "operator": "city of exemplo"], as: rita)
    try #require(asked.status == .created, "\(asked.text)")
    let id = try #require(try asked.json["id"]?.stringValue)
    let mail = try app.lastMail
    #expect(mail.account == city.account.rowid)
    #expect(mail.arguments == ["other": "rita", "username": .string(city.account.username)])
    try app.accept(id, as: city.account)
    let reported = try app.mails.last { $0.template == "data_request_accepted" }
    #expect(reported?.arguments["other"] == "City of Exemplo")
    #expect(try app.dataRequest(id, as: rita).json["state"] == "accepted")
  }

  @Test func `an ambiguous operator name, both names and none are refused`() throws {
    _ = try app.approved("City of Exemplo", "exemplo.example")
    _ = try app.approved("City of Exemplo", "other.example")
    for (members, field) in [
      (["username": .null, "operator": "City of Exemplo"] as JSONValue, "operator"),
      (["username": "ana", "operator": "exemplo.example"], "operator"),
      (["username": .null], "username"),
    ] {
      let answer = app.ask("", members, as: rita)
      #expect([400, 422].contains(answer.status.code), "\(answer.text)")
      #expect(answer.text.contains("\"\(field)\""), "\(answer.text)")
    }
    let one = app.ask("", ["username": .null, "operator": "other.example"], as: rita)
    #expect(one.status == .created, "\(one.text)")
    let nobody = app.ask("", ["username": .null, "operator": "Nobody"], as: rita)
    #expect(nobody.status == .notFound)
  }
}
