@testable import App
import JSON
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `POST /api/choices/import` accepts the output of `GET /api/choices`: people can move their
/// ledger.
@Suite struct ChoiceRoundTripTests {
  let app: TestApp
  let ana: TestAccount
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.added(
      [
        "operator": [
          "name": "City of Exemplo", "kind": "public", "data_protection_contact": "dpo@example.org",
        ], "data_collected": ["video"],
        "choices": [
          ["kind": "opt_out", "channel": "email", "target": "out@example.org", "deadline_days": 10]
        ],
      ], as: try app.account("ben"))
  }

  private var me: Identity { (try? app.signIn(ana.rowid)) ?? .visitor }

  private func list() throws -> JSONValue {
    let answer = app.get("/api/choices", ["limit": "100"], as: me)
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json
  }

  /// Exports the ledger, erases it, and imports it again. Returns the ledgers before and after.
  private func thereAndBack() throws -> (before: [JSONValue], after: [JSONValue]) {
    let page = try list()
    let before = try #require(page["choices"]?.arrayValue)
    try #require(!before.isEmpty)
    for choice in before {
      let id = try #require(choice["id"]?.stringValue)
      #expect(app.send(.delete, "/api/choices/\(id)", as: me).status == .noContent)
    }
    let imported = app.send(.post, "/api/choices/import", json: page, as: me)
    #expect(imported.status == .ok, "\(imported.text)")
    #expect(try imported.json["refused"] == [], "\(imported.text)")
    #expect(try imported.json["imported"]?.arrayValue?.count == before.count)
    func sorted(_ choices: [JSONValue]) -> [JSONValue] {
      choices.sorted { ($0["id"]?.stringValue ?? "") < ($1["id"]?.stringValue ?? "") }
    }
    return (sorted(before), sorted(try #require(try list()["choices"]?.arrayValue)))
  }

  /// The exported values of a choice, except the time at which the instance recorded it.
  private func known(_ choice: JSONValue) -> String {
    choice.setting("updated_at", to: nil).text
  }

  @Test func `every kind of choice comes back unchanged`() throws {
    for kind in app.app.choices.rights.ways.keys.sorted() {
      let answer = app.send(
        .post, "/api/choices",
        json: ["device": .string(device), "kind": .string(kind), "country": "PT"], as: me)
      // A choice is impossible when neither the device nor a law offers it.
      #expect([Status.created, .unprocessableContent, .conflict].contains(answer.status))
    }
    let (before, after) = try thereAndBack()
    #expect(before.count > 5)
    #expect(before.map(known) == after.map(known))
  }

  @Test(arguments: [
    [], ["withdrawn"], ["sent"], ["sent", "acknowledged"], ["sent", "extended"],
    ["sent", "honoured"], ["sent", "honoured", "confirmed"], ["sent", "honoured", "contested"],
    ["sent", "refused"], ["sent", "refused", "complained"],
    ["sent", "refused", "complained", "honoured"], ["sent", "withdrawn"],
  ])
  func `a choice in every state comes back in that state`(events: [String]) throws {
    let id = try app.choice(
      of: ana, about: device, "access", ["country": "PT", "note": "A note", "reminders": false])
    for event in events {
      let more: JSONValue =
        switch event {
        case "sent": ["channel": "post", "note": "By post", "received_on": "2026-11-21"]
        case "extended": ["reason": "complexity"]
        default: ["note": "As they said"]
        }
      let answer = app.event(id, event, more, as: ana)
      try #require(answer.status == .ok, "\(event) \(answer.text)")
    }
    let (before, after) = try thereAndBack()
    #expect(before.map(known) == after.map(known))
    #expect(after.first?["id"] == .string(id))
  }

  @Test func `a complaint about a missing response comes back`() throws {
    let id = try app.choice(of: ana, about: device)
    #expect(app.event(id, "sent", ["channel": "email"], as: ana).status == .ok)
    app.clock.advance(by: .seconds(60 * 86_400))
    #expect(app.event(id, "complained", as: ana).status == .ok)
    let (before, after) = try thereAndBack()
    #expect(before.map(known) == after.map(known))
  }

  @Test func `a choice without a reply link comes back without one`() throws {
    let id = try app.choice(of: ana, about: device)
    let changed = app.send(
      .patch, "/api/choices/\(id)", json: ["reply_link": false, "details": ["name": "Ana A."]],
      as: me)
    try #require(changed.status == .ok, "\(changed.text)")
    let (_, after) = try thereAndBack()
    #expect(after.first?["reply_link"] == false)
    #expect(after.first?["details"]?["name"] == "Ana A.")
  }

  @Test func `an operator's response through Farol comes back as the person's statement`() throws {
    let speaker = try app.approved(
      "City of Exemplo", "exemplo.example", ["data_protection_contact": "dpo@exemplo.example"])
    _ = try app.claim(device, as: speaker)
    let id = try app.choice(
      of: ana, about: device, "access", ["country": "PT", "details": ["name": "Ana A."]])
    let sent = app.send(.post, "/api/choices/\(id)/send", json: [:], as: me)
    try #require(sent.status == .ok, "\(sent.text)")
    let request = try #require(try app.text("SELECT id FROM request"))
    let answered = app.send(
      .post, "/api/operator/requests/\(request)/events", json: ["event": "honoured"],
      as: try app.signIn(speaker.account.rowid))
    try #require(answered.status.code < 300, "\(answered.text)")
    let page = try list()
    #expect(page["choices"]?[0]?["farol"]?["operator"]?["name"] == "City of Exemplo")
    let (before, after) = try thereAndBack()
    #expect(after.first?["state"] == before.first?["state"])
    #expect(after.first?["due_on"] == before.first?["due_on"])
    // Its author can no longer be proven, so it counts as a statement of the importing person.
    let by = after.first?["events"]?.arrayValue?.compactMap { $0["by"]?.stringValue }
    #expect(by == ["person", "person"])
  }
}
