@testable import App
import Foundation
import JSON
import Mail
@testable import Lists
import PrivacyMap
import SafeFetch
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Imports that repeat from a URL, read from a real https server.
@Suite struct ImportScheduleTests: ScheduleTesting {
  let site: ListSite
  let app: TestApp
  let admin: TestAccount

  init() throws {
    site = try ListSite()
    app = try TestApp(settings: site.settings)
    admin = try app.account("root", role: .admin)
  }

  // Runs.

  @Test func `a list is imported at its time, and its admin gets a report`() throws {
    try site.put(TestSchedule.list(3, refused: 1), as: "cameras.csv")
    try add()
    #expect(try schedule()["due_at"]?.stringValue == "2026-11-22T03:00:00Z")
    try app.work()
    #expect(try devices() == 0)
    try runNext()
    #expect(try devices() == 2)
    #expect(site.request() == "/cameras.csv 200")
    let shown = try schedule()
    #expect(shown["last_run"]?["outcome"]?.stringValue == "imported")
    #expect(shown["due_at"]?.stringValue == "2026-11-23T03:00:00Z")
    #expect(shown["running"]?.boolValue == false)
    let number = try #require(shown["last_run"]?["import"]?.intValue)
    let report = try app.get("/api/admin/imports/\(number)", as: admin.identity).json
    #expect(report["file"]?.stringValue == "cameras.csv")
    #expect(report["schedule"]?["name"]?.stringValue == "City")
    #expect(report["by"]?.stringValue == "root")
    #expect(report["added"]?.intValue == 2 && report["refused"]?.intValue == 1)
    let transport = TestTransport()
    try app.sendMail(transport)
    let mail = try #require(transport.messages.first)
    #expect(mail.to.text == admin.email && transport.messages.count == 1)
    for text in [mail.text, mail.html] {
      #expect(text.contains("New: 2") && text.contains("Refused: 1"))
      #expect(text.contains("\(TestApp.address)/admin/imports/\(number)"))
    }
    // The trial run leaves no report.
    #expect(try app.integer("SELECT count(*) FROM import_run") == 1)
  }

