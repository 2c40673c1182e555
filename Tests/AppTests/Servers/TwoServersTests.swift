@testable import App
import Devices
import Foundation
import JSON
import Locking
import Logging
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Two servers on one PostgreSQL database.
@Suite(.serialized) struct TwoServersTests {
  let one: TestApp
  let two: TestApp

  init() throws {
    one = try TestApp(onPostgreSQLBeside: nil)
    two = try TestApp(onPostgreSQLBeside: one)
  }

  /// The names on the map of a server.
  private func names(_ app: TestApp, as identity: Identity = .visitor) -> [String] {
    let list = try? app.get("/api/collections/devices/items", as: identity).json
    return (list?["features"]?.arrayValue ?? []).compactMap {
      $0["properties"]?["name"]?.stringValue
    }
  }

  private func waitUntil(_ isDone: () throws -> Bool) throws -> Bool {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      if try isDone() { return true }
      usleep(5_000)
    }
    return false
  }

  @Test func `a device is on the map of its server at once, and on that of the other soon`() throws
  {
    try one.device(name: "First")
    #expect(names(one) == ["First"])
    #expect(try waitUntil { names(two) == ["First"] })
    try two.device(name: "Second", longitude: 1)
    #expect(names(two).contains("Second"))
    #expect(try waitUntil { names(one).count == 2 })
    let lists = [one, two].map { $0.get("/api/collections/devices/items").bytes }
    #expect(lists.first == lists.last)
  }

  @Test func `a person who is signed in sees a write on every server at once`() throws {
    let ana = try one.account("ana")
    // From now on the other server learns of nothing by itself.
    two.app.follower.stop()
    try one.device(name: "First")
    #expect(names(two) == [])
    #expect(names(two, as: ana.identity) == ["First"])
    try one.device(name: "Second", longitude: 1)
    #expect(names(two) == ["First"])
    #expect(names(two, as: ana.identity).count == 2)
  }

  @Test func `servers that write at once miss none of each other's devices`() throws {
    let both = [one, two]
    DispatchQueue.concurrentPerform(iterations: 40) { number in
      _ = try? both[number % 2].device(name: "Device \(number)", longitude: Double(number))
    }
    #expect(
      try waitUntil { one.app.index.snapshot.count == 40 && two.app.index.snapshot.count == 40 })
    let sequence = try one.integer("SELECT max(sequence) FROM change")
    #expect(try waitUntil { both.allSatisfy { $0.app.index.sequence == sequence } })
  }

  @Test func `a person who signed in on one server is signed in on the other`() throws {
    let account = try one.account("ana")
    #expect(two.get("/api/account", as: account.identity).status == .ok)
  }

  @Test func `a job runs on one server only`() throws {
    let done = Locked<[String]>([])
    let runners = [one, two].map { app in
      JobRunner(
        database: app.database, environment: app.environment,
        logger: Logger(label: "test") { [log = app.log] _ in log },
        works: ["note": { payload in done.withLock { $0.append(payload) } }])
    }
    let expected = (0..<40).map { "job \($0)" }
    try one.database.write { connection in
      for payload in expected {
        try JobRunner.schedule("note", payload: payload, due: one.clock.now, connection)
      }
    }
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      while (try? runners[number % 2].runOne()) == true {}
    }
    #expect(done.withLock { $0.sorted() } == expected.sorted())
  }

  @Test func `an index that is ahead of its database is loaded again`() throws {
    try one.device(name: "First")
    try one.device(name: "Lost", longitude: 1)
    #expect(try waitUntil { names(two).count == 2 })
    // As after a restore to an earlier time.
    try one.database.write { connection in
      try connection.execute("DELETE FROM device WHERE name = 'Lost'")
      try connection.execute("DELETE FROM change WHERE sequence > 1")
    }
    #expect(try waitUntil { names(two) == ["First"] })
  }

  @Test(arguments: [2, 40])
  func `an index with a change that a takeover lost is loaded again`(number: Int64) throws {
    try one.device(name: "First")
    try one.device(name: "Lost", longitude: 1)
    #expect(try waitUntil { names(two).count == 2 })
    // A standby that never had the change took over. Its next number is the same, or a later one.
    try one.database.write { connection in
      try connection.execute("DELETE FROM device WHERE name = 'Lost'")
      try connection.execute("DELETE FROM change WHERE sequence > 1")
      try connection.execute(
        """
        INSERT INTO change (sequence, device_rowid, kind, changed_at)
        SELECT ?, rowid, 'changed', '2027-02-01T00:00:00Z' FROM device
        """, [.integer(number)])
    }
    #expect(try waitUntil { two.app.index.snapshot.count == 1 })
  }
}
