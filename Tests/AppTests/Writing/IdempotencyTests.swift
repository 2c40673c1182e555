import Foundation
import JSON
import Locking
import SpatialDatabase
import Testing
import WebServer

/// A device sent twice under one `Idempotency-Key` is added once.
@Suite struct IdempotencyTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private var count: Int64? { get throws { try app.integer("SELECT count(*) FROM device") } }

  @Test func `a repeated request gets the same response and adds nothing`() throws {
    let first = app.add(Sent.feature(), key: "a", as: ana.identity)
    let again = app.add(Sent.feature(), key: "a", as: ana.identity)
    #expect(first.status == .created && again.status == .created)
    #expect(again.bytes == first.bytes)
    #expect(again.headers["Location"] == first.headers["Location"])
    #expect(again.headers["ETag"] == first.headers["ETag"])
    #expect(try count == 1)
  }

  @Test func `sixteen simultaneous requests add one device and all get it`() throws {
    let answers = Locked<[(Int, String)]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let answer = app.add(Sent.feature(), key: "tapped twice", as: ana.identity)
      answers.withLock { $0.append((answer.status.code, answer.headers["Location"] ?? "")) }
    }
    #expect(answers.withLock { $0.allSatisfy { $0.0 == 201 } })
    #expect(answers.withLock { Set($0.map(\.1)).count } == 1)
    #expect(try count == 1)
  }

  @Test func `the key with another request is refused`() throws {
    _ = app.add(Sent.feature(), key: "a", as: ana.identity)
    let other = app.add(Sent.feature(longitude: 9), key: "a", as: ana.identity)
    #expect(other.status == .unprocessableContent)
    #expect(try other.json["type"] == "/problems/idempotency-key-reused")
    #expect(try other.fields == ["Idempotency-Key"])
    #expect(try count == 1)
  }

  @Test func `each user has separate keys`() throws {
    let ben = try app.account("ben")
    _ = app.add(Sent.feature(), key: "a", as: ana.identity)
    let answer = app.add(Sent.feature(longitude: 9), key: "a", as: ben.identity)
    #expect(answer.status == .created)
    #expect(try count == 2)
  }

  @Test func `a refusal is not stored, so a corrected request may use the same key`() throws {
    _ = try app.device(longitude: 7.4, latitude: 46.9)
    #expect(app.add(Sent.feature(), key: "a", as: ana.identity).status == .conflict)
    let wrong = app.add(Sent.feature(["units": 0]), key: "a", as: ana.identity)
    #expect(wrong.status == .unprocessableContent)
    let right = Sent.feature(["duplicate_reason": "beside it"])
    #expect(app.add(right, key: "a", as: ana.identity).status == .created)
    #expect(app.add(right, key: "a", as: ana.identity).status == .created)
    #expect(try count == 2)
  }

  @Test func `a retry gets the current device, deleted or not`() throws {
    let id = try #require(
      try app.add(Sent.feature(), key: "a", as: ana.identity).json["id"]?.stringValue)
    _ = try app.patch(id, ["properties": ["name": "Renamed"]], as: ana.identity)
    let again = app.add(Sent.feature(), key: "a", as: ana.identity)
    #expect(try again.property("name") == "Renamed")
  }

  @Test func `a key is stored for a day`() throws {
    _ = app.add(Sent.feature(), key: "a", as: ana.identity)
    app.clock.advance(by: .seconds(86_399))
    #expect(app.add(Sent.feature(), key: "a", as: ana.identity).status == .created)
    #expect(try count == 1)
    app.clock.advance(by: .seconds(1))
    #expect(app.add(Sent.feature(), key: "a", as: ana.identity).status == .conflict)
    _ = app.add(Sent.feature(longitude: 9), key: "b", as: ana.identity)
    #expect(try app.integer("SELECT count(*) FROM idempotency") == 1)
  }

  @Test func `a key has one to a hundred printable characters`() throws {
    for (place, (key, isSound)) in [
      (String(repeating: "k", count: 100), true), (" ~", true), ("", false),
      (String(repeating: "k", count: 101), false), ("a\tb", false), ("é", false),
    ].enumerated() {
      let answer = app.add(Sent.feature(longitude: Double(place)), key: key, as: ana.identity)
      #expect(answer.status == (isSound ? .created : .badRequest), "\(key)")
      if !isSound { #expect(try answer.fields == ["Idempotency-Key"]) }
    }
  }
}
