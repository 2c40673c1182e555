@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `/api/choices`: a ledger from the request to its result.
@Suite struct ChoiceTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    device = try app.added(
      [
        "operator": [
          "name": "City of Exemplo", "kind": "public", "data_protection_contact": "dpo@example.org",
        ], "data_collected": ["video"], "purposes": [],
        "choices": [
          ["kind": "opt_out", "channel": "email", "target": "out@example.org", "deadline_days": 10]
        ],
      ], as: ben)
  }

  /// Ana's browser, signed in again, because a session ends within a month.
  private var me: Identity { (try? app.signIn(ana.rowid)) ?? .visitor }

  private func get(_ id: String, _ path: String = "") -> TestAnswer {
    app.get("/api/choices/\(id)\(path)", as: me)
  }

  @Test func `a right is chosen, sent, extended and honoured`() throws {
    let id = try app.choice(of: ana, about: device, "access")
    let wanted = try get(id).json
    #expect(wanted["state"] == "wanted" && wanted["right"] == "access")
    #expect(wanted["letter"] == "access" && wanted["regime"] == "eu-gdpr")
    #expect(wanted["due_on"] == .null && wanted["next"] == ["sent", "withdrawn"])
    #expect(wanted["operator"] == ["name": "City of Exemplo", "contact": "dpo@example.org"])
    let sent = app.event(id, "sent", ["channel": "email"], as: ana)
    #expect(sent.status == .ok)
    #expect(try sent.json["received_on"] == "2026-11-21")
    #expect(try sent.json["due_on"] == "2026-12-21")
    app.clock.advance(by: .seconds(86_400 * 30))
    let longer = app.event(id, "extended", ["reason": "complexity", "at": "2026-12-21"], as: ana)
    #expect(try longer.json["extended_until"] == "2027-02-22")
    #expect(try app.event(id, "honoured", as: ana).json["next"] == ["confirmed", "contested"])
    #expect(try app.event(id, "confirmed", as: ana).json["next"] == [])
    #expect(try get(id).json["events"]?.arrayValue?.count == 4)
  }

  @Test func `an impossible event is refused with the state and the event`() throws {
    let id = try app.choice(of: ana, about: device)
    let refused = app.event(id, "honoured", as: ana)
    #expect(refused.status == .conflict)
    #expect(try refused.json["type"] == "/problems/transition")
    #expect(try refused.json["state"] == "wanted" && refused.json["event"] == "honoured")
    app.event(id, "sent", as: ana)
    #expect(app.event(id, "complained", as: ana).status == .conflict)
    #expect(app.event(id, "extended", as: ana).status == .unprocessableContent)
    #expect(app.event(id, "refused", ["at": "2026-11-20"], as: ana).status == .unprocessableContent)
    #expect(app.event(id, "refused", ["at": "2026-11-23"], as: ana).status == .unprocessableContent)
    #expect(app.event(id, "refused", ["at": "soon"], as: ana).status == .unprocessableContent)
    #expect(app.event(id, "overdue", as: ana).status == .unprocessableContent)
    #expect(try get(id).json["events"]?.arrayValue?.count == 1)
  }

  @Test func `without a response a choice is overdue a day later, and the list shows it`() throws {
    let id = try app.choice(of: ana, about: device)
    app.event(id, "sent", ["channel": "email"], as: ana)
    app.clock.set("2026-12-14T00:00:00Z")
    #expect(try app.get("/api/choices", as: me).json["due"] == [.string(id)])
    app.clock.set("2026-12-21T23:59:59Z")
    #expect(try get(id).json["overdue"] == false)
    app.clock.set("2026-12-22T00:00:00Z")
    #expect(try get(id).json["overdue"] == true)
    let list = try app.get("/api/choices", ["state": "overdue"], as: me).json
    #expect(list["choices"]?.arrayValue?.count == 1 && list["due"] == [])
    #expect(list["counts"]?["overdue"] == 1 && list["counts"]?["sent"] == 1)
    #expect(try app.get("/api/choices", ["state": "wanted"], as: me).json["choices"] == [])
  }

  @Test func `a list has pages and contains only the user's own choices`() throws {
    var made: [String] = []
    for _ in 0..<5 { made.append(try app.choice(of: ana, about: device)) }
    _ = try app.choice(of: ben, about: device)
    var seen: [String] = []
    var cursor: String?
    repeat {
      let path = "/api/choices?limit=2" + (cursor.map { "&cursor=\($0)" } ?? "")
      let page = try app.send(target: path, as: me).json
      seen += (page["choices"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
      cursor = page["next"]?.stringValue
    } while cursor != nil
    #expect(seen == made.reversed())
  }

  @Test func `an offer of a device has its own deadline and is not a legal right`() throws {
    let id = try app.choice(of: ana, about: device, "opt_out")
    app.event(id, "sent", ["channel": "email"], as: ana)
    let choice = try get(id).json
    #expect(choice["right"] == .null && choice["letter"] == "offered")
    #expect(choice["due_on"] == "2026-12-02" && choice["deadline"]?["basis"] == "courtesy")
    let letter = try get(id, "/letter").json
    #expect(letter["to"]?["email"] == "out@example.org" && letter["to"]?["source"] == "device")
  }

  @Test func `opting out means withdrawal under consent and objection otherwise`() throws {
    for (basis, right) in [("consent", "withdraw"), ("legitimate_interest", "object")] {
      let other = try app.added(
        ["legal_basis": .string(basis)], longitude: basis == "consent" ? 9 : 10, as: ben)
      let id = try app.choice(of: ana, about: other, "opt_out")
      #expect(try get(id).json["right"]?.stringValue == right)
    }
  }

  @Test func `without a known law a right is refused with the reason`() throws {
    let answer = app.send(
      .post, "/api/choices", json: ["device": .string(device), "kind": "access"], as: me)
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.json["errors"]?[0]?["field"] == "country")
    let offered = try app.choice(of: ana, about: device, "opt_out", [:])
    #expect(try get(offered).json["letter"] == .null)
    #expect(get(offered, "/letter").status == .conflict)
    for kind in ["complain", "physical", "unknown"] {
      let refused = app.send(
        .post, "/api/choices",
        json: ["device": .string(device), "kind": .string(kind), "country": "PT"], as: me)
      #expect(refused.status == .unprocessableContent)
    }
  }

  @Test func `the letter is complete except for the person's own details`() throws {
    let id = try app.choice(of: ana, about: device, "access")
    let before = try get(id, "/letter").json
    #expect(before["missing"]?.arrayValue?.map { $0["placeholder"] } == ["name"])
    let change: JSONValue = ["details": ["name": "A. Person", "place": "the square"]]
    #expect(app.send(.patch, "/api/choices/\(id)", json: change, as: me).status == .ok)
    let letter = try get(id, "/letter").json
    #expect(letter["missing"] == [])
    let body = try #require(letter["body"]?.stringValue)
    #expect(body.contains("A. Person") && body.contains("Place: the square"))
    #expect(body.contains("21 November 2026") && body.contains("City of Exemplo"))
    #expect(body.contains(device) && !body.contains("ana"))
    #expect(letter["mailto"]?.stringValue?.hasPrefix("mailto:dpo@example.org?") == true)
    let portuguese = app.get("/api/choices/\(id)/letter", ["lang": "pt"], as: me)
    #expect(portuguese.text.contains("21 de novembro de 2026"))
  }

  @Test func `after silence or a refusal the complaint goes to the authority`() throws {
    let id = try app.choice(
      of: ana, about: device, "access",
      ["country": "PT", "language": "en", "details": ["name": "A"]])
    let early = app.get("/api/choices/\(id)/letter", ["which": "complain"], as: me)
    #expect(early.status == .conflict)
    app.event(id, "sent", ["channel": "email"], as: ana)
    app.clock.set("2026-12-22T10:00:00Z")
    let silence = try app.get(
      "/api/choices/\(id)/letter", ["which": "complain"], as: me
    ).json
    #expect(silence["letter"] == "complain_silence" && silence["missing"] == [])
    #expect(silence["to"]?["source"] == "authority")
    #expect(silence["body"]?.stringValue?.contains("21 December 2026") == true)
    app.event(id, "refused", ["reason": "identity"], as: ana)
    let refusal = try app.get(
      "/api/choices/\(id)/letter", ["which": "complain"], as: me
    ).json
    #expect(refusal["letter"] == "complain_refusal")
    #expect(refusal["body"]?.stringValue?.contains("We cannot tell which data are yours") == true)
    let remind = try app.get(
      "/api/choices/\(id)/letter", ["which": "remind"], as: me
    ).json
    #expect(remind["letter"] == "remind" && remind["to"]?["source"] == "device")
  }

  @Test func `an erased choice is gone, and no other user ever has access`() throws {
    let id = try app.choice(of: ana, about: device)
    app.event(id, "sent", ["note": "by hand"], as: ana)
    let admin = try app.account("root", role: .admin)
    for other in [ben, admin] {
      #expect(app.get("/api/choices/\(id)", as: other.identity).status == .notFound)
      #expect(app.event(id, "refused", as: other).status == .notFound)
    }
    #expect(app.send(.delete, "/api/choices/\(id)", as: me).status == .noContent)
    #expect(get(id).status == .notFound)
    #expect(try app.count("choice") == 0 && app.count("choice_event") == 0)
  }

  @Test func `a choice remains after its device and is deleted with its account`() throws {
    let id = try app.choice(of: ana, about: device)
    app.event(id, "sent", as: ana)
    let admin = try app.account("root", role: .admin)
    let gone = app.send(
      .delete, Path.item(device), headers: ["If-Match": try app.tag(device)],
      json: ["reason": "a test"], as: admin.identity)
    #expect(gone.status == .noContent)
    let choice = try get(id).json
    #expect(choice["device"]?["name"] == "A camera" && choice["device"]?["status"] == .null)
    #expect(choice["operator"]?["name"] == "City of Exemplo")
    var headers = Headers()
    for (name, value) in me.headers { headers.add(name, value) }
    let answer = app.app.router.respond(
      to: Request(.get, "/api/account/export", headers: headers))
    let export = try JSONValue(parsing: try answer.collectBody())
    #expect(export["choices"]?[0]?["id"]?.stringValue == id)
    #expect(export["choice_events"]?[0]?["event"] == "sent")
    let erased = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)], as: me)
    #expect(erased.status == .noContent)
    #expect(try app.count("choice") == 0 && app.count("choice_event") == 0)
  }

  @Test func `a browser's ledger is imported completely and only once`() throws {
    let id = "0b4e7c1e-3a6b-4d56-9a3c-6f3b0a2f9d11"
    let choice: JSONValue = [
      "id": .string(id), "device": ["id": .string(device)], "kind": "access", "country": "PT",
      "language": "pt", "details": ["name": "A"], "reminders": false, "state": "refused",
      "events": [
        ["event": "sent", "at": "2026-10-01T10:00:00Z", "channel": "post", "by": "person"],
        ["event": "refused", "at": "2026-10-20T10:00:00Z", "reason": "no_data"],
      ],
    ]
    var false1 = try #require(choice.objectValue)
    false1["id"] = "0b4e7c1e-3a6b-4d56-9a3c-6f3b0a2f9d12"
    false1["events"] = [["event": "honoured", "at": "2026-10-01T10:00:00Z"]]
    let body: JSONValue = ["choices": [choice, .object(false1)]]
    let answer = app.send(.post, "/api/choices/import", json: body, as: me)
    #expect(answer.status == .ok, "\(answer.text)")
    #expect(try answer.json["imported"] == [.string(id)])
    #expect(try answer.json["refused"]?.arrayValue?.count == 1)
    let kept = try get(id).json
    #expect(kept["state"] == "refused" && kept["received_on"] == "2026-10-06")
    #expect(kept["language"] == "pt" && kept["reminders"] == false)
    let again = app.send(.post, "/api/choices/import", json: body, as: me)
    #expect(try again.json["present"] == [.string(id)] && again.json["imported"] == [])
    #expect(try app.count("choice") == 1)
  }

  @Test func `deadlines are available as a calendar`() throws {
    let id = try app.choice(of: ana, about: device)
    #expect(!app.get("/api/choices/calendar.ics", as: me).text.contains("VEVENT"))
    app.event(id, "sent", as: ana)
    let answer = app.get("/api/choices/calendar.ics", as: me)
    #expect(answer.headers["Content-Type"] == "text/calendar; charset=utf-8")
    #expect(answer.text.contains("DTSTART;VALUE=DATE:20261221\r\n"))
    #expect(answer.text.contains("DTEND;VALUE=DATE:20261222\r\n"))
    #expect(answer.text.contains("UID:\(id)@farol\r\n"))
    #expect(answer.text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
  }

  @Test func `the page of a device's choices has rights where the country is known`() throws {
    let path = Path.item(device) + "/choices"
    let unknown = try app.get(path).json
    #expect(unknown["rights"] == ["country": .null, "regime": .null])
    #expect(unknown["offered"]?[0]?["kind"] == "opt_out" && unknown["letters"] == [:])
    let known = try app.get(path, ["country": "PT", "lang": "pt"]).json
    #expect(known["rights"]?["regime"] == "eu-gdpr")
    #expect(known["rights"]?["authority"]?["code"] == "ptcnpd")
    #expect(known["rights"]?["rights"]?[0]?["label"] == "Direito de acesso")
    #expect(known["letters"]?["access"] == "access" && known["letters"]?["opt_out"] == "offered")
    #expect(try app.get(path, ["country": "US"]).json["rights"]?["regime"] == .null)
    #expect(app.get(path, ["country": "pt"]).status == .badRequest)
  }

  @Test func `a letter without a person has blank fields for their details`() throws {
    let answer = app.get(
      "/api/letters", ["device": device, "kind": "access", "country": "PT", "lang": "en"])
    let body = try #require(try answer.json["body"]?.stringValue)
    #expect(body.contains("{name}") && body.contains("{date}") && body.contains("{present_on}"))
    #expect(body.contains("City of Exemplo") && !body.contains("{device_name}"))
    #expect(try answer.json["missing"] == [])
    let complaint = app.get(
      "/api/letters",
      [
        "device": device, "kind": "access", "country": "PT", "which": "complain",
        "state": "refused",
      ])
    #expect(try complaint.json["letter"] == "complain_refusal")
    #expect(
      app.get("/api/letters", ["device": device, "kind": "access"]).status == .unprocessableContent)
    #expect(app.get("/api/letters", ["device": device, "kind": "x"]).status == .badRequest)
  }

  @Test func `an event is never changed`() throws {
    let id = try app.choice(of: ana, about: device)
    app.event(id, "sent", as: ana)
    #expect(throws: DatabaseFault.self) {
      try app.database.write { try $0.execute("UPDATE choice_event SET event = 'honoured'") }
    }
  }
}
