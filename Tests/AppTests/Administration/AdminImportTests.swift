@testable import App
import Foundation
import Import
import JSON
@testable import Moderation
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import WebServer

/// Imports in the browser.
@Suite struct AdminImportTests {
  let app: TestApp
  let admin: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
  }

  /// A list in the format of OpenStreetMap's Overpass.
  private static let list = """
    {"version": 0.6, "elements": [
      {"type": "node", "id": 1, "lat": 46.95, "lon": 7.44, "version": 3,
        "tags": {"man_made": "surveillance", "surveillance:type": "camera", "operator": "City"}},
      {"type": "node", "id": 2, "lat": 46.96, "lon": 7.45, "version": 1,
        "tags": {"man_made": "surveillance", "surveillance:type": "camera"}},
      {"type": "node", "id": 3, "lat": 99.96, "lon": 7.45, "version": 1,
        "tags": {"man_made": "surveillance", "surveillance:type": "camera"}}
    ]}
    """

  private func send(
    _ fields: [(String, String)] = [("mapping", "osm")], file: String? = list,
    name: String = "cameras.json", as identity: Identity? = nil
  ) -> TestAnswer {
    var body = ""
    for (name, value) in fields {
      body += "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
    }
    if let file {
      body +=
        "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
        + "Content-Type: application/json\r\n\r\n\(file)\r\n"
    }
    return app.send(
      .post, target: "/api/admin/imports",
      headers: ["Content-Type": "multipart/form-data; boundary=XX"],
      body: Array((body + "--XX--\r\n").utf8), as: identity ?? admin.identity)
  }

  private func report(_ answer: TestAnswer) throws -> JSONValue {
    app.app.imports.worker.rest()
    let location = try #require(answer.headers["Location"])
    return try app.get(location, as: admin.identity).json
  }

  private func undo(_ id: Int, _ body: JSONValue = [:]) -> TestAnswer {
    app.send(.post, "/api/admin/imports/\(id)/undo", json: body, as: admin.identity)
  }

  @Test func `a list is imported and its report has the outcome of each row`() throws {
    let answer = send()
    #expect(answer.status == .accepted)
    let report = try report(answer)
    #expect(report["state"]?.stringValue == "done")
    #expect(report["file"]?.stringValue == "cameras.json")
    #expect(report["by"]?.stringValue == "root")
    #expect(report["rows"]?.intValue == 3)
    #expect(report["added"]?.intValue == 2)
    #expect(report["refused"]?.intValue == 1)
    let refused = (report["notes"]?.arrayValue ?? []).filter {
      $0["severity"]?.stringValue == "refused"
    }
    #expect(refused.count == 1 && refused[0]["row"]?.intValue == 3)
    #expect(report["notes_total"]?.intValue == report["notes"]?.arrayValue?.count)
    #expect(try app.get(Path.items).matched == 2)
    #expect(try app.audit().map { [$0[0], $0[1]] } == [["import", "import 1"]])
  }

  @Test func `a dry run gives the same report and changes nothing`() throws {
    let tried = try report(send([("mapping", "osm"), ("dry_run", "true")]))
    #expect(tried["dry_run"]?.boolValue == true)
    #expect(tried["added"]?.intValue == 2 && tried["refused"]?.intValue == 1)
    #expect(tried["notes"]?.arrayValue?.isEmpty == false)
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
    #expect(try app.integer("SELECT count(*) FROM source") == 0)
    #expect(try app.audit().isEmpty)
    _ = try report(send())
    let again = try report(send([("mapping", "osm"), ("dry_run", "true")]))
    #expect(again["added"]?.intValue == 0 && again["unchanged"]?.intValue == 2)
    let list = try app.get("/api/admin/imports", as: admin.identity).json
    #expect(list["imports"]?.arrayValue?.count == 1)
  }

  @Test func `a dry run is deleted after a week`() throws {
    _ = try report(send([("mapping", "osm"), ("dry_run", "true")]))
    app.clock.advance(by: .seconds(8 * 86_400))
    try app.app.works[ImportWorker.job]?("{}")
    #expect(try app.integer("SELECT count(*) FROM import_run") == 0)
    #expect(try app.integer("SELECT count(*) FROM import_note") == 0)
  }

  @Test func `an import can be undone once`() throws {
    _ = try report(send())
    let undone = undo(1, ["reason": "Wrong list"])
    #expect(undone.status == .accepted)
    let report = try report(undone)
    #expect(report["state"]?.stringValue == "undone")
    #expect(try app.get(Path.items).matched == 0)
    #expect(try app.audit().last == ["undo_import", "import 1", "\(admin.rowid)", "Wrong list"])
    #expect(undo(1).status == .conflict)
    #expect(undo(9).status == .notFound)
    #expect(
      app.send(.post, "/api/admin/imports/x/undo", json: [:], as: admin.identity).status
        == .notFound)
  }

  @Test func `a dry run cannot be undone`() throws {
    _ = try report(send([("mapping", "osm"), ("dry_run", "true")]))
    #expect(undo(1).status == .conflict)
  }

  @Test func `the mapping is detected from the list`() throws {
    let report = try report(send([("mapping", "auto"), ("dry_run", "true")]))
    #expect(report["mapping"]?.stringValue?.hasPrefix("osm") == true)
    #expect(report["added"]?.intValue == 2)
    let unknown = send([("mapping", "auto")], file: "{\"a\": [1, 2, 3]}", name: "x.json")
    #expect(unknown.status == .unprocessableContent)
    #expect(try unknown.fields == ["mapping"])
  }

  @Test func `source and licence of the form take precedence`() throws {
    let answer = send([("mapping", "osm"), ("source", "My list"), ("licence", "CC0-1.0")])
    #expect(
      try report(answer)["source"] == ["name": "My list", "licence": "CC0-1.0"])
  }

  @Test func `a file that is not a list fails with a sentence`() throws {
    let report = try report(send(file: "{\"elements\": [{\"type\": \"node\"", name: "x.json"))
    #expect(report["state"]?.stringValue == "failed")
    #expect(report["error"]?.stringValue?.isEmpty == false)
  }

  private static let kml = """
    <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark>
    <ExtendedData><Data name="man_made"><value>surveillance</value></Data>
    <Data name="surveillance"><value>public</value></Data></ExtendedData>
    <Point><coordinates>7.44,46.95</coordinates></Point></Placemark></Document></kml>
    """

  @Test func `a list in a format of farol-formats is read row by row`() throws {
    let report = try report(send(file: Self.kml, name: "cameras.kml"))
    #expect(report["state"]?.stringValue == "done", "\(report)")
    #expect(report["rows"]?.intValue == 1, "\(report)")
    // It has no id, which the mapping of OpenStreetMap needs.
    #expect(report["refused"]?.intValue == 1, "\(report)")
  }

  @Test func `the reason why such a list cannot be read is told before an import begins`() throws {
    let answer = send([], file: String(Self.kml.prefix(300)), name: "cameras.kml")
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.fields == ["file"])
    #expect(answer.text.contains("damaged or was cut off"))
    #expect(try app.integer("SELECT count(*) FROM import_run") == 0)
  }

  @Test(arguments: ["../../etc/passwd", "osm.json", "seed/osm", "nothing"])
  func `only mappings of the seed are accepted`(name: String) throws {
    let answer = send([("mapping", name)])
    #expect(answer.status == .unprocessableContent)
    #expect(try answer.fields == ["mapping"])
  }

  @Test func `a malformed form or one without a file is refused`() throws {
    #expect(try send(file: nil).fields == ["file"])
    #expect(try send([("mapping", "osm"), ("more", "1")]).fields == ["more"])
    #expect(send([("mapping", "osm"), ("mapping", "osm")]).status == .badRequest)
    #expect(send([("dry_run", "perhaps")]).status == .unprocessableContent)
    let json = app.send(.post, "/api/admin/imports", json: [:], as: admin.identity)
    #expect(json.status == .unsupportedMediaType)
    #expect(try app.integer("SELECT count(*) FROM import_run") == 0)
  }

  @Test func `a file name is shown without folder and control characters`() throws {
    #expect(
      try report(send(name: "C:\\lists\\cameras.json"))["file"]?.stringValue == "cameras.json")
    #expect(try report(send(name: "a\u{202E}b.json"))["file"]?.stringValue == "list")
  }

  @Test func `notes are paginated`() throws {
    let rows = (0..<25).map { number in
      "{\"type\": \"node\", \"id\": \(number), \"lat\": 99, \"lon\": 7, \"tags\": "
        + "{\"man_made\": \"surveillance\"}}"
    }
    let answer = send(file: "{\"elements\": [\(rows.joined(separator: ","))]}")
    let first = try report(answer)
    #expect(first["notes"]?.arrayValue?.count == 20)
    #expect(first["notes_total"]?.intValue == 25)
    let cursor = first["next"]?.stringValue ?? ""
    let second = try app.get(
      "/api/admin/imports/1", ["cursor": cursor], as: admin.identity
    ).json
    #expect(second["notes"]?.arrayValue?.map { $0["row"]?.intValue } == [21, 22, 23, 24, 25])
    #expect(second["next"]?.isNull == true)
    #expect(first["reasons"]?[0]?["count"]?.intValue == 25)
  }

  @Test func `imports interrupted by a restart are reported as failed`() throws {
    try app.database.write { connection in
      try connection.execute(
        """
        INSERT INTO import_run (file, mapping, state, started_at)
        VALUES ('x', 'osm', 'running', '2026-11-21T12:00:00Z')
        """)
    }
    try app.app.imports.worker.endBroken()
    #expect(try app.text("SELECT state FROM import_run") == "failed")
  }

  @Test func `only admins import, and are authorised before they send the file`() throws {
    let moderator = try app.account("mod", role: .moderator)
    #expect(send(as: moderator.identity).status == .forbidden)
    #expect(send(as: .visitor).status == .unauthorized)
    for path in ["/api/admin/imports", "/api/admin/imports/1"] {
      #expect(app.get(path, as: moderator.identity).status == .forbidden)
    }
    let route = try #require(
      app.app.router.routes.first { $0.template == "/api/admin/imports" && $0.method == .post })
    #expect(route.reception?.storesBody == true)
    #expect(throws: Refusal.self) {
      try route.reception?.admits(Request(.post, "/api/admin/imports"))
    }
  }

  @Test func `each list of the sample is detected, or the mapping it extends`() throws {
    let seed = Repository.root.appendingPathComponent("seed")
    let mappings = ImportMappings(folder: seed.appendingPathComponent("mappings"))
    let lists = try JSONValue(
      parsing: [UInt8](Data(contentsOf: seed.appendingPathComponent("sample/sample.json"))))
    for list in lists.arrayValue ?? [] {
      let path = seed.appendingPathComponent("sample/\(list["file"]?.stringValue ?? "")").path
      let found = mappings.recognised(
        ByteSource(path: path), vocabulary: app.vocabulary, today: app.clock.now.day)
      let named = try #require(list["mapping"]?.stringValue)
      let mapping = try JSONValue(
        parsing: [UInt8](
          Data(contentsOf: seed.appendingPathComponent("mappings/\(named).json"))))
      // A mapping that only names another source cannot be detected from the rows.
      #expect(found == named || found.map { $0 + ".json" } == mapping["extends"]?.stringValue)
    }
  }
}
