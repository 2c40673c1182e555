import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

@testable import MapAPI

/// What `GET /api/choices` gives, `POST /api/choices/import` takes: people move their ledger.
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

  /// Takes the ledger along, erases it, brings it back, and answers both.
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

  /// What somebody knows of a choice: all of it but when the instance wrote it down.
  private func known(_ choice: JSONValue) -> String {
    choice.setting("updated_at", to: nil).text
  }

  @Test func `every kind of choice comes back as it was`() throws {
    for kind in app.app.choices.rights.ways.keys.sorted() {
      let answer = app.send(
        .post, "/api/choices",
        json: ["device": .string(device), "kind": .string(kind), "country": "PT"], as: me)
      // What the device does not offer and no law gives cannot be chosen at all.
      #expect([Status.created, .unprocessableContent, .conflict].contains(answer.status))
    }
    let (before, after) = try thereAndBack()
    #expect(before.count > 5)
    #expect(before.map(known) == after.map(known))
  }

  @Test(arguments: [
    [], ["withdrawn"], ["sent"], ["sent", "acknowledged"], ["sent", "extended"],
    ["sent", "honoured"], ["sent", "refused"], ["sent", "refused", "complained"],
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

  @Test func `silence that was complained of comes back`() throws {
    let id = try app.choice(of: ana, about: device)
    #expect(app.event(id, "sent", ["channel": "email"], as: ana).status == .ok)
    app.clock.advance(by: .seconds(60 * 86_400))
    #expect(app.event(id, "complained", as: ana).status == .ok)
    let (before, after) = try thereAndBack()
    #expect(before.map(known) == after.map(known))
  }

  @Test func `a choice without a link for replies comes back without one`() throws {
    let id = try app.choice(of: ana, about: device)
    let changed = app.send(
      .patch, "/api/choices/\(id)", json: ["reply_link": false, "details": ["name": "Ana A."]],
      as: me)
    try #require(changed.status == .ok, "\(changed.text)")
    let (_, after) = try thereAndBack()
    #expect(after.first?["reply_link"] == false)
    #expect(after.first?["details"]?["name"] == "Ana A.")
  }

  @Test func `what an operator said through Farol comes back as the person's word`() throws {
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
    // Who said it can no longer be shown: it is the word of whoever brings it.
    let by = after.first?["events"]?.arrayValue?.compactMap { $0["by"]?.stringValue }
    #expect(by == ["person", "person"])
  }
}
