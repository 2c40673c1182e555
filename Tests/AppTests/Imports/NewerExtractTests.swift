@testable import App
import Downloads
import Foundation
import Import
import JSON
@testable import Lists
import PrivacyMap
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// A newer extract of a list: new, changed, redrawn and missing elements.
@Suite struct NewerExtractTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let list = """
    id,name,lon,lat,note
    1,One,7.40,46.90,
    2,Two,7.45,46.95,
    3,Three,7.50,47.00,
    4,Four,8.00,47.50,

    """

  private static func mapping(_ more: String = #""match_within": 10, "covers": "area","#) throws
    -> ImportMapping
  {
    try TestApp.mapping(fields: #", "description": "note""#, more: more)
  }

  @discardableResult
  private func take(_ rows: String..., dryRun: Bool = false) throws -> ImportRun.Report {
    let lines = rows.map { $0 + "\n" }.joined()
    return try app.importCSV("id,name,lon,lat,note\n" + lines, Self.mapping(), dryRun: dryRun)
  }

  private func keys(_ name: String) throws -> [String] {
    try app.database.read { connection in
      try connection.rows(
        """
        SELECT key FROM device_key
        WHERE device_rowid = (SELECT rowid FROM device WHERE name = ?) ORDER BY key
        """, [.text(name)]
      ) { $0.text(0) }
    }
  }

  /// Degrees of latitude for a number of metres.
  private static func north(_ metres: Double) -> Double { metres * 180 / (.pi * Earth.meanRadius) }

  @Test func `a record under a new id is matched by position, and its history continues`() throws {
    try take("1,One,7.4,46.9,", "2,Two,7.5,46.8,")
    let before = try app.get(Path.items).ids
    let report = try take("9,One,7.40003,46.9,", "2,Two,7.5,46.8,")
    #expect(report.added == 0 && report.changed == 1 && report.unchanged == 1)
    #expect(report.matched == 1 && report.gone == 0)
    #expect(try app.get(Path.items).ids == before)
    #expect(try keys("One") == ["9"])
    #expect(try app.text("SELECT source_key FROM device WHERE name = 'One'") == "9")
    let again = try take("9,One,7.40003,46.9,", "2,Two,7.5,46.8,")
    #expect(again.unchanged == 2 && again.matched == 0 && again.gone == 0)
  }

  @Test(arguments: [(9.9, 1), (10.1, 0)])
  func `the maximum distance is that of the mapping`(metres: Double, matched: Int) throws {
    try take("1,One,7.4,46.9,")
    let report = try take("9,One,7.4,\(46.9 + Self.north(metres)),")
    #expect(report.matched == matched && report.added == 1 - matched)
  }

  @Test func `each of many devices at one position is matched`() throws {
    func rows(from first: Int) -> String {
      (0..<40).map { "\(first + $0),Gate \($0),7.4,46.9," }.joined(separator: "\n")
    }
    try take(rows(from: 1))
    let report = try take(rows(from: 101))
    #expect(report.matched == 40 && report.added == 0 && report.gone == 0)
  }

  @Test func `devices on one pole that a list distinguishes stay separate`() throws {
    try take("1,One,7.4,46.9,")
    let report = try take("1,One,7.4,46.9,", "2,Two,7.4,46.9,", "3,Three,7.4,46.9,")
    #expect(report.added == 2 && report.unchanged == 1 && report.matched == 0)
    let redrawn = try take("7,One,7.4,46.9,", "8,Two,7.4,46.9,", "9,Three,7.4,46.9,")
    #expect(redrawn.added == 0 && redrawn.matched == 3 && redrawn.gone == 0)
    #expect(try app.get(Path.items).matched == 3)
  }

  @Test func `a nearby device of a person is completed, and stays theirs`() throws {
    try app.device(name: "Mine", longitude: 7.4, latitude: 46.9)
    let report = try take("1,One,7.4,46.9,By the gate.", "2,Two,7.4,46.9,")
    #expect(report.matched == 1 && report.changed == 1 && report.added == 1)
    #expect(try app.get(Path.items).names == ["Mine", "Two"])
    #expect(try app.text("SELECT description FROM device WHERE name = 'Mine'") == "By the gate.")
    #expect(try app.integer("SELECT source_rowid FROM device WHERE name = 'Mine'") == nil)
    #expect(try take("1,One,7.4,46.9,By the gate.", "2,Two,7.4,46.9,").unchanged == 2)
  }

  @Test func `another kind, a coarse, a hidden or a removed device is not matched`() throws {
    try app.device(.webcam, longitude: 7.4, latitude: 46.9)
    try app.device(longitude: 7.4, latitude: 46.9, precision: .hundredMetres)
    try app.hide(try app.device(longitude: 7.4, latitude: 46.9))
    try app.device(longitude: 7.4, latitude: 46.9) { $0.status = .removed }
    let report = try take("1,One,7.4,46.9,")
    #expect(report.matched == 0 && report.added == 1)
  }

  @Test func `without the rule no device is matched by position`() throws {
    try app.importCSV(Self.list, Self.mapping(""))
    let report = try app.importCSV("id,name,lon,lat\n9,One,7.4,46.9\n", Self.mapping(""))
    #expect(report.added == 1 && report.matched == 0)
  }

  @Test func `devices missing from the file are reported and left unchanged`() throws {
    try app.importCSV(Self.list, Self.mapping())
    let sequence = try app.sequence
    let report = try take("1,One,7.4,46.9,", "3,Three,7.5,47.0,")
    // Four are outside the area of the file.
    #expect(report.gone == 1 && report.unchanged == 2)
    #expect(try app.sequence == sequence)
    #expect(try app.get(Path.items).names == ["One", "Two", "Three", "Four"])
    let admin = try app.account("root", role: .admin)
    let path = "/api/admin/imports/\(try #require(report.id))"
    let reported = try app.get(path, as: admin.identity).json
    #expect(reported["gone"] == 1 && reported["matched"] == 0)
    #expect(reported["gone_devices"]?.arrayValue?.map { $0["name"]?.stringValue } == ["Two"])
    let first = try app.get("/api/admin/imports/1", as: admin.identity).json
    #expect(first["gone"] == 0 && first["gone_devices"] == [])
  }

  @Test func `refused rows count as present, removed and foreign ones not as missing`() throws {
    try app.importCSV(Self.list, Self.mapping())
    try app.importCSV(
      "id,name,lon,lat\nx,Other,7.45,46.91\n", TestApp.mapping(code: "other"))
    try app.device(longitude: 7.45, latitude: 46.92)
    let refused = try take("1,One,7.4,46.9,", "2,,7.45,46.95,", "3,Three,7.5,47.0,")
    #expect(refused.refused == 1 && refused.gone == 0)
    try app.database.write { connection in
      try connection.execute("UPDATE device SET status = 'removed' WHERE name = 'Two'")
    }
    #expect(try take("1,One,7.4,46.9,", "3,Three,7.5,47.0,").gone == 0)
  }

  @Test func `a dry run reports the same and changes nothing`() throws {
    try app.importCSV(Self.list, Self.mapping())
    let sequence = try app.sequence
    let rows = ["9,One,7.40003,46.9,", "3,Three,7.5,47.0,", "5,Five,7.41,46.91,"]
    let trial = try take(rows[0], rows[1], rows[2], dryRun: true)
    #expect(trial.added == 1 && trial.changed == 1 && trial.unchanged == 1)
    #expect(trial.matched == 1 && trial.gone == 1)
    #expect(try app.sequence == sequence)
    #expect(try keys("One") == ["1"])
    let real = try take(rows[0], rows[1], rows[2])
    #expect(real.added == 1 && real.matched == 1 && real.gone == 1)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the devices of a source are read with an index`() throws {
    try app.importCSV(Self.list, Self.mapping())
    try app.database.read { connection in
      let plan = try connection.explain(
        KnownDeviceStore.standing, [1, 0, 1_000]
      ).joined(separator: "\n")
      #expect(plan.contains("device_by_source"), "\(plan)")
    }
  }
}

/// The cameras of Switzerland in OpenStreetMap, and possible later edits of mappers.
@Suite struct NewerOpenStreetMapTests {
  let app: TestApp
  private let mapping: ImportMapping

  init() throws {
    app = try TestApp()
    let folder = Repository.root.appendingPathComponent("seed/mappings")
    mapping = try ImportMapping(
      path: folder.appendingPathComponent("osm-surveillance-switzerland.json").path)
  }

  /// The first elements of the list.
  private static func elements() throws -> [JSONValue] {
    let file = Repository.root
      .appendingPathComponent("seed/sample/osm-surveillance-switzerland/cameras.json.gz")
    var bytes: [UInt8] = []
    try ByteSource(path: file.path).forEachPiece { piece in
      bytes += piece
      return true
    }
    return Array((try JSONValue(parsing: bytes).arrayValue ?? []).prefix(400))
  }

  private func take(_ elements: [JSONValue]) throws -> ImportRun.Report {
    var json = JSONWriter()
    json.value(.array(elements))
    return try ImportRun(
      map: app.app.map, mapping: mapping, named: "osm-surveillance-switzerland",
      options: ImportRun.Options()
    ).run(ByteSource(bytes: json.bytes, name: "cameras.json"))
  }

  @Test func `a newer extract reports added, changed, redrawn and missing devices`() throws {
    var elements = try Self.elements()
    let first = try take(elements)
    #expect(first.added > 390 && first.gone == 0 && first.matched == 0)
    #expect(try take(elements).unchanged == first.added)

    let cameras = elements.indices.filter {
      elements[$0]["tags"]?["surveillance:type"] == "camera"
        && elements[$0]["tags"]?["surveillance:zone"]?.stringValue.map { $0 != "bank" } == true
    }
    try #require(cameras.count > 10)
    let (changed, redrawn) = (cameras[0], cameras[1])
    let gone = cameras[4...6]
    elements[changed] = try Self.setting(elements[changed], "tags") { tags in
      var tags = tags.objectValue ?? JSONObject()
      tags["surveillance:zone"] = "bank"
      return .object(tags)
    }
    let before = elements[redrawn]["id"]?.intValue ?? 0
    elements[redrawn] = try Self.setting(elements[redrawn], "id") { _ in 99_000_000_001 }
    elements[redrawn] = try Self.setting(elements[redrawn], "lat") {
      .double(($0.numberValue ?? 0) + 0.000_03)
    }
    var added = try Self.setting(elements[changed], "id") { _ in 99_000_000_002 }
    added = try Self.setting(added, "lat") { .double(($0.numberValue ?? 0) + 0.001) }
    let missing = gone.compactMap { elements[$0]["id"]?.intValue }
    elements = elements.enumerated().filter { !gone.contains($0.offset) }.map(\.element) + [added]

    for _ in 0..<2 {
      let dry = try app.sequence
      let report = try take(elements)
      #expect(report.gone == 3)
      guard report.added > 0 else {
        #expect(report.unchanged == first.added - 2 && report.changed == 0)
        #expect(try app.sequence == dry)
        continue
      }
      #expect(report.added == 1 && report.changed == 2 && report.matched == 1)
      #expect(report.unchanged == first.added - 5)
    }
    let reported = try app.database.read { connection in
      try connection.rows(
        """
        SELECT source_key FROM import_gone JOIN device ON device.rowid = device_rowid
        WHERE import_rowid = (SELECT max(rowid) FROM import_run)
        """
      ) { $0.text(0) }
    }
    #expect(Set(reported) == Set(missing.map { "node/\($0)" }))
    let file = app.export(.osmJSON).text
    #expect(file.contains("99000000001"))
    #expect(!file.contains("\"id\":\(before),"))
  }

  private static func setting(
    _ element: JSONValue, _ name: String, _ change: (JSONValue) throws -> JSONValue
  ) throws -> JSONValue {
    var object = try #require(element.objectValue)
    object[name] = try change(object[name] ?? .null)
    return .object(object)
  }
}