  @Test(arguments: [("/cameras.csv", 304), ("/plain/cameras.csv", 200)])
  func `a list that has not changed is not imported again`(path: String, status: Int) throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add(path)
    try runNext()
    _ = site.request()
    try runNext()
    #expect(site.request() == "\(path) \(status)")
    #expect(try outcome() == "unchanged")
    #expect(try app.integer("SELECT count(*) FROM import_run") == 1)
    #expect(try app.mails.count == 1)
  }

  @Test func `a changed list changes its devices, and a report says how many`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add()
    try runNext()
    try site.put(TestSchedule.list(4, named: "Kamera"), as: "cameras.csv")
    try runNext()
    #expect(try devices() == 4)
    #expect(try app.mails.count == 2)
    let list = try app.lastMail.arguments["list"]?.stringValue ?? ""
    #expect(list.contains("New: 1") && list.contains("Changed: 3"))
    let undo = app.send(
      .post, "/api/admin/imports/\(try lastImport())/undo",
      json: [:], as: admin.identity)
    #expect(undo.status == .accepted)
    app.app.imports.worker.rest()
    #expect(
      try app.integer("SELECT count(*) FROM device WHERE hidden = 0 AND name LIKE 'Camera%'") == 3)
  }

  @Test func `a new mapping reads the same file again`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add()
    try runNext()
    var mapping = try #require(TestSchedule.mapping.objectValue)
    mapping["fields"] = [
      "name": [["value": "Kamera"]], "category": "camera_fixed", "longitude": ["from": "lon"],
      "latitude": ["from": "lat"],
    ]
    #expect(change(["mapping": .object(mapping)]).status == .ok)
    try runNext()
    #expect(try app.integer("SELECT count(*) FROM device WHERE name = 'Kamera'") == 3)
    // Another name or time is no reason to read it again.
    #expect(change(["name": "Town", "hour": 4]).status == .ok)
    try runNext()
    #expect(try outcome() == "unchanged")
  }

  // Caution.

  @Test func `a much shorter list is held until an admin confirms it`() throws {
    try site.put(TestSchedule.list(40), as: "cameras.csv")
    try add()
    try runNext()
    try site.put(TestSchedule.list(15, named: "Kamera"), as: "cameras.csv")
    try runNext()
    var shown = try schedule()
    #expect(shown["last_run"]?["outcome"]?.stringValue == "held")
    #expect(
      shown["last_run"]?["sentence"]?.stringValue
        == "The new list has 15 rows. The last import had 40.")
    #expect(try app.integer("SELECT count(*) FROM device WHERE name LIKE 'Kamera%'") == 0)
    let mail = try app.lastMail
    #expect(mail.template == "import_held")
    let trial = try #require(shown["last_run"]?["import"]?.intValue)
    #expect(mail.link == "/admin/imports/\(trial)")
    #expect(
      try app.get("/api/admin/imports/\(trial)", as: admin.identity).json["dry_run"]?.boolValue
        == true)
    // It stays held, although its file was seen before.
    try runNow()
    #expect(try outcome() == "held")
    #expect(try runNow(["confirmed": true]).status == .accepted)
    shown = try schedule()
    #expect(shown["last_run"]?["outcome"]?.stringValue == "imported")
    #expect(try app.integer("SELECT count(*) FROM device WHERE name LIKE 'Kamera%'") == 15)
    // Devices that the list no longer has stay on the map, as after an import by hand.
    #expect(try app.integer("SELECT count(*) FROM device WHERE hidden = 0") == 40)
    #expect(try app.integer("SELECT max(gone) FROM import_run WHERE dry_run = 0") == 25)
  }

  @Test func `a list whose rows are mostly refused or changed is held`() throws {
    try site.put(TestSchedule.list(30), as: "cameras.csv")
    try add()
    try runNext()
    try site.put(TestSchedule.list(30, refused: 16), as: "cameras.csv")
    try runNext()
    #expect(try schedule()["last_run"]?["problem"]?.stringValue == "refused_rows")
    try site.put(TestSchedule.list(30, named: "Kamera"), as: "cameras.csv")
    try runNext()
    #expect(try schedule()["last_run"]?["problem"]?.stringValue == "changed_rows")
    try site.put("id,name,lon,lat\n", as: "cameras.csv")
    try runNext()
    #expect(try schedule()["last_run"]?["problem"]?.stringValue == "empty")
    #expect(try app.integer("SELECT count(*) FROM device WHERE name LIKE 'Camera%'") == 30)
  }

  // Failures.

  @Test(
    arguments: [
      ("/none.csv", "status"), ("/busy", "status"), ("/loop", "redirect"),
      ("/cut/cameras.csv", "incomplete"), ("/broken.geojson", "unreadable"),
    ])
  func `a run that fails says why, and changes nothing`(path: String, problem: String) throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try site.put("{\"type\": \"FeatureCollection\", \"features\": [{", as: "broken.geojson")
    try add(path)
    try runNext()
    let shown = try schedule()
    #expect(shown["last_run"]?["outcome"]?.stringValue == "failed")
    #expect(shown["last_run"]?["problem"]?.stringValue == problem)
    let sentence = shown["last_run"]?["sentence"]?.stringValue ?? ""
    #expect(sentence.hasSuffix(".") && !sentence.contains("{"))
    #expect(shown["failures"]?.intValue == 1)
    #expect(try devices() == 0)
    let number = shown["last_run"]?["import"]?.intValue
    #expect((number != nil) == (problem == "unreadable"))
    let mail = try app.lastMail
    #expect(mail.link == "/admin/imports" + (number.map { "/\($0)" } ?? ""))
    #expect(mail.template == "import_failed" && mail.address == admin.email)
    #expect(mail.arguments["problem"]?.stringValue == sentence)
  }

  @Test func `a redirect is followed`() throws {
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try add("/away/cameras.csv")
    try runNext()
    #expect(try devices() == 3)
  }

  @Test func `another certificate is refused`() throws {
    try add("/cameras.csv", ["url": "https://other.example/cameras.csv"])
    try runNext()
    #expect(try schedule()["last_run"]?["problem"]?.stringValue == "untrusted")
  }

  @Test func `after five failures in succession it is switched off, and can be resumed`() throws {
    try add("/none.csv")
    for _ in 0..<4 { try runNext() }
    #expect(try schedule()["enabled"]?.boolValue == true)
    try runNext()
    var shown = try schedule()
    #expect(shown["enabled"]?.boolValue == false)
    #expect(shown["ended_by"]?.stringValue == "failures")
    #expect(shown["due_at"] == .null)
    #expect(try app.lastMail.template == "import_ended")
    let count = try app.mails.count
    try runNext()
    #expect(try app.mails.count == count)
    #expect(change(["enabled": true]).status == .ok)
    shown = try schedule()
    #expect(shown["failures"]?.intValue == 0 && shown["ended_by"] == .null)
    #expect(shown["due_at"] != .null)
  }

  @Test func `a success ends the series of failures`() throws {
    try add()
    for _ in 0..<4 { try runNext() }
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    try runNext()
    #expect(try schedule()["failures"]?.intValue == 0)
  }

  @Test func `an unconfirmed address gets no report`() throws {
    try app.database.write {
      try $0.execute(
        "UPDATE account SET confirmed_at = NULL WHERE rowid = ?", [.integer(admin.rowid)])
    }
    try site.put(TestSchedule.list(3), as: "cameras.csv")
    let other = try app.account("other", role: .admin)
    #expect(
      app.send(.post, TestSchedule.path, json: TestSchedule.body(), as: other.identity).status
        == .created)
    try app.database.write {
      try $0.execute(
        "UPDATE import_schedule SET account_rowid = ?", [.integer(admin.rowid)])
    }
    try runNext()
    #expect(try devices() == 3)
    #expect(try app.mails.isEmpty)
  }
}
