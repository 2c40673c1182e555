@testable import App
@testable import Devices
import Foundation
import Import
import JSON
import Locking
import PrivacyMap
@testable import Downloads
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// `/api/exports`: all devices of a filter in one file.
@Suite struct ExportTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let forms: [ExportFormat] = [.csv, .geojson, .geojsons, .geojsonl]

  /// The ids of the devices of an export.
  private func ids(_ format: ExportFormat, _ answer: TestAnswer) throws -> [String] {
    func id(_ text: Substring) throws -> String {
      try #require(try JSONValue(parsing: Array(text.utf8))["id"]?.stringValue)
    }
    return switch format {
    case .csv: try TestTable(answer.bytes).column("id")
    case .geojson: try answer.ids
    case .geojsons: try answer.text.split(separator: "\u{1E}").map(id)
    default: try answer.text.split(separator: "\n").map(id)
    }
  }

  @Test(arguments: Self.forms)
  func `every format has all devices, in order of addition`(format: ExportFormat) throws {
    let added = try (0..<5).map { try app.device(name: "Device \($0)", longitude: Double($0)) }
    let answer = app.export(format)
    #expect(answer.status == .ok)
    #expect(answer.headers["OGC-NumberMatched"] == "5")
    #expect(try ids(format, answer) == added.map(\.id))
  }

  @Test(
    arguments: [
      ["category": "alpr"], ["bbox": "-1,-1,1,1"], ["q": "gate"], ["operator": "City of X"],
      ["status": "removed"], ["country": "PT"], ["datetime": "2026-01-01T00:00:00Z/.."],
      ["category": "alpr,microphone", "q": "gate"], ["operator_kind": "public"],
    ] as [[String: String]])
  func `an export has the devices of its filter's list`(query: [String: String]) throws {
    _ = try RandomWorld(app, count: 300)
    try app.device(.alpr, name: "Gate of X") {
      $0.answersFor = Operator(name: "City of X", kind: .public)
    }
    let text = query.map { "\($0.key)=\($0.value.replacing(" ", with: "%20"))" }.sorted()
      .joined(separator: "&")
    let list = try app.send(target: "\(Path.items)?\(text)&limit=10000").ids
    for format in Self.forms {
      let answer = app.send(target: "\(TestApp.exportPath(format))?\(text)")
      #expect(try ids(format, answer).sorted() == list.sorted(), "\(format)")
      #expect(answer.headers["OGC-NumberMatched"] == "\(list.count)")
    }
  }

  @Test func `an unknown operator has the kind unknown in filters, exports and statistics`() throws
  {
    try app.device(name: "Nobody")
    try app.device(name: "City") { $0.answersFor = Operator(name: "City", kind: .public) }
    #expect(try app.table().column("operator_kind") == ["unknown", "public"])
    #expect(try app.get(Path.items, ["operator_kind": "unknown"]).names == ["Nobody"])
    #expect(try app.get(Path.items, ["filter": "operator_kind = 'unknown'"]).names == ["Nobody"])
    let groups = try app.get("/api/statistics", ["group_by": "operator_kind"]).json["groups"]
    #expect(groups?.arrayValue?.map { $0["operator_kind"] } == ["public", "unknown"])
  }

  @Test func `a command that does not count the devices first learns how many it wrote`() throws {
    let shown = try (0..<3).map { try app.device(name: "Device \($0)", longitude: Double($0)) }
    try app.hide(app.device(name: "Hidden"))
    try app.device(name: "Gone") { $0.status = .removed }
    var configuration = Database.Configuration()
    configuration.readOnly = true
    let database = try TestEngine.open(
      app.folder.appendingPathComponent("farol.db").path, configuration)
    defer { try? database.close() }
    let exports = try DeviceExports(
      reading: database, seed: Repository.root.appendingPathComponent("seed"), places: "",
      settings: InstanceSettings(), base: TestApp.address, environment: app.environment)
    for format in Self.forms {
      let written = Locked(0)
      var bytes: [UInt8] = []
      let export = try exports.open(format, text: "")
      try export.write(reported: { count in written.withLock { $0 = count } }) { bytes += $0 }
      #expect(written.withLock { $0 } == shown.count, "\(format)")
      #expect(export.total >= shown.count)
      if format == .csv { #expect(try TestTable(bytes).column("id") == shown.map(\.id)) }
      if format == .geojson {
        #expect(try JSONValue(parsing: bytes)["numberMatched"]?.intValue == 3)
      }
    }
  }

  @Test func `a filter without matches gives an empty file`() throws {
    try app.device()
    #expect(app.table(["category": "toy"]).records.isEmpty)
    #expect(try app.export(.geojson, ["category": "toy"]).features.isEmpty)
    #expect(app.export(.geojsonl, ["category": "toy"]).bytes.isEmpty)
  }

  @Test func `hidden and removed devices are in no export`() throws {
    try app.hide(try app.device(name: "Hidden"))
    try app.device(name: "Removed") { $0.status = .removed }
    try app.device(name: "There")
    for format in ExportFormat.allCases where format != .gpkg {
      #expect(!app.export(format).text.contains("Hidden"), "\(format)")
      #expect(!app.export(format).text.contains("Removed"), "\(format)")
    }
    #expect(try app.table(["status": "removed"]).column("name") == ["Removed"])
  }

  @Test func `a coarse record has its public point, and no details`() throws {
    let mapping = try TestApp.mapping(fields: #", "precision": {"value": "1km"}"#)
    try app.importCSV(
      "id,name,lon,lat,surveillance\nsecret-7,Hut,7.43217,46.94321,public\n", mapping)
    for format in Self.forms {
      let text = app.export(format).text
      #expect(!text.contains("secret-7"), "\(format)")
      #expect(!text.contains("7.43217") && !text.contains("46.94321"), "\(format)")
      #expect(!text.contains("surveillance"), "\(format)")
    }
    #expect(app.export(.osm).headers["OGC-NumberMatched"] == "0")
  }

  @Test func `retained columns that are not public are in no format`() throws {
    try app.importCSV("id,name,lon,lat,phone,ele\n1,Cam,7,46,+41 31 000 00 00,540\n")
    for format in Self.forms {
      #expect(!app.export(format).text.contains("000 00 00"), "\(format)")
      #expect(app.export(format).text.contains("540"), "\(format)")
    }
  }

  @Test func `a table ends its lines with CR LF and describes itself in the header`() throws {
    try app.device(name: "A, \"B\"")
    let answer = app.export(.csv)
    #expect(answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present")
    #expect(
      answer.headers["Content-Disposition"] == "attachment; filename=\"devices-2026-11-21.csv\"")
    #expect(answer.text.hasPrefix("id,longitude,latitude,name,"))
    #expect(answer.text.hasSuffix("\r\n"))
    #expect(try app.table().column("name") == ["A, \"B\""])
    #expect(app.table().records.allSatisfy { $0.count == FlatColumn.all.count })
  }

  @Test func `a name that is a formula is escaped, a negative longitude is not`() throws {
    try app.device(name: "=HYPERLINK(0)", longitude: -16.9)
    #expect(try app.table().column("name") == ["'=HYPERLINK(0)"])
    #expect(try app.table().column("longitude") == ["-16.9"])
  }

  @Test func `every record names its source, licence and attribution`() throws {
    try app.importCSV("id,name,lon,lat\n1,Imported,7,46\n")
    try app.device(name: "Added here")
    let table = app.table()
    #expect(try table.column("source") == ["Test list", "Farol"])
    #expect(try table.column("licence") == ["CC0-1.0", "ODbL-1.0"])
    #expect(try table.column("attribution") == ["© Test list", "Contributors of Farol"])
    let licences = try app.export(.geojsonl).text.split(separator: "\n").map {
      try JSONValue(parsing: Array($0.utf8))["properties"]?["source"]?["licence"]?.stringValue
    }
    #expect(licences == ["CC0-1.0", "ODbL-1.0"])
  }

  @Test func `records are separated by licence`() throws {
    try app.importCSV("id,name,lon,lat\n1,Imported,7,46\n")
    try app.device(name: "Added here")
    #expect(try app.table(["licence": "CC0-1.0"]).column("name") == ["Imported"])
    #expect(try app.table(["licence": "ODbL-1.0"]).column("name") == ["Added here"])
    #expect(app.table(["licence": "CC0-1.0", "licence": "ODbL-1.0"]).records.count == 2)
    #expect(app.table(["licence": "MIT"]).records.isEmpty)
    #expect(try app.get(Path.items, ["licence": "CC0-1.0"]).names == ["Imported"])
    #expect(app.get(Path.items, ["licence": ""]).status == .badRequest)
  }

  @Test func `a collection states its operator, time and query`() throws {
    try app.importCSV("id,name,lon,lat\n1,Imported,7,46\n")
    try app.device(name: "Added here", longitude: 100)
    let json = try app.export(.geojson, ["bbox": "6,45,8,47"]).json
    #expect(json["timeStamp"]?.stringValue == "2026-11-21T12:00:00Z")
    #expect(
      json["query"]?.stringValue
        == "http://farol.example/api/exports/devices.geojson?bbox=6,45,8,47")
    // Only the sources in the export must be credited.
    #expect(json["licence"]?.stringValue == "CC0-1.0")
    #expect(json["attribution"]?.stringValue == "© Test list")
    #expect(json["numberMatched"]?.intValue == 1)
  }

  @Test func `the description of the table names every column and every licence`() throws {
    try app.importCSV("id,name,lon,lat\n1,Imported,7,46\n")
    let link = try #require(app.export(.csv).headers.values("Link").last)
    #expect(link.contains("csv-metadata.json") && link.contains("rel=\"describedby\""))
    let json = try app.get("/api/exports/devices.csv-metadata.json").json
    let names = json["tableSchema"]?["columns"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
    #expect(names == app.table().header)
    #expect(json["dc:license"]?.stringValue == "ODbL-1.0, CC0-1.0")
  }

  @Test func `an unchanged export returns 304`() throws {
    try app.device()
    let tag = try #require(app.export(.csv).headers["ETag"])
    #expect(
      app.get(TestApp.exportPath(.csv), headers: ["If-None-Match": tag]).status == .notModified)
    try app.device()
    #expect(app.get(TestApp.exportPath(.csv), headers: ["If-None-Match": tag]).status == .ok)
  }

  @Test(arguments: ExportFormat.allCases)
  func `an invalid filter is refused before anything is sent`(format: ExportFormat) throws {
    let answer = app.export(format, ["bbox": "1,2,3"])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["bbox"])
    #expect(app.export(format, ["limit": "3"]).status == .badRequest)
  }

  @Test func `HEAD has the number of devices`() throws {
    try app.device()
    let answer = app.send(.head, TestApp.exportPath(.csv))
    #expect(answer.headers["OGC-NumberMatched"] == "1")
    #expect(answer.bytes.isEmpty)
  }

  @Test func `writes during an export are not in it`() throws {
    let before = try app.device(name: "Before")
    let export = try exports.open(.csv, Request(.get, "/").query)
    try app.device(name: "After")
    try app.edit(before) { $0.columns.append(("name", "Changed")) }
    var bytes: [UInt8] = []
    try export.write { bytes += $0 }
    #expect(try TestTable(bytes).column("name") == ["Before"])
    #expect(try app.table().column("name") == ["Changed", "After"])
  }

  @Test func `the number of open exports is limited, and one more waits`() throws {
    var open = try (0..<4).map { _ in try exports.open(.csv, Request(.get, "/").query) }
    let refused = app.export(.csv)
    #expect(refused.status == .serviceUnavailable)
    #expect(refused.headers["Retry-After"] == "5")
    open.removeLast()
    #expect(app.export(.csv).status == .ok)
    // Quick reads do not wait for them.
    #expect(app.get(Path.items).status == .ok)
    #expect(open.count == 3)
  }

  /// The pool of exports, as in the program.
  private var exports: DeviceExports { get throws { try app.app.instance.part() } }

  @Test func `an export cannot read true points`() throws {
    try app.device()
    let snapshot = try app.database.snapshot(limit: .seconds(5))
    #expect(throws: DatabaseFault.self) {
      try snapshot.read { try $0.integer("SELECT count(longitude) FROM device_location") }
    }
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `all devices are read in one pass in table order`() throws {
    _ = try RandomWorld(app, count: 200)
    try app.database.read { connection in
      let sql = "\(FlatSelection().sql) WHERE \(ExportedDevices.standing(3))"
      let plan = try connection.explain(sql, ["reported", "confirmed", "disputed"])
      #expect(plan.contains { $0 == "SCAN device" }, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      for sql in [DeviceKeyStore.inOrder, DeviceTags.fromRow] {
        let plan = try connection.explain(sql, [0])
        #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
      }
    }
  }

  @Test func `keys of other registers are included with their device`() throws {
    try app.device(name: "None")
    try app.importCSV("id,name,lon,lat\na,One,7,46\nb,Two,8,47\n")
    for _ in 0..<80 { try app.device(name: "None") }
    try app.importCSV("id,name,lon,lat\nc,Three,9,48\n")
    let table = app.table()
    let named = Array(zip(try table.column("name"), try table.column("refs")))
    #expect(named.filter { $0.0 != "None" }.map(\.1) == ["test:a", "test:b", "test:c"])
    #expect(named.filter { $0.0 == "None" }.allSatisfy { $0.1.isEmpty })
    // Distant rows are reached by seeking.
    #expect(try app.table(["licence": "CC0-1.0"]).column("refs") == ["test:a", "test:b", "test:c"])
  }
}
