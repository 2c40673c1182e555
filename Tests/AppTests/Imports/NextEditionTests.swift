@testable import App
import Import
import JSON
@testable import Lists
import SpatialDatabase
import Testing

/// The next edition of a list: a device is gone only if its row is really missing, and no device is doubled.
@Suite struct NextEditionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static func rows(_ numbers: some Sequence<Int>) -> [String] {
    numbers.map { "C-\($0),Camera \($0),7.\($0 + 10),46.\($0 + 10)" }
  }

  private func take(
    _ rows: [String], header: String = "id,name,lon,lat", more: String = "", dryRun: Bool = false
  ) throws -> ImportRun.Report {
    try app.importCSV(
      ([header] + rows).joined(separator: "\n") + "\n", TestApp.mapping(more: more),
      dryRun: dryRun)
  }

  private func gone(of report: ImportRun.Report) throws -> [String] {
    try app.database.read { connection in
      try connection.rows(
        """
        SELECT name FROM import_gone JOIN device ON device.rowid = device_rowid
        WHERE import_rowid = ? ORDER BY name
        """, [.integer(try #require(report.id))]
      ) { $0.text(0) }
    }
  }

  @Test(arguments: [
    // Too many cells, too few, no coordinates, an id that is empty, a second row with the id of another.
    "C-3,Camera, 3,7.13,46.13", "C-3,Camera 3", "C-3,Camera 3,,", ",Camera 3,7.13,46.13",
    "C-2,Camera 3,7.13,46.13",
  ])
  func `a device whose row is refused is not gone`(row: String) throws {
    _ = try take(Self.rows(1...5))
    let report = try take(Self.rows([1, 2]) + [row] + Self.rows([4]))
    #expect(report.refused == 1)
    #expect(try gone(of: report) == ["Camera 5"])
    #expect(report.incomplete == nil && report.added == 0)
  }

  @Test func `a renamed column with the ids makes nothing gone`() throws {
    _ = try take(Self.rows(1...5))
    let report = try take(Self.rows(1...5), header: "ref,name,lon,lat")
    #expect(report.refused == 5 && report.gone == 0 && report.added == 0)
  }

  @Test func `a note below the list does not hide a device that is gone`() throws {
    _ = try take(Self.rows(1...5))
    let report = try take(Self.rows(1...4) + [",Source: the city,,"])
    #expect(report.refused == 1)
    #expect(try gone(of: report) == ["Camera 5"])
  }

  @Test func `rows that a quote without an end joins are not gone`() throws {
    _ = try take(Self.rows(1...5))
    let report = try take(
      ["C-1,\"Camera 1,7.11,46.11"] + Self.rows(2...3) + ["C-4,\"Camera 4\",7.14,46.14"])
    #expect(report.gone == 0 && report.incomplete == "its row 1 cannot be read")
  }

  @Test func `a row in another encoding is not gone`() throws {
    _ = try take(Self.rows(1...3))
    let head = Array("name,id,lon,lat\nCam".utf8)
    let bytes = head + [0xE9] + Array("ra,C-1,7.11,46.11\nCamera 2,C-2,7.12,46.12\n".utf8)
    let run = try ImportRun(
      map: app.app.map, mapping: TestApp.mapping(), named: "test", options: ImportRun.Options())
    let report = try run.run(ByteSource(bytes: bytes, name: "a.csv"))
    #expect(report.refused == 1)
    #expect(try gone(of: report) == ["Camera 3"])
  }

  @Test func `rows in another order, and new ones between them, change nothing else`() throws {
    _ = try take(Self.rows(1...5))
    let report = try take(Self.rows([5, 9, 3, 1, 4, 2]))
    #expect(report.unchanged == 5 && report.added == 1 && report.gone == 0)
  }

  @Test func `a list of another kind makes nothing gone`() throws {
    _ = try take(Self.rows(1...5))
    let report = try take(["L1,A,62000000,46200000"])
    #expect(report.refused == 1 && report.gone == 0)
    #expect(report.incomplete == "none of its rows can be used")
  }

  // MARK: Lists without ids

  private func takeUnnamed(
    _ rows: [String], header: String = "name,lon,lat"
  ) throws -> ImportRun.Report {
    let text = """
      {"source": {"code": "test", "name": "Test list", "licence": "CC0-1.0", "attribution": "-"},
       "match_within": 10,
       "fields": {"longitude": "lon", "latitude": "lat", "category": "camera_fixed", "name": "name"}}
      """
    return try app.importCSV(
      ([header] + rows).joined(separator: "\n") + "\n",
      ImportMapping(JSONValue(parsing: Array(text.utf8))))
  }

  @Test func `a list without ids finds its devices again by their place`() throws {
    _ = try takeUnnamed(["One,7.1,46.1", "Two,7.2,46.2", "Three,7.3,46.3"])
    let report = try takeUnnamed(["Three,7.3,46.3", "First,7.1,46.1"])
    #expect(report.added == 0 && report.matched == 1 && report.unchanged == 1)
    #expect(try gone(of: report) == ["Two"])
    let again = try takeUnnamed(["Three,7.3,46.3", "First,7.1,46.1"])
    #expect(again.unchanged == 2 && again.added == 0)
  }

  @Test func `a row of a list without ids that lost its place makes nothing gone`() throws {
    _ = try takeUnnamed(["One,7.1,46.1", "Two,7.2,46.2", "Three,7.3,46.3"])
    let report = try takeUnnamed(["One,7.1,46.1", "Two,,"])
    #expect(report.refused == 1 && report.gone == 0)
  }
}
