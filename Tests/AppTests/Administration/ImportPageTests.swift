@testable import App
@testable import Devices
import Import
import JSON
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import WebServer

/// The requests of the page of one import.
@Suite struct ImportPageTests {
  let app: TestApp
  let admin: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
  }

  private static let list =
    "id,name,lon,lat,h\n1,One,7.4,46.9,3\n2,Two,7.5,46.8,high\n3,Three,7.6,46.7,4\n"

  @discardableResult
  private func importList(_ csv: String = list, dryRun: Bool = false) throws -> ImportRun.Report {
    try app.importCSV(csv, TestApp.mapping(fields: #", "height": "h""#), dryRun: dryRun)
  }

  private func get(_ path: String, _ query: TestApp.Parameters = [:]) throws -> JSONValue {
    try app.get("/api/admin/imports/\(path)", query, as: admin.identity).json
  }

  private func names(_ json: JSONValue) -> [String] {
    (json["devices"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
  }

  @Test func `a note on a flagged row names the device that the row became`() throws {
    try importList()
    let notes = try get("1")["notes"]?.arrayValue ?? []
    #expect(notes.count == 1 && notes.first?["severity"]?.stringValue == "flagged")
    let device = try app.text("SELECT id FROM device WHERE name = 'Two'")
    #expect(notes.first?["device"]?.stringValue == device)
  }

  @Test func `a refused row and a dry run name no device`() throws {
    let csv = "id,name,lon,lat,h\n1,One,999,46.9,3\n2,Two,7.5,46.8,high\n"
    let report = try importList(csv)
    #expect(report.refused == 1)
    let refused = (try get("1")["notes"]?.arrayValue ?? []).filter {
      $0["severity"]?.stringValue == "refused"
    }
    #expect(refused.count == 1 && refused.first?["device"]?.isNull == true)
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO import_run (file, mapping, state, started_at, dry_run)
        VALUES ('list.csv', 'test', 'running', '2026-11-21T12:00:00Z', 1)
        """)
    }
    var options = ImportRun.Options()
    (options.isDryRun, options.run) = (true, 2)
    let mapping = try TestApp.mapping(fields: #", "height": "h""#)
    _ = try ImportRun(map: app.app.map, mapping: mapping, named: "test", options: options)
      .run(ByteSource(bytes: Array(csv.utf8), name: "list.csv"))
    let notes = try get("2")["notes"]?.arrayValue ?? []
    #expect(notes.count == 2)
    #expect(notes.allSatisfy { $0["device"]?.isNull == true })
    #expect(try get("2")["has_mapping"]?.boolValue == true)
  }

  @Test func `the note on a device is deleted with the device`() throws {
    try importList()
    try app.database.write { connection in
      try connection.execute("DELETE FROM device WHERE name = 'One'")
      #expect(try connection.integer("SELECT count(*) FROM import_note") == 1)
      try connection.execute("DELETE FROM device WHERE name = 'Two'")
      #expect(try connection.integer("SELECT count(*) FROM import_note") == 0)
    }
  }

  @Test func `the mapping of an import is complete, with the source that was chosen for it`() throws
  {
    var options = ImportRun.Options()
    (options.sourceName, options.licence) = ("My list", "CC-BY-4.0")
    let child: JSONValue = ["extends": "base.json", "fields": ["description": "text"]]
    let base: JSONValue = [
      "source": [
        "code": "base", "name": "Base", "licence": "CC0-1.0", "attribution": "© Base",
      ], "key": "{id}",
      "fields": [
        "longitude": "lon", "latitude": "lat", "category": "camera_fixed", "name": "name",
      ],
    ]
    let mapping = try ImportMapping(child) { _ in base }
    _ = try ImportRun(map: app.app.map, mapping: mapping, named: "child", options: options)
      .run(ByteSource(bytes: Array(Self.list.utf8), name: "list.csv"))
    let report = try get("1")
    #expect(report["has_mapping"]?.boolValue == true)
    #expect(report["bytes"]?.intValue == Self.list.utf8.count)
    let used = try get("1/mapping")
    #expect(used["extends"] == nil)
    #expect(used["source"]?["name"]?.stringValue == "My list")
    #expect(used["source"]?["licence"]?.stringValue == "CC-BY-4.0")
    #expect(used["source"]?["code"]?.stringValue == "base")
    #expect(used["fields"]?["description"]?.stringValue == "text")
    #expect(used["fields"]?["category"]?.stringValue == "camera_fixed")
    // It can be used again.
    #expect(try ImportMapping(used).source.licence == "CC-BY-4.0")
  }

  @Test func `an import from before mappings were kept has no mapping`() throws {
    try importList()
    try app.database.write { try $0.execute("UPDATE import_run SET mapping_file = NULL") }
    #expect(try get("1")["has_mapping"]?.boolValue == false)
    #expect(app.get("/api/admin/imports/1/mapping", as: admin.identity).status == .notFound)
    #expect(app.get("/api/admin/imports/9/mapping", as: admin.identity).status == .notFound)
  }

  @Test func `the devices of an import are listed in pages, with what happened to them`() throws {
    try app.device(name: "Another")
    try importList()
    let first = try get("1/devices", ["limit": "2"])
    #expect(names(first) == ["One", "Two"])
    #expect(first["devices"]?[1]?["flagged"]?.boolValue == true)
    #expect(first["devices"]?[0]?["flagged"]?.boolValue == false)
    #expect(first["devices"]?[0]?["added"]?.boolValue == true)
    let second = try get("1/devices", ["limit": "2", "cursor": first["next"]?.stringValue ?? ""])
    #expect(names(second) == ["Three"])
    #expect(second["next"]?.isNull == true)
    // A newer list that changes one device.
    try importList(Self.list.replacing("Three", with: "Third"))
    let newer = try get("2/devices")
    #expect(names(newer) == ["Third"])
    #expect(newer["devices"]?[0]?["added"]?.boolValue == false)
  }

  @Test func `the small map counts what happened to the devices since`() throws {
    try importList()
    let before = try get("1/map")
    #expect(before["shown"]?.intValue == 3 && before["hidden"]?.intValue == 0)
    #expect(before["edited"]?.intValue == 0 && before["withdrawable"]?.intValue == 3)
    #expect(before["flagged"]?.intValue == 1)
    #expect(Set(names(before)) == ["One", "Two", "Three"])
    let one = TestDevice(
      rowid: try app.integer("SELECT rowid FROM device WHERE name = 'One'") ?? 0,
      id: try app.text("SELECT id FROM device WHERE name = 'One'") ?? "")
    try app.edit(one, by: try app.account("ana"), "name", "Uno")
    let edited = try get("1/map")
    #expect(edited["edited"]?.intValue == 1 && edited["withdrawable"]?.intValue == 2)
    _ = try ImportUndo(map: app.app.map).undo(1)
    let after = try get("1/map")
    #expect(after["shown"]?.intValue == 1 && after["hidden"]?.intValue == 2)
    #expect(names(after) == ["Uno"])
  }

  @Test func `the small map of a long list has devices of all its parts and all flagged ones`()
    throws
  {
    var csv = "id,name,lon,lat,h\n"
    for number in 1...4_000 {
      csv += "\(number),N\(number),\(Double(number) / 100),46.9,\(number == 3_999 ? "high" : "3")\n"
    }
    try importList(csv)
    let map = try get("1/map")
    let devices = map["devices"]?.arrayValue ?? []
    #expect(map["shown"]?.intValue == 4_000)
    #expect((1_000...1_501).contains(devices.count))
    let longitudes = devices.compactMap { $0["longitude"]?.numberValue }
    #expect((longitudes.min() ?? 99) < 0.1 && (longitudes.max() ?? 0) > 39.9)
    #expect(devices.filter { $0["flagged"]?.boolValue == true }.count == 1)
    #expect(Set(devices.compactMap { $0["id"]?.stringValue }).count == devices.count)
  }

  @Test func `an undone import says who undid it, why and what became of its devices`() throws {
    try importList()
    #expect(try get("1")["undo"]?.isNull == true)
    let undone = app.send(
      .post, "/api/admin/imports/1/undo", json: ["reason": "Wrong list"], as: admin.identity)
    #expect(undone.status == .accepted)
    app.app.imports.worker.rest()
    let undo = try get("1")["undo"]
    #expect(undo?["by"]?.stringValue == "root" && undo?["by_command"]?.boolValue == false)
    #expect(undo?["reason"]?.stringValue == "Wrong list")
    #expect(undo?["withdrawn"]?.intValue == 3)
    #expect(undo?["restored"]?.intValue == 0 && undo?["kept"]?.intValue == 0)
  }

  @Test func `an undo on the command line is logged as one`() throws {
    try importList()
    _ = try ImportUndo(map: app.app.map).undo(1, by: AuditStore.commandLine)
    let undo = try get("1")["undo"]
    #expect(undo?["by"]?.isNull == true && undo?["by_command"]?.boolValue == true)
    #expect(try app.audit().last?[0] == "undo_import")
  }

  @Test(arguments: ["mapping", "devices", "map"])
  func `only admins read about an import, and only about one that exists`(part: String) throws {
    try importList()
    let moderator = try app.account("mod", role: .moderator)
    let path = "/api/admin/imports/1/\(part)"
    #expect(app.get(path, as: moderator.identity).status == .forbidden)
    #expect(app.get(path).status == .unauthorized)
    #expect(app.get(path, as: admin.identity).status == .ok)
    for id in ["9", "x", "0"] {
      #expect(
        app.get("/api/admin/imports/\(id)/\(part)", as: admin.identity).status == .notFound)
    }
  }

  @Test func `the page of an import opens with any number`() throws {
    let page = app.get("/admin/imports/12")
    #expect(page.status == .ok)
    #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true)
    #expect(app.get("/admin/imports/new").status == .ok)
  }
}
