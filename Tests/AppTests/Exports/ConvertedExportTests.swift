@testable import App
import Import
import JSON
@testable import Downloads
@testable import Service
import Testing
import WebServer
import WrittenValues

/// Exports that `farol-formats` writes, read back with the same program.
@Suite struct ConvertedExportTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    let world = try RandomWorld(app, count: 80)
    #expect(!world.entries.isEmpty)
  }

  private func rows(_ answer: TestAnswer, _ name: String, layer: String) throws -> [JSONObject] {
    try #require(answer.status == .ok, "\(answer.text)")
    var options = ImportReader.Options()
    options.layer = layer
    var rows: [JSONObject] = []
    try ImportReader(ByteSource(bytes: answer.bytes, name: name), options: options).forEachRow {
      var columns = $0.columns
      if case .point(let longitude, let latitude) = $0.place {
        columns["longitude"] = .double(longitude)
        columns["latitude"] = .double(latitude)
      }
      rows.append(columns)
    }
    return rows
  }

  /// Whether a value equals the value of a cell of the CSV file.
  private static func isAlike(_ cell: String, _ value: JSONValue?) -> Bool {
    switch value {
    case nil, .null: cell.isEmpty
    case .bool(let flag): cell == String(flag)
    case .integer, .double:
      // A workbook knows only one kind of number.
      Double(cell).map { abs($0 - (value?.numberValue ?? .nan)) < 1e-9 } ?? false
    // A workbook has no time zone.
    case .string(let text): text == cell || text + "Z" == cell || "'" + text == cell
    case .array, .object: false
    }
  }

  @Test(arguments: [ExportFormat.flatGeobuf, .parquet, .xlsx])
  func `a converted file has every cell of the CSV file`(format: ExportFormat) throws {
    let table = app.table()
    let found = try rows(app.export(format), "devices.\(format.ending)", layer: "devices")
    #expect(found.count == table.records.count && found.count > 20)
    let byID = Dictionary(
      uniqueKeysWithValues: found.compactMap { row in
        row["id"]?.stringValue.map { ($0, row) }
      })
    for record in table.records {
      let row = try #require(byID[record[0]])
      for (name, cell) in zip(table.header, record) {
        #expect(Self.isAlike(cell, row[name]), "\(name): \(cell) is \(row[name] ?? .null)")
      }
    }
  }

  @Test(arguments: [ExportFormat.flatGeobuf, .parquet, .xlsx])
  func `a converted file has the devices of the filter`(format: ExportFormat) throws {
    let query: TestApp.Parameters = ["status": "removed"]
    let found = try rows(app.export(format, query), "devices.\(format.ending)", layer: "devices")
    let ids = try app.table(query).column("id")
    #expect(!ids.isEmpty && Set(found.compactMap { $0["id"]?.stringValue }) == Set(ids))
  }

  @Test func `the last sheet of a workbook states licence, query and date`() throws {
    let answer = app.export(.xlsx, ["category": "camera_fixed"])
    let about = try rows(answer, "devices.xlsx", layer: "about")
    let facts = Dictionary(
      uniqueKeysWithValues: about.compactMap { row in
        row["about"]?.stringValue.map { ($0, row["value"]?.stringValue ?? "") }
      })
    #expect(facts["query"]?.hasSuffix("devices.xlsx?category=camera_fixed") == true)
    #expect(facts["licence"]?.isEmpty == false && facts["exported_at"]?.hasPrefix("2026") == true)
  }

  @Test func `statistics as a workbook have the cells of the CSV table`() throws {
    let path = "/api/statistics"
    let table = TestTable(app.get(path, ["group_by": "category,status", "f": "csv"]).bytes)
    let answer = app.get(path, ["group_by": "category,status", "f": "xlsx"])
    #expect(answer.headers["Content-Type"] == ExportFormat.xlsx.mediaType)
    let found = try rows(answer, "statistics.xlsx", layer: "list")
    #expect(found.count == table.records.count && found.count > 3)
    for (record, row) in zip(table.records, found) {
      for (name, cell) in zip(table.header, record) where name != "suppressed" {
        #expect(Self.isAlike(cell, row[name]), "\(name): \(cell) is \(row[name] ?? .null)")
      }
    }
  }
}
