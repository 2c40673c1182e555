@testable import App
import Foundation
import JSON
import PrivacyMap
@testable import Service
@testable import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// A filter that fails while it is evaluated concerns only who has it.
///
/// Calculations and geometries do not fail, so a device has a value that no program stores: a list that is no JSON.
@Suite struct FailingFilterTests {
  let app: TestApp
  let ana, ben: TestAccount
  private static let failing = "A_OVERLAPS(purposes, ('safety'))"

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
  }

  /// A device whose list of purposes no engine can read.
  @discardableResult
  private func brokenDevice() throws -> TestDevice {
    let device = try app.device(name: "Gate", longitude: 6.5, latitude: 46.5)
    try app.database.write {
      try $0.execute(
        "UPDATE device SET purposes = 'no list' WHERE rowid = ?", [.integer(device.rowid)])
    }
    return device
  }

  private func watch(_ members: JSONObject, of account: TestAccount) throws -> JSONValue {
    var members = members
    if account.username == "ana" { members["filter"] = ["filter": .string(Self.failing)] }
    return try app.watch(members, of: account)
  }

  private func change() throws {
    let device = try brokenDevice()
    try app.app.write { connection in
      try connection.execute(
        """
        INSERT INTO change (device_rowid, kind, changed_at) VALUES (?, 'changed', '2026-11-21T12:00:00Z')
        """, [.integer(device.rowid)])
    }
  }

  private func work() throws {
    try app.app.watches.finish()
    app.clock.advance(by: .seconds(2))
    try app.app.watches.finish()
  }

  private func shown(_ watch: JSONValue, _ account: TestAccount) throws -> JSONValue {
    let id = try #require(watch["id"]?.stringValue)
    return try app.get("\(TestApp.watches)/\(id)", as: account.identity).json
  }

  @Test(arguments: ["at_once", "daily"])
  func `a watch that fails is set aside alone, and its owner told`(_ mail: String) throws {
    let failing = try watch(["mail": .string(mail)], of: ana)
    let other = try watch(["mail": .string(mail)], of: ben)
    try change()
    app.clock.advance(by: .seconds(mail == "daily" ? 90_000 : 0))
    try work()
    #expect(try app.reported(by: ben) == ["watch_news"])
    #expect(try app.reported(by: ana) == ["watch_failed"])
    #expect(try shown(failing, ana)["failed_at"]?.stringValue != nil)
    #expect(try shown(other, ben)["failed_at"] == .null)
    // It is not tried again, and the others go on.
    app.clock.advance(by: .seconds(90_000))
    try change()
    try work()
    #expect(try app.reported(by: ben) == ["watch_news", "watch_news"])
    #expect(try app.reported(by: ana) == ["watch_failed"])
  }

  @Test func `a webhook of a watch that fails ends alone`() throws {
    let failing = try watch(["webhook": "https://hook.example/a"], of: ana)
    // As if its server had met the challenge.
    try app.database.write {
      try $0.execute("UPDATE watch SET webhook_proven_at = created_at, call_due_at = NULL")
    }
    let other = try watch(["mail": "at_once"], of: ben)
    try change()
    try work()
    #expect(try shown(failing, ana)["failed_at"]?.stringValue != nil)
    #expect(try app.reported(by: ana) == ["watch_failed"])
    #expect(try app.reported(by: ben) == ["watch_news"])
    #expect(try shown(other, ben)["failed_at"] == .null)
  }

  @Test func `a feed of a watch that fails is refused, then empty`() throws {
    let failing = try watch(["feed": true], of: ana)
    try change()
    try work()
    let address = try #require(failing["feed"]?["json"]?.stringValue)
    let path = try #require(address.range(of: "/api/")).lowerBound
    #expect(app.get(String(address[path...])).status == .serviceUnavailable)
    try work()
    #expect(try shown(failing, ana)["failed_at"]?.stringValue != nil)
    let feed = app.get(String(address[path...]))
    #expect(feed.status == .ok)
    #expect(try feed.json["items"] == [])
  }

  @Test func `a watch that was set aside runs again with another filter`() throws {
    let failing = try watch(["mail": "at_once"], of: ana)
    try change()
    try work()
    let path = "\(TestApp.watches)/\(try #require(failing["id"]?.stringValue))"
    // Another name leaves it aside.
    let named = app.send(.patch, path, json: ["label": "School"], as: ana.identity)
    #expect(try named.json["failed_at"]?.stringValue != nil)
    let changed = app.send(
      .patch, path, json: ["filter": ["category": "camera_fixed"]], as: ana.identity)
    #expect(try changed.json["failed_at"] == .null)
    try app.device(name: "Wall", longitude: 6.5, latitude: 46.5)
    try work()
    #expect(try app.reported(by: ana) == ["watch_failed", "watch_news"])
  }

  @Test func `a filter that takes too long rests, and is set aside at the third time`() throws {
    _ = try app.watch(["mail": "at_once"], of: ana)
    let failures = app.app.watches.worker.failures
    let late = DatabaseFault(.interrupted, "late")
    for count in 1...WatchFailures.attempts {
      failures.note(1, late)
      try failures.takeNoted()
      let isAside = try app.database.read {
        try $0.text("SELECT failed_at FROM watch WHERE rowid = 1") != nil
      }
      #expect(isAside == (count == WatchFailures.attempts))
    }
  }

  @Test func `pauses of the database that lie far apart set no feed aside`() throws {
    let watch = try app.watch(["feed": true, "filter": [:]], of: ben)
    let feed = try #require(try shown(watch, ben)["feed"]?["atom"]?.stringValue)
    let path = feed.replacing(TestApp.address, with: "")
    let failures = app.app.watches.worker.failures
    for _ in 1...WatchFailures.attempts {
      failures.note(1, DatabaseFault(.interrupted, "late"))
      try failures.takeNoted()
      #expect(app.get(path).status == .ok)
    }
    #expect(try app.text("SELECT failed_at FROM watch WHERE rowid = 1") == nil)
  }

  @Test func `lists, statistics, feeds and exports refuse only that filter`() throws {
    try change()
    for path in [
      Path.items, "/api/statistics", "/api/feeds/devices.atom", "/api/feeds/devices.json",
    ] {
      let failed = app.send(target: Request.target(path, [("filter", Self.failing)]))
      #expect(failed.status.code >= 400, "\(path)")
      let sound = app.send(target: Request.target(path, [("filter", "name = 'Gate'")]))
      #expect(sound.status == .ok, "\(path)")
    }
  }
}

extension TestApp {
  /// The templates of the mails to an account, in order.
  fileprivate func reported(by account: TestAccount) throws -> [String] {
    try mails.filter { $0.address == account.email }.map(\.template)
  }
}
