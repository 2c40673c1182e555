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

/// Calls of webhooks to a real server, which verifies them with the example of `seed/clients`.
@Suite struct WebhookTests {
  let hook: Hook
  private let settings: InstanceSettings
  let app: TestApp
  let ana: TestAccount

  init() throws {
    hook = try Hook()
    var settings = InstanceSettings()
    settings.siteLoopback = PublicFile.Loopback(port: hook.port, authorities: hook.certificate)
    self.settings = settings
    app = try TestApp(settings: settings)
    ana = try app.account("ana")
  }

  /// A receiver on this machine, for as long as the value exists.
  final class Hook {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    let port: UInt16
    let certificate: String

    init() throws {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("hook_server.py")
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["python3", script.path]
      (process.standardInput, process.standardOutput) = (input, output)
      try process.run()
      let line = Self.line(output)
      let parts = line.split(separator: " ")
      try #require(parts.count == 2, "\(line)")
      port = try #require(UInt16(parts[0]))
      certificate = String(parts[1])
    }

    deinit {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    /// The path, id and event of the next call.
    func call() -> [String] { Self.line(output).split(separator: " ").map(String.init) }

    private static func line(_ pipe: Pipe) -> String {
      var bytes: [UInt8] = []
      while true {
        let piece = [UInt8](pipe.fileHandleForReading.readData(ofLength: 1))
        guard let byte = piece.first, byte != 0x0A else { break }
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// A watch with a webhook at the receiver, which has met the challenge.
  func watch(_ path: String) throws {
    try app.provenWebhook("https://hook.example\(path)", of: ana)
  }

  /// A watch with a webhook at the receiver, as a person adds it. The challenge has been sent.
  func unproven(_ path: String) throws {
    try app.watch(["webhook": .string("https://hook.example\(path)")], of: ana)
  }

  func shown() throws -> JSONValue? {
    try app.get(TestApp.watches, as: ana.identity).json["watches"]?[0]
  }

  func test() throws {
    let path = "\(TestApp.watches)/\(try text("id") ?? "")/test"
    #expect(app.send(.post, path, as: ana.identity).status == .accepted)
    try app.app.watches.finish()
  }

  private struct NothingToCall: Error {}

  /// The next call of the first watch.
  func nextCall() throws -> WebhookCall {
    let webhooks = app.app.watches.worker.caller.store
    return try app.database.read { connection in
      guard case .calls(let pending) = try webhooks.turn(of: 1, after: 0, connection) else {
        throw NothingToCall()
      }
      return try webhooks.signed(try #require(pending.calls.first), of: pending, connection)
    }
  }

  func inside(_ name: String = "Gate") throws {
    try app.device(name: name, longitude: 6.5, latitude: 46.5)
  }

  func text(_ column: String) throws -> String? {
    try app.text("SELECT \(column) FROM watch")
  }

  @Test func `a call is signed as Standard Webhooks specifies`() throws {
    // The example of the specification, with a key of its libraries' tests.
    let key = try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
    let call = WebhookCall(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: Timestamp(secondsSinceEpoch: 1_614_265_330),
      body: Array(#"{"test": 2432232314}"#.utf8), key: [UInt8](key))
    #expect(
      call.headers.last == "webhook-signature: v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func `the example receiver accepts a call, and refuses one with another secret`() throws {
    try watch("/ok")
    let secret = try #require(
      try app.get(TestApp.watches, as: ana.identity).json["watches"]?[0]?["webhook"]?["secret"]?
        .stringValue)
    // The address is changed in the database, because another address has another secret.
    let bare = secret.dropFirst("whsec_".count)
    for (given, event) in [(String(bare), "device.added"), ("AAAA", "the-signature-is-wrong")] {
      try app.database.write {
        try $0.execute("UPDATE watch SET webhook = ?", [.text("https://hook.example/ok?\(given)")])
      }
      try inside()
      try app.app.watches.finish()
      #expect(hook.call().last == event)
    }
  }

  @Test func `the body is the feature of the device with what happened`() throws {
    try watch("/ok")
    let device = try app.device(name: "Gate", longitude: 6.5, latitude: 46.5)
    try app.app.watches.worker.matcher.step()
    let body = try JSONValue(parsing: try nextCall().body)
    let feature = try app.get(Path.item(device.id)).json
    #expect(body["geometry"] == feature["geometry"])
    #expect(body["properties"] == feature["properties"])
    #expect(body["event"]?.stringValue == "device.added")
    #expect(body["watch"]?["label"]?.stringValue == "My street")
  }

  @Test func `changes are called in order, each once`() throws {
    try watch("/ok")
    for name in ["One", "Two", "Three"] { try inside(name) }
    try app.app.watches.finish()
    let ids = (0..<3).map { _ in hook.call()[1] }
    let reported = try app.database.read { connection in
      let webhooks = app.app.watches.worker.caller.store
      let watch = try #require(try webhooks.store.one(row: 1, connection))
      return try webhooks.news.later(watch, than: 0, listed: 3, counted: .max, connection).reported
        .map { $0.id(of: watch) }
    }
    #expect(ids == reported && Set(ids).count == 3)
    try app.app.watches.finish()
    try inside("Four")
    try app.app.watches.finish()
    #expect(!ids.contains(hook.call()[1]))
    #expect(try text("call_due_at") == nil)
  }

  @Test func `calls that must wait are made afterwards, each once`() throws {
    try watch("/ok")
    for name in ["One", "Two", "Three"] { try inside(name) }
    let worker = app.app.watches.worker
    worker.caller.add(try worker.matcher.step().calls)
    var asked = 0
    let isCalled = try worker.caller.callNext(
      { false },
      unless: {
        asked += 1
        return asked > 1
      })
    #expect(isCalled)
    let first = hook.call()[1]
    #expect(worker.caller.isReady)
    #expect(try app.text("SELECT count(*) FROM watch_sent") == "0")
    try app.app.watches.finish()
    let later = (0..<2).map { _ in hook.call()[1] }
    #expect(Set([first] + later).count == 3)
    #expect(try app.text("SELECT matches FROM watch_sent") == "3")
  }

  @Test func `a call that was accepted before a crash is not repeated, and a later one is made`()
    throws
  {
    try watch("/ok")
    try inside()
    let worker = app.app.watches.worker
    worker.caller.add(try worker.matcher.step().calls)
    while try worker.caller.callNext({ false }) {}
    let first = hook.call()[1]
    #expect(try text("called_through") == "0")
    // Nothing calls about this change before the crash.
    try inside("Other")
    try app.endLeases()
    try app.database.close()
    let again = try TestApp.start(
      app.folder.appendingPathComponent("farol.db"), front: TestFolder.front, settings: settings,
      clock: app.clock, log: app.log)
    defer {
      again.stop()
      try? again.database.close()
    }
    try again.watches.finish()
    #expect(hook.call()[1] != first)
    let sent = try again.database.read { connection in
      try connection.rows("SELECT matches FROM watch_sent") { $0.int(0) }
    }
    #expect(sent == [2])
  }

  @Test func `a failed call is repeated with growing pauses, then switched off with a mail`() throws
  {
    try watch("/broken")
    try inside()
    try app.app.watches.finish()
    let id = hook.call()[1]
    var pauses: [Int64] = []
    while try text("webhook_ended_at") == nil, pauses.count < 20 {
      let due = try #require(try text("call_due_at").flatMap { Timestamp(text: $0) })
      pauses.append(due.secondsSinceEpoch - app.clock.now.secondsSinceEpoch)
      app.clock.set(due.text)
      try app.app.watches.finish()
      #expect(hook.call()[1] == id)
    }
    #expect(pauses.prefix(6) == [5, 300, 1_800, 7_200, 18_000, 36_000])
    #expect(pauses.reduce(0, +) == 86_400)
    #expect(try app.lastMail.template == "watch_webhook_ended")
    try inside()
    try app.app.watches.finish()
    #expect(try text("call_due_at") == nil)
    let path = "\(TestApp.watches)/\(try text("id") ?? "")/test"
    #expect(app.send(.post, path, as: ana.identity).status == .accepted)
    #expect(try text("webhook_ended_at") == nil)
    try app.app.watches.finish()
    #expect(hook.call()[0] == "/broken")
  }

  // MARK: - Failures

  @Test(arguments: ["/away", "/long", "/broken"])
  func `a redirect, an endless answer and an error are failures`(path: String) throws {
    try watch(path)
    try inside()
    try app.app.watches.finish()
    #expect(hook.call()[0] == path)
    #expect(try app.integer("SELECT calls_failed FROM watch") == 1)
  }

  @Test func `a server that does not answer is left after ten seconds`() throws {
    try watch("/silent")
    try inside()
    let start = ContinuousClock.now
    try app.app.watches.finish()
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(try app.integer("SELECT calls_failed FROM watch") == 1)
  }

  @Test func `a call that could not be tried is repeated soon, and is no failure`() throws {
    try watch("/ok")
    try inside()
    try app.app.watches.worker.matcher.step()
    let next = try nextCall()
    try app.database.write { try app.app.watches.worker.caller.store.putOff(1, $0) }
    #expect(try app.integer("SELECT calls_failed FROM watch") == 0)
    let soon = Timestamp(secondsSinceEpoch: app.clock.now.secondsSinceEpoch + 1)
    #expect(try text("call_due_at") == soon.text)
    app.clock.advance(by: .seconds(1))
    try app.app.watches.finish()
    #expect(hook.call()[1] == next.id)
  }

  @Test func `a name with a private address is not called`() throws {
    let site = PublicFile()
    for host in ["localhost", "127.0.0.1", "10.0.0.1", "169.254.169.254"] {
      #expect(throws: PublicFileFailure.self, "\(host)") {
        try site.post([], headers: [], to: host, "/")
      }
    }
  }
}
