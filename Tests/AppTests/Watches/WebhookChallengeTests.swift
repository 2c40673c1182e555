@testable import App
import Foundation
import JSON
import PrivacyMap
import SafeFetch
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// The challenge that the server of a webhook meets before the first call.
extension WebhookTests {
  @Test(arguments: ["/ok", "/plain"])
  func `a webhook is called after its server has met the challenge`(path: String) throws {
    try unproven(path)
    #expect(hook.call()[0] == path)
    #expect(try shown()?["webhook"]?["proven_at"]?.stringValue == app.clock.now.text)
    #expect(try text("call_due_at") == nil)
    #expect(try app.count("watch_sent") == 0)
    try inside()
    try app.app.watches.finish()
    #expect(hook.call()[0] == path)
    #expect(try app.text("SELECT outcome FROM watch_sent") == "sent")
  }

  @Test func `the challenge is signed, and has neither label nor device`() throws {
    let answer = app.post(
      TestApp.watches, TestApp.watch(["webhook": "https://hook.example/ok"]), as: ana.identity)
    let secret = try #require(try answer.json["webhook"]?["secret"]?.stringValue)
    try inside()
    let call = try nextCall()
    let body = try JSONValue(parsing: call.body)
    #expect(
      body.objectValue?.members.map(\.key) == ["event", "challenge", "timestamp", "watch"])
    #expect(body["event"] == "webhook.challenge")
    #expect(try body["watch"] == ["id": #require(try answer.json["id"])])
    #expect(try nextCall().id != call.id)
    // The receiver checks the signature with the secret.
    let bare = secret.dropFirst("whsec_".count)
    try app.database.write {
      try $0.execute("UPDATE watch SET webhook = ?", [.text("https://hook.example/ok?\(bare)")])
    }
    try app.app.watches.finish()
    #expect(hook.call().last == "webhook.challenge")
  }

  @Test(arguments: ["/deaf", "/wrong", "/broken", "/away"])
  func `a server that does not meet the challenge gets nothing else`(path: String) throws {
    try unproven(path)
    _ = hook.call()
    try inside()
    try app.app.watches.finish()
    #expect(try shown()?["webhook"]?["proven_at"] == .null)
    #expect(try app.integer("SELECT calls_failed FROM watch") == 1)
    var attempts = 1
    while try text("webhook_ended_at") == nil, attempts < 20 {
      app.clock.set(try #require(try text("call_due_at")))
      try app.app.watches.finish()
      _ = hook.call()
      attempts += 1
    }
    #expect(attempts < 20)
    #expect(try app.lastMail.template == "watch_webhook_ended")
    let outcomes = try app.database.read {
      try $0.rows("SELECT outcome FROM watch_sent ORDER BY rowid") { $0.text(0) }
    }
    #expect(!outcomes.contains("sent") && outcomes.last == "ended")
  }

  @Test func `a test repeats a challenge that was not met, and then tells what happened since`()
    throws
  {
    try unproven("/deaf")
    _ = hook.call()
    try app.database.write {
      try $0.execute("UPDATE watch SET webhook = 'https://hook.example/ok'")
    }
    try test()
    // The challenge, then the test.
    #expect(Set([hook.call()[1], hook.call()[1]]).count == 2)
    #expect(try shown()?["webhook"]?["proven_at"] != .null)
    #expect(try text("test_id") == nil)
    try inside()
    try app.app.watches.finish()
    _ = hook.call()
    #expect(try app.text("SELECT outcome FROM watch_sent ORDER BY rowid DESC") == "sent")
  }

  @Test func `changes before the challenge is met are told afterwards`() throws {
    try unproven("/deaf")
    _ = hook.call()
    try inside()
    try app.app.watches.finish()
    try app.database.write {
      try $0.execute("UPDATE watch SET webhook = 'https://hook.example/ok'")
    }
    app.clock.advance(by: .seconds(5))
    try app.app.watches.finish()
    #expect(Set([hook.call()[1], hook.call()[1]]).count == 2)
    #expect(try app.text("SELECT outcome FROM watch_sent ORDER BY rowid DESC") == "sent")
  }

  @Test func `another address has to meet the challenge, another label has not`() throws {
    try unproven("/ok")
    _ = hook.call()
    let path = "\(TestApp.watches)/\(try text("id") ?? "")"
    func change(_ json: JSONValue) throws -> JSONValue? {
      let answer = app.send(.patch, path, json: json, as: ana.identity)
      #expect(answer.status == .ok, "\(answer.text)")
      return try answer.json["webhook"]?["proven_at"]
    }
    #expect(try change(["label": "School"]) != .null)
    #expect(try change(["webhook": "https://hook.example/plain"]) == .null)
    try app.app.watches.finish()
    #expect(hook.call()[0] == "/plain")
    #expect(try shown()?["webhook"]?["proven_at"] != .null)
  }

  @Test func `a paused watch makes no challenge, and one that is resumed does`() throws {
    try app.watch(["webhook": "https://hook.example/ok", "paused": true], of: ana)
    #expect(try text("call_due_at") == nil)
    let path = "\(TestApp.watches)/\(try text("id") ?? "")"
    _ = app.send(.patch, path, json: ["paused": false], as: ana.identity)
    try app.app.watches.finish()
    #expect(hook.call()[0] == "/ok")
    #expect(try shown()?["webhook"]?["proven_at"] != .null)
  }

  @Test func `twenty challenges an hour are allowed`() throws {
    let made = try app.watch(["label": "Street"], of: ana)
    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")"
    for number in 1...21 {
      let answer = app.send(
        .patch, path, json: ["webhook": .string("https://hook\(number).example/")],
        as: ana.identity)
      #expect(answer.status == (number <= 20 ? .ok : .tooManyRequests))
    }
  }

  @Test func `an answer meets the challenge with its text alone or as a member`() {
    let challenge = WebhookChallenge(id: "1")
    func isMet(_ text: String) -> Bool { challenge.isMet(by: Array(text.utf8)) }
    #expect(isMet(challenge.text))
    #expect(isMet(" \(challenge.text)\r\n"))
    #expect(isMet(#"{"ok":true,"challenge":"\#(challenge.text)"}"#))
    for other in [
      "", "{}", "null", #"{"challenge":""}"#, #"{"challenge":null}"#,
      String(challenge.text.dropLast()),
      challenge.text + "x", #"{"other":"\#(challenge.text)"}"#, WebhookChallenge(id: "1").text,
    ] { #expect(!isMet(other), "\(other)") }
  }
}
