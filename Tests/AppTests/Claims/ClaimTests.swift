@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `…/items/{id}/claims`: people confirm or dispute devices, and the status follows.
@Suite struct ClaimTests {
  let app: TestApp
  let ana: TestAccount
  let ben: TestAccount
  let cleo: TestAccount
  /// A device of Ana's.
  let id: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    cleo = try app.account("cleo")
    id = try app.added(
      ["operator": ["name": "City", "kind": "public"], "data_collected": ["video"]], as: ana)
  }

  @discardableResult
  private func say(
    _ claim: String, _ verdict: String, _ basis: String = "seen", as account: TestAccount
  ) -> TestAnswer {
    app.send(
      .post, Path.item(id) + "/claims",
      json: [
        "claim": .string(claim), "verdict": .string(verdict), "basis": .string(basis),
      ], as: account.identity)
  }

  private func claim(_ name: String) throws -> JSONValue {
    let claims = try app.get(Path.item(id)).property("claims")?.arrayValue
    return try #require(claims?.first { $0["claim"]?.stringValue == name })
  }

  private func property(_ name: String) throws -> JSONValue? {
    try app.get(Path.item(id)).property(name)
  }

  @Test func `a device without verdicts has four open claims`() throws {
    let claims = try #require(try property("claims")?.arrayValue)
    #expect(
      claims.compactMap { $0["claim"]?.stringValue } == ["present", "function", "data", "operator"])
    for claim in claims {
      #expect(
        claim
          == [
            "claim": claim["claim"] ?? .null, "verdict": "open", "basis": [], "confirmations": 0,
            "disputes": 0, "last_at": .null, "stale_on": "2028-11-21",
          ])
    }
  }

  @Test func `two people confirm a device, and the date of staleness follows`() throws {
    app.clock.advance(by: .seconds(86_400 * 10))
    let first = say("present", "confirm", as: ben)
    #expect(first.status == .ok)
    #expect(try first.json["status"] == "reported")
    #expect(try property("last_confirmed") == "2026-12-01T00:00:00Z")
    #expect(try property("stale_on") == "2028-12-01")
    app.clock.advance(by: .seconds(60))
    #expect(try say("present", "confirm", "sign", as: cleo).json["status"] == "confirmed")
    #expect(try property("status") == "confirmed")
    let present = try claim("present")
    #expect(present["verdict"] == "confirmed" && present["confirmations"] == 2)
    #expect(present["basis"] == ["seen", "sign"])
    #expect(present["last_at"] == "2026-12-01")
    #expect(try claim("data")["stale_on"] == "2028-11-21")
    #expect(try app.get(Path.items, ["status": "confirmed"]).ids == [id])
    #expect(try app.integer("SELECT count(*) FROM revision") == 1)
  }

  @Test func `only the latest verdict of a person counts`() throws {
    for _ in 0..<3 { say("present", "confirm", as: ben) }
    #expect(try claim("present")["confirmations"] == 1)
    say("present", "dispute", as: ben)
    #expect(try claim("present")["confirmations"] == 0)
    #expect(try claim("present")["disputes"] == 1)
    #expect(try property("last_confirmed")?.isNull == true)
    #expect(try property("stale_on") == "2028-11-21")
    #expect(try property("status") == "disputed")
  }

  @Test func `the author's verdict is stored and does not count`() throws {
    let own = say("present", "confirm", "document", as: ana)
    #expect(try own.json["claims"]?[0]?["mine"] == "confirm")
    #expect(try property("status") == "reported")
    #expect(try claim("present")["confirmations"] == 0)
    #expect(try app.integer("SELECT count(*) FROM review") == 0)
  }

  @Test func `a verdict of an account under a day old counts after review`() throws {
    let nia = try app.account("nia", isNew: true)
    say("present", "confirm", "document", as: nia)
    #expect(try property("status") == "reported")
    #expect(try app.text("SELECT kind FROM review") == "verdict")
    try app.app.write { connection in
      try connection.execute("UPDATE verdict SET counts = 1")
      try VerificationStore(vocabulary: app.vocabulary, environment: app.environment)
        .settle(try connection.integer("SELECT rowid FROM device") ?? 0, connection)
    }
    #expect(try property("status") == "confirmed")
    app.clock.advance(by: .seconds(86_400))
    say("data", "confirm", as: nia)
    #expect(try claim("data")["confirmations"] == 1)
  }

  @Test func `two people remove a missing device, two others restore it`()
    throws
  {
    say("present", "dispute", as: ben)
    #expect(try app.get(Path.items).ids == [id])
    say("present", "dispute", as: cleo)
    #expect(try property("status") == "removed")
    #expect(try app.get(Path.items).ids.isEmpty)
    #expect(try app.get(Path.items, ["status": "removed"]).ids == [id])
    say("present", "confirm", as: ben)
    #expect(try property("status") == "disputed")
    #expect(try app.get(Path.items).ids == [id])
  }

  @Test func `a verdict no longer counts after its fields change`() throws {
    for name in ["present", "function", "data", "operator"] {
      say(name, "confirm", "document", as: ben)
    }
    func confirmed() throws -> [String] {
      try (property("claims")?.arrayValue ?? []).filter { $0["verdict"] == "confirmed" }
        .compactMap { $0["claim"]?.stringValue }
    }
    #expect(try confirmed().count == 4)
    _ = try app.patch(
      id, ["properties": ["data_collected": ["speech"], "units": 2]], as: cleo.identity)
    #expect(try confirmed() == ["present", "function", "operator"])
    _ = try app.patch(id, ["properties": ["operator": ["name": "Town"]]], as: cleo.identity)
    #expect(try confirmed() == ["present", "function"])
    _ = try app.patch(id, ["properties": ["category": "webcam"]], as: cleo.identity)
    #expect(try confirmed() == ["present"])
    _ = try app.patch(id, ["geometry": ["coordinates": [7.4, 46.9004]]], as: cleo.identity)
    #expect(try confirmed() == ["present"])
    #expect(try property("status") == "confirmed")
    _ = try app.patch(id, ["geometry": ["coordinates": [7.4, 46.901]]], as: cleo.identity)
    #expect(try confirmed() == [])
    #expect(try property("status") == "reported")
    #expect(try property("last_confirmed")?.isNull == true)
    let mine = try app.get(Path.item(id) + "/claims", as: ben.identity).json["claims"]?.arrayValue
    #expect(mine?.allSatisfy { $0["mine"]?.isNull == true } == true)
  }

  @Test func `a moderator's status applies until verdicts decide otherwise`() throws {
    let mia = try app.account("mia", role: .moderator)
    _ = try app.patch(id, ["properties": ["status": "not_a_device"]], as: mia.identity)
    say("present", "confirm", as: ben)
    #expect(try property("status") == "not_a_device")
    say("present", "confirm", as: cleo)
    #expect(try property("status") == "confirmed")
  }

  @Test func `all users see the figures, and each their own verdict`() throws {
    say("data", "dispute", "sign", as: ben)
    let path = Path.item(id) + "/claims"
    #expect(app.get(path).status == .unauthorized)
    let own = try app.get(path, as: ben.identity).json
    #expect(own["claims"]?[2]?["mine"] == "dispute" && own["claims"]?[0]?["mine"] == .null)
    #expect(own["status"] == "disputed" && own["stale_on"] == "2028-11-21")
    let others = app.get(path, as: cleo.identity)
    #expect(try others.json["claims"]?[2]?["mine"] == .null)
    #expect(others.headers["Cache-Control"] == "private, no-store")
    #expect(try claim("data")["mine"] == nil)
    #expect(!app.get(Path.item(id)).text.contains("ben"))
  }

  @Test func `a verdict remains after its account is deleted, without a name`() throws {
    say("present", "confirm", as: ben)
    say("present", "confirm", as: cleo)
    try app.app.write { connection in
      try connection.execute(
        "DELETE FROM account WHERE rowid IN (?, ?)", [.integer(ben.rowid), .integer(cleo.rowid)])
    }
    #expect(try claim("present")["confirmations"] == 2)
  }

  @Test func `a verdict with missing or extra values is refused`() throws {
    let path = Path.item(id) + "/claims"
    let good: JSONValue = ["claim": "present", "verdict": "confirm", "basis": "seen"]
    for (name, value, status) in [
      ("claim", JSONValue.null, Status.badRequest), ("verdict", .null, .badRequest),
      ("basis", .null, .badRequest), ("claim", "there", .unprocessableContent),
      ("verdict", "yes", .unprocessableContent), ("basis", "felt", .unprocessableContent),
      ("note", .string(String(repeating: "x", count: 501)), .unprocessableContent),
      ("note", 5, .badRequest), ("other", 1, .badRequest),
    ] {
      let answer = app.send(.post, path, json: good.setting(name, to: value), as: ben.identity)
      #expect(answer.status == status, "\(name)")
      #expect(try answer.fields == [name])
    }
    #expect(app.send(.post, path, json: good).status == .unauthorized)
    let nowhere = Path.item("01935f6e-0000-7000-8000-000000000000") + "/claims"
    #expect(app.send(.post, nowhere, json: good, as: ben.identity).status == .notFound)
    try app.hide(
      TestDevice(rowid: try #require(try app.integer("SELECT rowid FROM device")), id: id))
    #expect(app.send(.post, path, json: good, as: ben.identity).status == .notFound)
    #expect(app.get(path, as: ben.identity).status == .notFound)
  }
}
