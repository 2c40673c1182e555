import JSON
@testable import Service
import Testing
import WebServer

/// The devices that an organisation claims, and its statements about them.
@Suite struct ClaimAndStatementTests {
  let app: TestApp
  let ana: TestAccount
  let mia: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    mia = try app.account("mia", role: .moderator)
  }

  private func device(_ name: String?, _ kind: String = "public") throws -> String {
    let who: JSONValue = name.map { ["name": .string($0), "kind": .string(kind)] } ?? .null
    return try app.added(
      ["operator": who], longitude: Double(try app.count("device")), as: ana)
  }

  @Test func `a claim without another operator, or with the same name, is valid at once`() throws {
    let city = try app.approved("Câmara Municipal de Exemplo")
    for name in [nil, "CAMARA  municipal de Exemplo", "Câmara Municipal de Exemplo"] {
      #expect(try app.claim(try device(name), as: city) == "standing", "\(name ?? "nobody")")
    }
    #expect(try app.get("/api/operators/\(city.id)").json["devices"] == 3)
  }

  @Test func `a moderator decides between operators, and only one claim is valid`() throws {
    let city = try app.approved()
    let id = try device("Another Company", "company")
    #expect(try app.claim(id, as: city) == "waiting")
    #expect(try app.claim(id, as: city) == "waiting")
    #expect(try app.claim(try device("Somebody's home", "unknown"), as: city) == "waiting")
    let waiting = try app.get("/api/moderation/operator-claims", as: mia.identity).json["claims"]
    let first = try #require(waiting?[0])
    #expect(first["operator"]?["name"] == "City of Exemplo")
    #expect(first["observed"]?["name"] == "Another Company")
    let path = "/api/moderation/operator-claims/\(first["id"]?.stringValue ?? "")"
    func decision(_ claim: JSONValue) -> JSONValue {
      ["decision": "approve", "version": claim["version"] ?? .null]
    }
    #expect(app.send(.post, path, json: decision(first), as: city.identity).status == .forbidden)
    let unfounded: JSONValue = ["decision": "refuse", "version": first["version"] ?? .null]
    #expect(try app.send(.post, path, json: unfounded, as: mia.identity).fields == ["reason"])
    #expect(app.send(.post, path, json: decision(first), as: mia.identity).status == .ok)
    #expect(app.send(.post, path, json: decision(first), as: mia.identity).status == .conflict)
    #expect(try app.audit().last?.first == "approve_operator_claim")
    #expect(try app.waitingMails().last?.template == "operator_claim_approved")
    #expect(
      try app.get(Path.item(id)).property("registered_operator")?["name"] == "City of Exemplo")
    // Another claim waits, and becomes valid when a moderator decides so.
    let rival = try app.approved("Another Company", "another.example")
    #expect(try app.claim(id, as: rival) == "waiting")
    let next = try app.get("/api/moderation/operator-claims", as: mia.identity).json["claims"]
    let other = try #require(next?.arrayValue?.first { $0["standing"] != .null })
    let swap = "/api/moderation/operator-claims/\(other["id"]?.stringValue ?? "")"
    #expect(app.send(.post, swap, json: decision(other), as: mia.identity).status == .ok)
    #expect(
      try app.get(Path.item(id)).property("registered_operator")?["name"] == "Another Company")
    #expect(try app.claim(id, as: city) == "waiting")
  }

  @Test func `an account without an organisation cannot claim or state anything`() throws {
    let id = try device(nil)
    for path in ["/operator", "/statement"] {
      let method: Method = path == "/operator" ? .post : .put
      let answer = app.send(method, Path.item(id) + path, json: ["note": "x"], as: mia.identity)
      #expect(try answer.status == .forbidden && answer.json["type"] == "/problems/no-organisation")
    }
    let city = try app.approved()
    let state = app.send(
      .put, Path.item(id) + "/statement", json: ["note": "x"], as: city.identity)
    #expect(try state.json["type"] == "/problems/not-its-device")
    try app.hide(TestDevice(rowid: 1, id: id))
    #expect(
      app.send(.post, Path.item(id) + "/operator", json: [:], as: city.identity).status == .notFound
    )
  }

  private let said: JSONValue = [
    "data_collected": ["video"], "retention": "P3D", "legal_basis": "public_task",
    "choices": [
      [
        "kind": "limit_retention", "channel": "email", "target": "dpo@exemplo.example",
        "deadline_days": 14,
      ]
    ], "note": "Recorded only at night.",
  ]

  @Test func `a statement is shown next to observations and never replaces them`() throws {
    let city = try app.approved()
    let id = try app.added(["data_collected": ["audio"], "retention": "P30D"], as: ana)
    try app.claim(id, as: city)
    let before = app.get(Path.item(id))
    let put = app.send(.put, Path.item(id) + "/statement", json: said, as: city.identity)
    #expect(put.status == .ok, "\(put.text)")
    let after = app.get(Path.item(id))
    #expect(after.headers["ETag"] != before.headers["ETag"])
    #expect(try after.property("data_collected") == ["audio"])
    #expect(try after.property("retention") == "P30D" && after.property("revision") == 1)
    let statement = try after.property("statement")
    #expect(
      statement?["operator"]?["name"] == "City of Exemplo" && statement?["retention"] == "P3D")
    #expect(statement?["note"] == "Recorded only at night." && statement?["purposes"] == nil)
    #expect(try app.get(Path.item(id) + "/history").json["revisions"]?.arrayValue?.count == 1)
    // People continue to edit: a statement is not one of their fields.
    let over = try app.patch(id, ["properties": ["statement": nil]], as: ana.identity)
    #expect(over.status == .unprocessableContent)
    let edit = try app.patch(id, ["properties": ["name": "Other"]], as: ana.identity)
    #expect(edit.status == .ok)
    #expect(try edit.property("statement")?["retention"] == "P3D")
    let gone = app.send(.delete, Path.item(id) + "/statement", as: city.identity)
    #expect(gone.status == .noContent)
    #expect(try app.get(Path.item(id)).property("statement") == .null)
  }

  @Test func `an offer of an operator is shown as its own, and can be chosen`() throws {
    let city = try app.approved()
    let id = try app.added(
      [
        "choices": [["kind": "opt_out", "channel": "url", "target": "https://exemplo.example/out"]]
      ],
      as: ana)
    try app.claim(id, as: city)
    let path = Path.item(id) + "/choices"
    let tag = app.get(path).headers["ETag"] ?? ""
    _ = app.send(.put, Path.item(id) + "/statement", json: said, as: city.identity)
    let answer = app.get(path, headers: ["If-None-Match": tag])
    #expect(answer.status == .ok)
    let offered = try answer.json["offered"]
    #expect(offered?.arrayValue?.map { $0["by"] } == ["people", "operator"])
    let choice = try app.choice(of: ana, about: id, "limit_retention")
    let letter = try app.get("/api/choices/\(choice)/letter", as: ana.identity).json
    #expect(letter["to"]?["email"] == "dpo@exemplo.example")
  }

  @Test(
    arguments: [
      (["data_collected": ["everything"]], "data_collected"), (["retention": "long"], "retention"),
      (["legal_basis": 7], "legal_basis"), (["name": "Another"], "name"),
      (["status": "removed"], "status"), (["operator": ["name": "x"]], "operator"),
      (["note": "a\u{202E}b"], "note"),
      (
        ["choices": [["kind": "opt_out", "channel": "url", "target": "javascript:alert(1)"]]],
        "choices[0].target"
      ),
      (
        ["choices": [["kind": "opt_out", "channel": "email", "target": "nobody"]]],
        "choices[0].target"
      ),
    ] as [(JSONValue, String)])
  func `fields of a statement are validated like those of devices`(body: JSONValue, field: String)
    throws
  {
    let city = try app.approved()
    let id = try device(nil)
    try app.claim(id, as: city)
    let answer = app.send(.put, Path.item(id) + "/statement", json: body, as: city.identity)
    #expect(answer.status.code == 400 || answer.status.code == 422)
    #expect(try answer.fields == [field])
    #expect(try app.count("operator_statement") == 0)
  }
}
