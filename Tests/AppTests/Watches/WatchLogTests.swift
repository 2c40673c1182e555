@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// The log of changes that watches read.
@Suite struct WatchLogTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func add(_ name: String = "Gate", longitude: Double = 6.5) throws {
    try app.device(name: name, longitude: longitude, latitude: 46.5)
  }

  /// Repeats the only logged change under all its keys.
  private func repeatChange(_ times: Int) throws {
    let columns = ["before_", "after_"].flatMap { prefix in
      DeviceImage.columns.map { prefix + $0 }
    }.joined(separator: ", ")
    try app.database.write { connection in
      for _ in 0..<times {
        try connection.execute(
          """
          INSERT INTO watch_change (sequence, happened_at, keys, device_rowid, device_id, \(columns))
          SELECT sequence, happened_at, keys, device_rowid, device_id, \(columns)
          FROM watch_change ORDER BY number LIMIT 1
          """)
        try connection.execute(
          """
          INSERT INTO watch_change_key (key, number)
          SELECT key, (SELECT max(number) FROM watch_change) FROM watch_change_key
          WHERE number = (SELECT min(number) FROM watch_change)
          """)
      }
    }
  }

  private func watches() throws -> [StoredWatch] {
    try app.database.read { try app.app.watches.store.all(of: ana.rowid, $0) }
  }

  @Test func `a change that no watch may tell is not logged`() throws {
    try app.watch(["mail": "daily"], of: ana)
    try add(longitude: 100)
    try app.app.watches.finish()
    #expect(try app.count("watch_change") == 0)
    try add()
    try app.app.watches.finish()
    #expect(try app.count("watch_change") == 1)
    // Only under the grid that the box of the watch has.
    #expect(try app.count("watch_change_key") == 1)
  }

  @Test func `changes are erased with their keys after 90 days`() throws {
    try app.watch(["mail": "none", "feed": true], of: ana)
    try add()
    try app.app.watches.finish()
    func sweep() throws { try app.app.works[WatchSweep.job]?("{}") }
    app.clock.advance(by: .seconds(90 * 86_400 - 1))
    try sweep()
    #expect(try app.count("watch_change") == 1)
    app.clock.advance(by: .seconds(1))
    try sweep()
    #expect(try app.count("watch_change") == 0)
    #expect(try app.count("watch_change_key") == 0)
  }

  @Test func `more changes than are read at a time are all told, in both orders`() throws {
    try app.watch(["feed": true], of: ana)
    try add()
    try app.app.watches.finish()
    try repeatChange(2 * ChangeLog.window + 10)
    let watch = try #require(try watches().first)
    let news = app.app.watches.news
    let count = 2 * ChangeLog.window + 11
    let (later, latest) = try app.database.read { connection in
      (
        try news.later(watch, than: 0, listed: 5, counted: .max, connection),
        try news.latest(watch, listed: count + 1, connection)
      )
    }
    #expect(later.count == count && later.reported.count == 5 && later.isWhole)
    #expect(latest.map(\.number) == Array((1...Int64(count)).reversed()))
    let rest = try app.database.read {
      try news.later(watch, than: 3, listed: 5, counted: nil, $0)
    }
    #expect(rest.reported.map(\.number) == [4, 5, 6, 7, 8] && rest.through == 8 && !rest.isWhole)
  }

  @Test func `the entries of a feed are the latest, and keep their ids`() throws {
    let made = try app.watch(["feed": true], of: ana)
    for name in ["One", "Two", "Three"] { try add(name) }
    try app.app.watches.finish()
    let address = try #require(made["feed"]?["json"]?.stringValue)
    let items = try app.follow(address).json["items"]?.arrayValue ?? []
    #expect(
      items.map { $0["title"]?.stringValue?.prefix(8) } == ["New: Thr", "New: Two", "New: One"])
    let ids = items.compactMap { $0["id"]?.stringValue }
    #expect(Set(ids).count == 3)
    try add("Four")
    try app.app.watches.finish()
    let later = try app.follow(address).json["items"]?.arrayValue ?? []
    #expect(later.dropFirst().compactMap { $0["id"]?.stringValue } == ids)
    #expect(ids.allSatisfy { DeviceID(text: String($0.dropFirst("urn:uuid:".count))) != nil })
  }

  @Test func `two watches give the same change other ids`() throws {
    try app.watch(["feed": true], of: ana)
    try app.watch(["feed": true], of: ana)
    try add()
    try app.app.watches.finish()
    let ids = try app.database.read { connection in
      try watches().map { watch in
        try app.app.watches.news.latest(watch, listed: 1, connection).map { $0.id(of: watch) }
      }
    }
    #expect(ids.count == 2 && ids.allSatisfy { $0.count == 1 } && ids[0] != ids[1])
  }

  @Test func `a digest with nothing to tell sends nothing, and the next one is scheduled`() throws {
    // It is Saturday, 2026-11-21, 12:00 UTC.
    try app.watch(["mail": "daily", "hour": 8, "time_zone": "UTC"], of: ana)
    app.clock.set("2026-11-22T08:00:00Z")
    try app.app.watches.finish()
    #expect(try app.mails.isEmpty)
    #expect(try app.text("SELECT mail_due_at FROM watch") == "2026-11-23T08:00:00Z")
    try add()
    app.clock.set("2026-11-23T08:00:00Z")
    try app.app.watches.finish()
    #expect(try app.mails.count == 1)
    app.clock.set("2026-11-24T08:00:00Z")
    try app.app.watches.finish()
    #expect(try app.mails.count == 1)
  }

  @Test func `a new label keeps the mail that is due`() throws {
    let made = try app.watch(["mail": "at_once"], of: ana)
    try add()
    try app.app.watches.finish()
    let path = "\(TestApp.watches)/\(made["id"]?.stringValue ?? "")"
    #expect(app.send(.patch, path, json: ["label": "Other"], as: ana.identity).status == .ok)
    app.clock.advance(by: .seconds(2))
    try app.app.watches.finish()
    #expect(try app.mails.count == 1)
  }

  @Test func `a device that was added and deleted before the digest is told as both`() throws {
    try app.watch(["feed": true, "events": ["added", "removed"]], of: ana)
    let device = try app.device(name: "Gate", longitude: 6.5, latitude: 46.5)
    #expect(try app.reported() == ["added"])
    try app.app.write { try app.writer.remove(device.rowid, $0) }
    #expect(try app.reported() == ["added", "removed"])
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `what a watch tells is read by the index of keys`() throws {
    let plan = try app.database.read { connection in
      try [ChangeLog.later, ChangeLog.earlier].map {
        try connection.explain($0, [1, 1, 500]).joined()
      } + [ChangeLog.entry].map { try connection.explain($0, [1]).joined() }
        + [WatchMails.dueOnes].map { try connection.explain($0, ["daily", "", 50]).joined() }
    }
    #expect(plan.allSatisfy { $0.contains("SEARCH") && !$0.contains("SCAN") }, "\(plan)")
    #expect(!plan.joined().contains("TEMP B-TREE"), "\(plan)")
  }
}
