@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
@testable import Downloads
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn whether a person has an account, whose it is, and traces of a deleted one.
@Suite struct AccountAttackTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func delete(_ account: TestAccount) throws {
    let answer = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: try app.signIn(account.rowid))
    try #require(answer.status == .noContent, "\(answer.text)")
  }

  /// Two worlds: an address has an account in the first, and no account in the second.
  private func registered() throws -> TwoWorlds {
    try TwoWorlds { app, world in
      _ = try app.account(world == 0 ? "victim" : "someone")
    }
  }

  @Test func `an attacker does not learn from signing up that an address has an account`() throws {
    try registered().expectAlike("sign-up") {
      $0.signUp("stranger", email: "victim@example.org")
    }
  }

  @Test func `an attacker does not learn from recovery that an address has an account`() throws {
    let worlds = try registered()
    for login in ["victim@example.org", "VICTIM@example.org"] {
      worlds.expectAlike("recovery") {
        $0.post("/api/accounts/recover", ["login": .string(login)])
      }
    }
    worlds.expectAlike("confirmation") {
      $0.post("/api/accounts/confirm/resend", ["login": "victim@example.org"])
    }
  }

  @Test func `an attacker does not learn from signing in that an address has an account`() throws {
    let worlds = try registered()
    for _ in 1...12 {
      worlds.expectAlike("sign-in") { $0.signIn("victim@example.org", "wrong password") }
    }
  }

  @Test func `changing an address does not reveal that another account has it`() throws {
    let worlds = try registered()
    try worlds.expectAlike("change of address") { app in
      let stranger = try app.account("stranger")
      let answer = app.send(
        .patch, "/api/account",
        json: [
          "email": "victim@example.org", "current_password": .string(TestAccount.password),
        ], as: stranger.identity)
      try #require(answer.status == .ok, "\(answer.text)")
      return answer
    }
  }

  @Test func `a request for records does not reveal that a person accepts none`() throws {
    let shy = try app.account("shy")
    _ = try app.account("away", isSuspended: true)
    _ = try app.account("maybe", isConfirmed: false)
    #expect(
      app.send(.patch, "/api/account", json: ["data_requests": false], as: shy.identity).status
        == .ok)
    let answers = ["shy", "away", "maybe", "nobody-at-all"].map { app.ask($0, as: ana) }
    for answer in answers {
      #expect(answer.status == .notFound)
      #expect(answer.bytes == answers[0].bytes)
    }
  }

  @Test func `an attacker does not learn which account represents an organisation`() throws {
    let speaker = try app.approved("City of Exemplo", "exemplo.example")
    for name in ["City of Exemplo", "exemplo.example", "cíty  OF exemplo", speaker.id] {
      let asker = try app.account("asker\(try app.count("account"))")
      let asked = app.ask("", ["username": .null, "operator": .string(name)], as: asker)
      try #require(asked.status == .created, "\(asked.text)")
      #expect(
        try asked.json["to"] == ["username": .null, "organisation": "City of Exemplo"], "\(name)")
      let id = try #require(try asked.json["id"]?.stringValue)
      let export = app.get("/api/account/export", as: try app.signIn(asker.rowid))
      for text in [asked.text, app.dataRequest(id, as: asker).text, export.text] {
        #expect(!text.contains(speaker.account.username))
      }
      // Nor by sending a request to the account too: that is another request, and is accepted like
      // any other.
      let both = app.ask(speaker.account.username, as: asker)
      #expect(both.status == .created, "\(both.text)")
    }
    let reported = app.get("/api/operators").text + app.get("/api/operators/\(speaker.id)").text
    #expect(!reported.contains(speaker.account.username))
  }

  @Test func `an attacker does not learn that an organisation waits for approval`() throws {
    let waiting = app.register("Waiting Company", "waiting.example", as: ana.identity)
    let id = try #require(try waiting.json["id"]?.stringValue)
    #expect(app.get("/api/operators/\(id)").status == .notFound)
    #expect(!app.get("/api/operators").text.contains("Waiting"))
    let asked = app.ask(
      "", ["username": .null, "operator": "waiting.example"], as: try app.account("ben"))
    #expect(asked.status == .notFound)
  }

  @Test func `an attacker does not learn texts of a deleted account`() throws {
    let words = "I live opposite, number seventeen"
    let note = "My neighbour told me so"
    let id = try app.added(as: ana)
    let edited = try app.patch(
      id, ["properties": ["name": "The door"], "comment": .string(words)], as: ana.identity)
    try #require(edited.status == .ok, "\(edited.text)")
    let ben = try app.account("ben")
    let other = try app.added(longitude: 8, as: ben)
    let said = app.post(
      Path.item(other) + "/claims",
      [
        "claim": "present", "verdict": "dispute", "basis": "inferred", "note": .string(note),
      ], as: ana.identity)
    try #require(said.status == .ok)
    #expect(app.get(Path.item(id) + "/history").text.contains(words))
    try delete(ana)
    #expect(!app.get(Path.item(id) + "/history").text.contains(words))
    #expect(try app.get(Path.item(id)).property("name") == "The door")
    let isLeft = [words, note].map { app.isOnDisk($0) }
    #expect(isLeft == [false, false])
  }

  @Test func `a restored device does not reveal texts of a deleted account`() throws {
    let words = "I live opposite, number seventeen"
    let id = try app.added(as: ana)
    let edited = try app.patch(
      id, ["properties": ["name": "The door"], "comment": .string(words)], as: ana.identity)
    try #require(edited.status == .ok)
    let ben = try app.account("ben")
    let kept = try app.patch(
      id, ["properties": ["name": "Door"], "comment": "Read the sign"], as: ben.identity)
    try #require(kept.status == .ok)
    let device = try #require(DeviceID(text: id))
    let rowid = try #require(
      try app.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)]))
    let removal = DeviceRemoval(writer: app.writer)
    try app.app.write { connection in
      _ = try removal.remove(
        rowid, device, DeviceRemoval.Reason(role: "admin", code: "other"), purge: false,
        connection)
    }
    try delete(ana)
    #expect(!app.isOnDisk(words))
    try app.app.write { _ = try removal.undo(device, $0) }
    let history = app.get(Path.item(id) + "/history").text
    #expect(!history.contains(words))
    #expect(history.contains("Read the sign"))
  }

  @Test func `an attacker does not learn the name of a deleted account`() throws {
    let id = try app.added(as: ana)
    let before = [Path.item(id), Path.item(id) + "/history", Path.items, "/api/people/ana"]
    try delete(ana)
    for path in before { #expect(!app.get(path).text.contains("\"ana\""), "\(path)") }
    for format in ExportFormat.allCases {
      #expect(!app.export(format).text.contains("\"ana\""), "\(format)")
    }
    #expect(app.get("/api/people/ana").status == .notFound)
  }

  @Test func `a pin at its position does not reveal a hidden device`() throws {
    let worlds = try TwoWorlds { app, world in
      let mia = try app.account("mia", role: .moderator)
      let ben = try app.account("ben")
      let device = try app.device(
        by: ben, .doorbell, longitude: world == 0 ? 7.4 : 9.4, latitude: 46.9)
      _ = app.act("hide", "device", device.id, as: mia.identity)
      _ = try app.account("eva")
    }
    try worlds.expectAlike("a pin on a hidden device") { app in
      let eva = try #require(
        try app.integer("SELECT rowid FROM account WHERE username = 'eva'"))
      return app.add(
        Sent.feature(["category": "doorbell_camera"], longitude: 7.4, latitude: 46.9),
        as: try app.signIn(eva))
    }
    for query: TestApp.Parameters in [["q": "device"], ["bbox": "7,46,8,47"], [:]] {
      worlds.expectAlike("\(query)") { $0.get(Path.items, query) }
      worlds.expectAlike("\(query)") { $0.get("/api/statistics", query) }
    }
  }

  @Test func `another method reveals no more about a person`() throws {
    for method in [WebServer.Method.head, .options, .post, .put, .delete] {
      let (there, nobody) = (
        app.send(method, "/api/people/ana"), app.send(method, "/api/people/nobody")
      )
      if method == .head {
        // A profile exists for that purpose.
        #expect(there.status == .ok && nobody.status == .notFound)
      } else {
        #expect(there.status == nobody.status, "\(method)")
        let path = "/api/people/"
        #expect(
          there.text.replacing(path + "ana", with: path + "nobody") == nobody.text, "\(method)")
      }
    }
  }

  @Test func `ids do not give access to another's ledger, requests or keys`() throws {
    let device = try app.added(as: ana)
    let choice = try app.choice(of: ana, about: device)
    let request = try app.dataRequest(from: ana, to: try app.account("ben"))
    let eva = try app.account("eva")
    let mia = try app.account("mia", role: .moderator)
    let never = "00000000-0000-7000-8000-000000000000"
    for (path, id) in [
      ("/api/choices/", choice), ("/api/data-requests/", request),
    ] {
      for identity in [eva.identity, mia.identity] {
        let (real, made) = (app.get(path + id, as: identity), app.get(path + never, as: identity))
        #expect(real.status == .notFound, "\(path)")
        // Except for the requested address.
        #expect(real.text.replacing(id, with: never) == made.text, "\(path)")
      }
    }
  }
}
