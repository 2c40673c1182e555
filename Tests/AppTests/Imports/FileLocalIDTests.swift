@testable import App
import Foundation
import Import
@testable import Lists
import SpatialDatabase
import Testing

/// New elements of OpenStreetMap editors, whose numbers hold only inside their file.
@Suite struct FileLocalIDTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private static let osm = Result {
    try ImportMapping(path: Repository.root.appendingPathComponent("seed/mappings/osm.json").path)
  }

  @discardableResult
  private func take(_ text: String, name: String = "list.osm") throws -> ImportRun.Report {
    let run = try ImportRun(
      map: app.app.map, mapping: Self.osm.get(), named: "osm", options: ImportRun.Options())
    return try run.run(ByteSource(bytes: Array(text.utf8), name: name))
  }

  private static func xml(_ longitude: Double, _ latitude: Double, id: Int = -101_744) -> String {
    """
    <osm version="0.6" generator="JOSM"><node id="\(id)" lat="\(latitude)" lon="\(longitude)">
    <tag k="man_made" v="surveillance"/><tag k="surveillance:type" v="camera"/></node></osm>
    """
  }

  private static func json(_ longitude: Double, _ latitude: Double) -> String {
    """
    {"elements": [{"type": "node", "id": -101744, "lat": \(latitude), "lon": \(longitude),
      "tags": {"man_made": "surveillance", "surveillance:type": "camera"}}]}
    """
  }

  @Test func `the same number in two files is two devices`() throws {
    let (lisbon, berlin) = (Self.xml(-9.14, 38.71), Self.xml(13.4, 52.5))
    #expect(try take(lisbon).added == 1)
    #expect(try take(berlin).added == 1)
    #expect(try take(Self.json(2.35, 48.86), name: "list.json").added == 1)
    #expect(try app.get(Path.items).matched == 3)
    #expect(
      try app.integer("SELECT count(*) FROM device WHERE longitude = -9.14 AND latitude = 38.71")
        == 1)
    // The content recognises a file that is sent twice.
    for again in [lisbon, berlin] {
      let report = try take(again)
      #expect(report.unchanged == 1 && report.gone == 0)
    }
  }

  @Test func `no reference is made of such a number`() throws {
    try take(Self.xml(-9.14, 38.71))
    #expect(try app.integer("SELECT count(*) FROM device_key WHERE key LIKE '%-101744'") == 0)
    try take(Self.xml(13.4, 52.5, id: 101_744))
    #expect(try app.integer("SELECT count(*) FROM device_key WHERE key = 'node/101744'") == 1)
  }

  @Test(.onlySQLite("PostgreSQL starts with an empty schema"))
  func `a migration removes the references that earlier versions stored`() throws {
    try app.importCSV("id,name,lon,lat\nnode/-5,Local,1,1\nnode/5,Known,2,2\n-5,Negative,3,3\n")
    try app.app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO device_key (namespace, key, device_rowid)
        SELECT 'osm', 'node/-69712', rowid FROM device WHERE name = 'Known'
        """)
      try connection.execute(
        "INSERT INTO device_key (namespace, key, device_rowid) "
          + "SELECT 'test', 'node/-5', rowid FROM device WHERE name = 'Local'")
    }
    let sequence = try app.sequence
    let file = EarlierDatabase.migrations.appendingPathComponent("0043_remove_file_local_ids.sql")
    let text = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    try app.app.database.write { connection in
      for statement in text.split(separator: ";") where statement.contains(" ") {
        try connection.execute(String(statement))
      }
    }
    let keys = try app.database.read { connection in
      try connection.rows("SELECT key FROM device_key ORDER BY key") { $0.text(0) }
    }
    #expect(keys.filter { !$0.hasPrefix("#") } == ["-5", "node/5"])
    // Both devices are read again by clients that follow changes.
    #expect(try app.sequence == sequence + 2)
    #expect(try app.get(Path.items).matched == 3)
  }

  @Test func `a device that gets another reference counts as changed`() throws {
    let mapping = try TestApp.mapping(
      more: #""also_known_as": [{"namespace": "wikidata", "key": "{wd}"}],"#)
    try app.importCSV("id,name,lon,lat,wd\n1,One,7,46,\n2,Two,8,46,Q2\n", mapping)
    let sequence = try app.sequence
    let report = try app.importCSV("id,name,lon,lat,wd\n1,One,7,46,Q1\n2,Two,8,46,Q2\n", mapping)
    #expect(report.changed == 1 && report.unchanged == 1)
    #expect(try app.sequence == sequence + 1)
  }
}
