@testable import App
import Foundation
import Import
import JSON
@testable import Lists
import SpatialDatabase
import Testing

/// Columns and countries in imports of an instance.
@Suite struct ImportColumnTests {
  @Test func `the run keeps the columns of its file`() throws {
    let app = try TestApp()
    let report = try app.importCSV(
      "id,name,lon,lat,colour\n1,One,7.4,46.9,red\n",
      TestApp.mapping(fields: #", "model": "color""#))
    let expected = ColumnUse(
      used: ["id", "name", "lon", "lat"], unused: ["colour"],
      missing: [ColumnUse.Missing(name: "color", nearest: ["colour"])])
    #expect(report.columns == expected)
    let stored = try app.database.read { try ImportRunStore().run(report.id ?? 0, $0)?.columns }
    #expect(stored == expected)
  }

  @Test func `a dry run tells the columns too`() throws {
    let app = try TestApp()
    let report = try app.importCSV("id,name,lon,lat\n1,One,7.4,46.9\n", dryRun: true)
    #expect(report.columns?.used == ["id", "name", "lon", "lat"])
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
  }

  @Test func `an interrupted import tells what happened to its first rows`() throws {
    let app = try TestApp()
    let run = ImportRun(
      map: app.app.map, mapping: try TestApp.mapping(), named: "test",
      options: ImportRun.Options())
    let csv = "id,name,lon,lat\n1,One,7.4,46.9\n2,Two,7.5"
    var reported: [ImportRun.Report] = []
    #expect(throws: ImportFailure.self) {
      try run.run(
        ByteSource(bytes: Array(csv.utf8), name: "list.csv"), interrupted: { reported.append($0) })
    }
    #expect(reported.map(\.added) == [1])
    #expect(reported.map(\.id) == [1])
    #expect(reported.first?.columns?.used == ["id", "name", "lon", "lat"])
    #expect(try app.text("SELECT error FROM import_run")?.contains("cut off") == true)
  }

  @Test func `a record in Madrid is flagged in a British list`() throws {
    let app = try TestApp(data: TestFolder.linkCountries)
    let rule = #"{"when": {"other_country": "GB"}, "code": "abroad", "because": "Not British."}"#
    let csv = """
      id,name,lon,lat
      1,London,-0.1276,51.5072
      2,Madrid,-3.7038,40.4168
      3,Atlantic,-40,30

      """
    var flagged: [Int] = []
    try app.importCSV(csv, TestApp.mapping(more: #""flag": [\#(rule)],"#)) { note, row in
      if note.code == "abroad" { flagged.append(row) }
    }
    #expect(flagged == [2])
    var british: [Int] = []
    let other = #"{"when": {"country": ["GB", "FR"]}, "code": "home", "because": "British."}"#
    try app.importCSV(csv, TestApp.mapping(more: #""flag": [\#(other)],"#)) { note, row in
      if note.code == "home" { british.append(row) }
    }
    #expect(british == [1])
  }
}
