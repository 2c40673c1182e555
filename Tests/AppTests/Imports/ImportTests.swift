@testable import App
import Foundation
import Import
import JSON
@testable import Lists
@testable import Operations
import PrivacyMap
import SpatialDatabase
import Testing

@Suite struct ImportTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let list = """
    id,name,lon,lat,model
    1,One,7.4,46.9,M1
    2,Two,7.5,46.8,
    3,Three,8.5,47.4,M3

    """
  private static func mapping(_ code: String = "test", more: String = "") throws -> ImportMapping {
    try TestApp.mapping(
      code: code,
      fields: #"""
        , "model": "model", "description": "note", "status": {"from": "status"}
        """#,
      more: more)
  }

  private func state(_ report: ImportRun.Report) throws -> String? {
    try app.text("SELECT state FROM import_run WHERE rowid = ?", [.integer(report.id ?? 0)])
  }

  @Test func `a list is imported with its source, and its run has the outcome`()
    throws
  {
    let report = try app.importCSV(Self.list, Self.mapping())

    #expect(report.added == 3 && report.rows == 3 && report.changed == 0)
    #expect(try app.get(Path.items).names == ["One", "Two", "Three"])
    let id = try #require(try app.get(Path.items).ids.first)
    let source = try app.get(Path.item(id)).json["properties"]?["source"]
    #expect(source?["licence"]?.stringValue == "CC0-1.0")
    #expect(source?["attribution"]?.stringValue == "© Test list")
    #expect(try state(report) == "done")
    #expect(try app.integer("SELECT added FROM import_run") == 3)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `importing the same list again changes nothing`() throws {
    try app.importCSV(Self.list, Self.mapping())
    let sequence = try app.sequence
    app.clock.advance(by: .seconds(86_400 * 40))

    let again = try app.importCSV(Self.list, Self.mapping())

    #expect(again.added == 0 && again.changed == 0 && again.unchanged == 3)
    #expect(try app.sequence == sequence)
    #expect(try app.integer("SELECT count(*) FROM revision") == 3)
  }

  @Test func `only differing rows are changed, and the history has their old values`() throws {
    try app.importCSV(Self.list, Self.mapping())
    let sequence = try app.sequence
    app.clock.advance(by: .seconds(60))

    let report = try app.importCSV(
      "id,name,lon,lat,model\n1,One,7.4,46.9,M2\n2,Two,7.5,46.8,\n", Self.mapping())

    #expect(report.changed == 1 && report.unchanged == 1 && report.added == 0)
    #expect(try app.sequence == sequence + 1)
    let before = try app.text("SELECT before FROM revision WHERE number = 2")
    #expect(try JSONValue(parsing: Array((before ?? "").utf8)) == ["model": "M1"])
    #expect(
      try app.text("SELECT updated_at FROM device WHERE name = 'One'") == "2026-11-21T12:01:00Z")
    #expect(
      try app.text("SELECT updated_at FROM device WHERE name = 'Two'") == "2026-11-21T12:00:00Z")
  }

  @Test func `values missing from a newer list stay known`() throws {
    try app.importCSV(Self.list, Self.mapping())
    let report = try app.importCSV("id,name,lon,lat\n1,One,7.4,46.9\n", Self.mapping())
    #expect(report.unchanged == 1)
    #expect(try app.text("SELECT model FROM device WHERE name = 'One'") == "M1")
  }

  @Test func `a dry run stores nothing`() throws {
    let sequence = try app.sequence
    let report = try app.importCSV(Self.list + "4,,1,1,\n", Self.mapping(), dryRun: true)
    #expect(report.added == 3 && report.refused == 1 && report.id == nil)
    #expect(try app.sequence == sequence)
    for table in ["device", "import_run", "import_note", "source", "revision", "device_key"] {
      #expect(try app.integer("SELECT count(*) FROM \(table)") == 0)
    }
  }

  @Test func `every row that was not plainly imported is reported with the reason`() throws {
    var reported: [(Int, String)] = []
    let report = try app.importCSV(
      """
      id,name,lon,lat,note,model,status
      1,One,7.4,46.9,,,
      2,,7,46,,,
      3,Three,999,46,,,
      4,Four,7,46,a@example.org,,

      """,
      Self.mapping()
    ) { note, row in reported.append((row, note.code)) }

    #expect(report.rows == 4 && report.added == 2 && report.refused == 2 && report.flagged == 1)
    #expect(Set(reported.map(\.0)) == [2, 3, 4], "\(reported)")
    #expect(try app.integer("SELECT count(*) FROM import_note WHERE severity = 'refused'") == 2)
    #expect(try app.integer("SELECT count(*) FROM import_note") == Int64(reported.count))
    #expect(try app.integer("SELECT count(*) FROM import_note WHERE detail LIKE '%example%'") == 0)
    #expect(report.reasons.values.reduce(0, +) == reported.count)
  }

  @Test func `a second row of the same key is refused`() throws {
    let report = try app.importCSV(Self.list + "1,Other,9,9,\n", Self.mapping())
    #expect(report.added == 3 && report.refused == 1)
    #expect(report.reasons["refused.key.same_key"] == 1)
    #expect(try app.get(Path.items).names == ["One", "Two", "Three"])
  }

  @Test func `two lists with a shared key make one device and do not alternate`() throws {
    let shared = #""also_known_as": [{"namespace": "city", "key": "{city}"}],"#
    let first = "id,name,lon,lat,model,city\n1,One,7.4,46.9,M1,77\n"
    let second = "id,name,lon,lat,model,note,city\na,Eins,7.6,46.7,X9,By the gate.,77\n"
    try app.importCSV(first, Self.mapping("first", more: shared))
    let filled = try app.importCSV(second, Self.mapping("second", more: shared))
    #expect(filled.added == 0 && filled.changed == 1)
    let sequence = try app.sequence

    for _ in 0..<2 {
      #expect(try app.importCSV(first, Self.mapping("first", more: shared)).unchanged == 1)
      #expect(try app.importCSV(second, Self.mapping("second", more: shared)).unchanged == 1)
    }

    #expect(try app.sequence == sequence)
    #expect(try app.get(Path.items).names == ["One"])
    #expect(try app.text("SELECT model FROM device") == "M1")
    #expect(try app.text("SELECT description FROM device") == "By the gate.")
    #expect(try app.get(Path.items, ["bbox": "7.4,46.9,7.4,46.9"]).matched == 1)
  }

  @Test func `a list with the status reported does not undo a confirmed status`()
    throws
  {
    try app.importCSV(Self.list, Self.mapping())
    try app.app.database.write { connection in
      try connection.execute("UPDATE device SET status = 'confirmed' WHERE name = 'One'")
    }
    #expect(try app.importCSV(Self.list, Self.mapping()).unchanged == 3)
    #expect(try app.text("SELECT status FROM device WHERE name = 'One'") == "confirmed")
  }

  @Test func `missing values are assumed from the category, and marked as assumed`() throws {
    try app.importCSV(Self.list, Self.mapping())
    let device = try #require(try app.get(Path.items, ["properties": "assumed"]).features.first)
    let collects = app.vocabulary.category("camera_fixed")?.collects ?? []
    let reported = device["properties"]?["data_collected"]?.arrayValue?.compactMap(\.stringValue)
    #expect(reported == app.vocabulary.canonical(collects, in: .data))
    #expect(device["properties"]?["assumed"] == ["data_collected"])
  }

  @Test func `a truncated file leaves a failed run that can be undone`() throws {
    let json = #"{"elements": [{"type": "node", "id": 1, "lat": 46.9, "lon": 7.4,"#
    let whole = #" "tags": {"man_made": "surveillance", "surveillance:type": "camera"}},"#
    let mapping = try ImportMapping(
      path: Repository.root.appendingPathComponent("seed/mappings/osm.json").path)
    let run = ImportRun(
      map: app.app.map, mapping: mapping, named: "osm", options: ImportRun.Options())

    #expect(throws: (any Error).self) {
      try run.run(ByteSource(bytes: Array((json + whole).utf8), name: "cut.json"))
    }

    #expect(try app.text("SELECT state FROM import_run") == "failed")
    #expect(try app.text("SELECT error FROM import_run") != nil)
    let taken = try app.integer("SELECT count(*) FROM device") ?? 0
    let id = try #require(try app.integer("SELECT rowid FROM import_run"))
    #expect(try ImportUndo(map: app.app.map).undo(id).withdrawn == Int(taken))
    #expect(try app.text("SELECT state FROM import_run") == "undone")
  }

  @Test func `many rows are imported in batches and none is lost`() throws {
    let rows = (0..<4_203).map { "\($0),Device \($0),\(Double($0 % 180)),\(Double($0 % 80))" }
    let csv = (["id,name,lon,lat"] + rows).joined(separator: "\n") + "\n"
    #expect(try app.importCSV(csv).added == 4_203)
    #expect(try app.get(Path.items).matched == 4_203)
    #expect(try app.integer("SELECT added FROM import_run") == 4_203)
    #expect(try app.importCSV(csv).unchanged == 4_203)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `an interrupted import keeps the earlier rows, and reports their number`() throws {
    let rows = (0..<4_100).map { "\($0),Device \($0),\(Double($0 % 180)),\(Double($0 % 80))" }
    let csv = (["id,name,lon,lat"] + rows).joined(separator: "\n") + "\n"
    let run = ImportRun(
      map: app.app.map, mapping: try TestApp.mapping(), named: "test", options: ImportRun.Options())
    #expect(throws: ImportFailure.self) {
      try run.run(ByteSource(bytes: Array(csv.utf8), name: "list.csv"), isWanted: { false })
    }
    #expect(try app.text("SELECT state FROM import_run") == "failed")
    let added = try #require(try app.integer("SELECT added FROM import_run"))
    #expect((1_000..<4_100).contains(added))
    #expect(try app.integer("SELECT count(*) FROM device") == added)
  }

  /// The error of an import of rows of which one in `every` has a position. No list has a million rows here.
  private func error(rows: Int, goodIn every: Int) throws -> String? {
    let lines = (1...rows).map { row in
      "\(row),Device \(row),\(row.isMultiple(of: every) ? "7.4,46.9" : "200,46.9")\n"
    }
    var options = ImportRun.Options()
    options.isDryRun = true
    options.firstRefusals = 200
    let run = ImportRun(
      map: app.app.map, mapping: try TestApp.mapping(), named: "test", options: options)
    let csv = "id,name,lon,lat\n" + lines.joined()
    do {
      _ = try run.run(ByteSource(bytes: Array(csv.utf8), name: "list.csv"))
      return nil
    } catch let failure as ImportFailure { return "\(failure)" }
  }

  @Test func `a file whose rows are nearly all refused is not read to its end`() throws {
    #expect(try error(rows: 199, goodIn: 1_000) == nil)
    #expect(
      try error(rows: 5_000, goodIn: 1_000)
        == "row 200: 200 rows were refused and 0 accepted; the file does not suit the mapping")
    #expect(try error(rows: 5_000, goodIn: 50) == nil)
    // With devices of the source, the file is read once before.
    try app.importCSV(Self.list)
    #expect(try error(rows: 5_000, goodIn: 1_000) != nil)
  }

  @Test func `a file of OpenStreetMap may have few devices`() throws {
    // Guards are people.
    let tags = #"{"man_made": "surveillance", "surveillance:type": "guard"}"#
    let nodes = (1...500).map {
      #"{"type": "node", "id": \#($0), "lat": 46.9, "lon": 7.4, "tags": \#(tags)}"#
    }
    let json = #"{"elements": ["# + nodes.joined(separator: ",") + "]}"
    var options = ImportRun.Options()
    options.firstRefusals = 200
    let mapping = try ImportMapping(
      path: Repository.root.appendingPathComponent("seed/mappings/osm.json").path)
    let run = ImportRun(map: app.app.map, mapping: mapping, named: "osm", options: options)
    let report = try run.run(ByteSource(bytes: Array(json.utf8), name: "list.json"))
    #expect(report.refused == 500)
  }
}
