@testable import App
@testable import Devices
import Foundation
import Import
import JSON
@testable import Downloads
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Devices as elements of OpenStreetMap, exported and imported again.
@Suite struct OSMExportTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// The elements of an export.
  private func elements(_ query: TestApp.Parameters = [:]) throws -> [JSONValue] {
    try #require(try app.export(.osmJSON, query).json["elements"]?.arrayValue)
  }

  private func tags(_ element: JSONValue) -> [String: String] {
    let members = element["tags"]?.objectValue?.members ?? []
    return Dictionary(members.map { ($0.key, $0.value.stringValue ?? "") }) { first, _ in first }
  }

  /// Imports elements with the mapping that Farol ships.
  @discardableResult
  private func importOSM(_ bytes: [UInt8], into other: TestApp? = nil) throws -> ImportRun.Report {
    let folder = Repository.root.appendingPathComponent("seed/mappings")
    let mapping = try ImportMappings(folder: folder).mapping(named: "osm")
    let run = ImportRun(
      map: (other ?? app).app.map, mapping: mapping, named: "osm", options: ImportRun.Options())
    return try run.run(ByteSource(bytes: bytes, name: "extract.osm"))
  }

  private func tags(of app: TestApp) throws -> [[String: String]] {
    try app.database.read { connection in
      try connection.rows("SELECT tags FROM device_tag ORDER BY device_rowid") { row in
        let members = try? JSONValue(parsing: Array(row.text(0).utf8)).objectValue?.members
        return Dictionary(
          (members ?? []).map { ($0.key, $0.value.stringValue ?? "") }, uniquingKeysWith: { $1 })
      }
    }
  }

  private func element(
    _ id: Int, _ tags: String, type: String = "node", longitude: Double = 7.4
  ) -> String {
    let place = "\"lat\": 46.9, \"lon\": \(longitude)"
    return """
      {"type": "\(type)", "id": \(id), "version": 3,
       \(type == "node" ? place : "\"center\": {\(place)}"), "tags": {\(tags)}}
      """
  }

  private func importElements(_ elements: String...) throws {
    try importOSM(Array("{\"elements\": [\(elements.joined(separator: ","))]}".utf8))
  }

  @Test func `only fields with an OpenStreetMap meaning are written`() throws {
    try app.device(.cameraFixed, name: "Camera")
    try app.device(.alpr, name: "Reader")
    try app.device("smart_speaker", name: "Speaker")
    try app.device(.cameraFixed, name: "Coarse", precision: .kilometre)
    try app.device(.doorbell, name: "Doorbell")
    try app.device(.cameraFixed, name: "Gone") { $0.status = .removed }
    #expect(try elements().compactMap { tags($0)["name"] } == ["Camera", "Reader"])
    #expect(app.export(.osm).headers["OGC-NumberMatched"] == "2")
    #expect(try elements(["status": "removed"]).isEmpty)
    #expect(try elements(["category": "smart_speaker"]).isEmpty)
  }

  @Test func `a device of ours is a node with a negative id and tags from its fields`() throws {
    let device = try app.device(.cameraFixed, name: "Gate", longitude: 7.5, latitude: 46.25) {
      $0.setting = .outdoor
      $0.zone = "parking"
      $0.mount = "pole"
      $0.bearings = [90, 180.5]
      $0.answersFor = Operator(name: "City of X", kind: .public)
      $0.level = "-1"
    }
    let element = try #require(try elements().first)
    #expect(element["id"]?.intValue == -Int(device.rowid))
    #expect(element["version"] == nil)
    #expect(element["lat"]?.numberValue == 46.25 && element["lon"]?.numberValue == 7.5)
    #expect(
      tags(element) == [
        "man_made": "surveillance", "surveillance:type": "camera", "camera:type": "fixed",
        "name": "Gate", "surveillance": "outdoor", "surveillance:zone": "parking",
        "camera:mount": "pole", "camera:direction": "90;180.5", "operator": "City of X",
        "level": "-1",
      ])
  }

  @Test func `neither personal data nor fields without a tag are written`() throws {
    try app.device(.cameraFixed, name: "Gate") {
      $0.answersFor = Operator(name: "Anna Muster", kind: .unknown)
      $0.retention = "P30D"
      $0.description = "Beside the blue door"
      $0.choices = [OfferedChoice(kind: "access")]
      $0.purposes = ["physical_surveillance"]
    }
    try importElements(
      element(
        5,
        """
        "man_made": "surveillance", "surveillance:type": "camera", "phone": "+41 31 000 00 00",
        "note": "call +41 31 000 00 00", "contact:email": "a@b.example", "owner": "Anna Muster",
        "url": "https://anna:secret@cam.example/"
        """))
    for format in [ExportFormat.osm, .osmJSON] {
      let text = app.export(format).text
      for part in [
        "Anna", "P30D", "blue door", "access", "physical", "000 00", "b.example", "secret",
      ] {
        #expect(!text.contains(part), "\(format): \(part)")
      }
    }
  }

  @Test func `an element keeps its type, id, version and every tag`() throws {
    let camera = """
      "man_made": "surveillance", "surveillance:type": "camera", "surveillance": "public",
      "contact:webcam": "https://cam.example/live", "unheard:of": "x", "note": "behind the < gate"
      """
    try importElements(element(7, camera), element(9, camera, type: "way", longitude: 7.6))
    let elements = try elements()
    #expect(elements.map { $0["type"]?.stringValue } == ["node", "way"])
    #expect(elements.map { $0["id"]?.intValue } == [7, 9])
    #expect(elements.map { $0["version"]?.intValue } == [3, 3])
    #expect(elements[1]["center"]?["lon"]?.numberValue == 7.6)
    for element in elements {
      #expect(
        tags(element) == [
          "man_made": "surveillance", "surveillance:type": "camera", "surveillance": "public",
          "contact:webcam": "https://cam.example/live", "unheard:of": "x",
          "note": "behind the < gate",
        ])
    }
    let xml = app.export(.osm).text
    #expect(xml.contains("<node id=\"7\" version=\"3\" device=\""))
    #expect(xml.contains("lat=\"46.9\" lon=\"7.4\">"))
    #expect(xml.contains("<node id=\"-2\" lat=\"46.9\" lon=\"7.6\">\n</node>"))
    #expect(xml.contains("<way id=\"9\" version=\"3\" device=\""))
    #expect(xml.contains("\">\n<nd ref=\"-2\"/>"))
    #expect(xml.contains("<tag k=\"note\" v=\"behind the &lt; gate\"/>"))
  }

  @Test func `an element with only some of its tags gets the others from its fields`() throws {
    try importElements(
      """
      {"type": "node", "id": 7, "lat": 46.9, "lon": 7.4,
       "tags": {"man_made": "surveillance", "surveillance:type": "ALPR"}}
      """)
    try app.app.write {
      try $0.execute("UPDATE device_key SET version = NULL WHERE namespace = 'osm'")
      try $0.execute("UPDATE device_tag SET tags = '{\"ref\":\"11\"}'")
    }
    #expect(
      tags(try #require(try elements().first)) == [
        "man_made": "surveillance", "surveillance:type": "ALPR", "ref": "11",
      ])
  }

  @Test(arguments: [ExportFormat.osm, .osmJSON])
  func `an own element of OpenStreetMap changes nothing, and elsewhere its operator keeps the kind`(
    format: ExportFormat
  ) throws {
    let camera = """
      "man_made": "surveillance", "surveillance:type": "camera", "operator": "Watchers"
      """
    try importElements(element(7, camera), element(8, camera, longitude: 7.40001))
    try app.app.write {
      try $0.execute("UPDATE operator SET kind = 'company'")
      try $0.execute("UPDATE device SET name = 'Named here'")
    }
    let (sequence, sent) = try (app.sequence, elements())
    #expect(sent.map { $0["operator_kind"]?.stringValue } == ["company", "company"])

    let own = try importOSM(app.export(format).bytes)
    #expect(own.unchanged == 2 && own.changed == 0 && own.added == 0)
    #expect(try app.sequence == sequence)

    let other = try TestApp()
    let report = try importOSM(app.export(format).bytes, into: other)
    #expect(report.added == 2 && report.matched == 0)
    #expect(
      try other.app.database.read {
        try $0.rows("SELECT kind FROM operator WHERE name = 'Watchers'") { $0.text(0) }
      } == ["company"])
    let back = try #require(try other.export(.osmJSON).json["elements"]?.arrayValue)
    #expect(back.map { $0["tags"]?.text } == sent.map { $0["tags"]?.text })
  }

  @Test func `fields changed here replace their tags`() throws {
    try importElements(
      element(
        7,
        """
        "man_made": "surveillance", "surveillance:type": "camera", "camera:type": "fixed",
        "camera:direction": "10", "direction": "10", "ref": "K7"
        """))
    let rowid = try #require(try app.integer("SELECT rowid FROM device"))
    let id = try #require(try app.text("SELECT id FROM device"))
    try app.edit(TestDevice(rowid: rowid, id: id)) {
      $0.columns.append(("bearings", "[270.0]"))
      $0.columns.append(("category", "camera_ptz"))
    }
    #expect(
      tags(try #require(try elements().first)) == [
        "man_made": "surveillance", "surveillance:type": "camera", "camera:type": "dome",
        "camera:direction": "270", "ref": "K7",
      ])
  }

  @Test(arguments: [ExportFormat.osm, .osmJSON])
  func `exported devices import as they were`(format: ExportFormat) throws {
    try importElements(
      element(
        7, "\"man_made\": \"surveillance\", \"surveillance:type\": \"camera\", \"name\": \"K\""),
      element(
        9, "\"man_made\": \"surveillance\", \"surveillance:type\": \"ALPR\"", type: "way",
        longitude: 8))
    let file = app.export(format).bytes
    let again = try importOSM(file)
    #expect(again.rows == 2 && again.unchanged == 2, "\(again)")

    let other = try TestApp()
    #expect(try importOSM(file, into: other).added == 2)
    #expect(
      other.export(format).text.split(separator: "<").last
        == app.export(format).text.split(separator: "<").last)
    let before = try tags(of: app)
    #expect(!before.isEmpty)
    let after = try tags(of: other)
    #expect(after == before)
  }

  @Test func `the file states its operator, terms, time and query`() throws {
    try importElements(element(7, "\"man_made\": \"surveillance\""))
    let xml = app.export(.osm, ["category": "camera_fixed"]).text
    #expect(xml.contains("license=\"http://opendatacommons.org/licenses/odbl/1-0/\""))
    #expect(xml.contains("attribution=\"© OpenStreetMap contributors"))
    #expect(xml.contains("<meta osm_base=\"2026-11-21T12:00:00Z\"/>"))
    #expect(xml.contains("devices.osm?category=camera_fixed"))
    let json = try app.export(.osmJSON).json
    #expect(json["license"]?.stringValue == "http://opendatacommons.org/licenses/odbl/1-0/")
    #expect(json["osm3s"]?["timestamp_osm_base"]?.stringValue == "2026-11-21T12:00:00Z")
  }
}
