@testable import App
import Foundation
import Import
import JSON
@testable import Lists
@testable import Service
import Testing
@testable import WebServer

/// `POST /api/admin/import-inspections`: the facts about a list for the page that writes a mapping file.
@Suite struct ListInspectionRouteTests {
  let app: TestApp
  let admin: TestAccount
  private static let path = "/api/admin/import-inspections"
  private static let list = """
    Código;Situação;Latitude;Longitude
    1;Câmara fixa;38,7;-9,1
    2;;38,8;-9,2
    """

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
  }

  private func inspect(
    _ bytes: [UInt8], name: String = "list.csv", input: String? = nil, as identity: Identity? = nil
  ) -> TestAnswer {
    var head = ""
    if let input {
      head += "--XX\r\nContent-Disposition: form-data; name=\"input\"\r\n\r\n\(input)\r\n"
    }
    head +=
      "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
      + "Content-Type: text/csv\r\n\r\n"
    return app.send(
      .post, target: Self.path, headers: ["Content-Type": "multipart/form-data; boundary=XX"],
      body: Array(head.utf8) + bytes + Array("\r\n--XX--\r\n".utf8),
      as: identity ?? admin.identity)
  }

  @Test func `a list is described by its format and its columns`() throws {
    let answer = inspect(Array(Self.list.utf8))
    #expect(answer.status == .ok)
    let found = try answer.json
    #expect(found["file"]?.stringValue == "list.csv")
    #expect(found["format"]?.stringValue == "csv" && found["encoding"]?.stringValue == "utf-8")
    #expect(found["separator"]?.stringValue == ";" && found["complete"]?.boolValue == true)
    #expect(found["rows"]?.intValue == 2)
    let columns = found["columns"]?.arrayValue ?? []
    #expect(
      columns.map { $0["column"]?.stringValue } == ["Código", "Situação", "Latitude", "Longitude"])
    #expect(columns.map { $0["filled"]?.intValue } == [2, 1, 2, 2])
    #expect(columns[2]["kind"]?.stringValue == "decimal_comma")
    #expect(columns[2]["numbers"] == [38.7, 38.8])
    #expect(found["sample"] == [1, 2])
  }

  @Test func `an inspection stores nothing`() throws {
    _ = inspect(Array(Self.list.utf8))
    #expect(try app.integer("SELECT count(*) FROM import_run") == 0)
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
    #expect(try app.audit().isEmpty)
  }

  @Test func `a file with several lists names them`() throws {
    let json = Array(#"{"generated": "today", "cameras": [{"a": 1}], "a/b": [{"b": 1}]}"#.utf8)
    let found = try inspect(json, name: "list.json").json
    #expect(found["choices"] == ["/cameras", "/a~1b"])
    #expect(found["problem"]?.stringValue?.isEmpty == false && found["format"]?.isNull == true)
    let read = try inspect(json, name: "list.json", input: #"{"path": "/cameras"}"#).json
    #expect(read["rows"]?.intValue == 1 && read["problem"]?.isNull == true)
  }

  @Test(arguments: [
    "", "\0\0\0\0", "<osm><node", "PK\u{3}\u{4}not a zip", "{\"type\": \"Topology\"}",
  ])
  func `a file that is not a list is refused with the reason`(text: String) throws {
    let answer = inspect(Array(text.utf8), name: "list")
    #expect(answer.status == .unprocessableContent, "\(answer.text)")
    #expect(try answer.fields == ["file"])
  }

  @Test func `reading options that are not valid are refused`() throws {
    let list = Array(Self.list.utf8)
    for input in ["x", "[]", #"{"encoding": "ebcdic"}"#, #"{"more": 1}"#] {
      let answer = inspect(list, input: input)
      #expect(answer.status == .unprocessableContent, "\(input)")
      #expect(try answer.fields == ["input"])
    }
    let wrong = inspect(list, input: #"{"separator": "|"}"#)
    #expect(wrong.status == .unprocessableContent && wrong.text.contains("the header line has no"))
  }

  @Test func `a form without a file is refused`() throws {
    let answer = app.send(
      .post, target: Self.path, headers: ["Content-Type": "multipart/form-data; boundary=XX"],
      body: Array(
        "--XX\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n1\r\n--XX--\r\n".utf8),
      as: admin.identity)
    #expect(answer.status == .badRequest)
    #expect(try Set(answer.fields) == ["file", "other"])
  }

  @Test func `only admins inspect lists, and are authorised before they send the file`() throws {
    let list = Array(Self.list.utf8)
    let moderator = try app.account("mod", role: .moderator)
    #expect(inspect(list, as: moderator.identity).status == .forbidden)
    #expect(inspect(list, as: .visitor).status == .unauthorized)
    let route = try #require(
      app.app.router.routes.first { $0.template == Self.path && $0.method == .post })
    #expect(route.reception?.storesBody == true)
    #expect(route.bodyLimit == ImportRoutes.limit)
    #expect(throws: Refusal.self) { try route.reception?.admits(Request(.post, Self.path)) }
  }

  @Test func `a mapping file that is sent along is used for the import`() throws {
    let mapping = """
      {"source": {"code": "lisbon", "name": "Lisbon", "licence": "CC0-1.0", "attribution": "Lisbon"},
       "input": {"format": "csv", "separator": ";"}, "key": "{Código}",
       "fields": {"category": {"value": "camera_fixed"}, "name": {"template": "{:category_name} {Código}"},
        "latitude": {"from": "Latitude", "decimal": ","}, "longitude": {"from": "Longitude", "decimal": ","}}}
      """
    func send(_ mapping: String, _ more: String = "") -> TestAnswer {
      let body =
        "--XX\r\nContent-Disposition: form-data; name=\"mapping_file\"\r\n\r\n\(mapping)\r\n" + more
        + "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"l.csv\"\r\n\r\n"
        + "\(Self.list)\n3;;99,0;1,0\r\n--XX--\r\n"
      return app.send(
        .post, target: "/api/admin/imports",
        headers: ["Content-Type": "multipart/form-data; boundary=XX"], body: Array(body.utf8),
        as: admin.identity)
    }
    let begun = send(mapping)
    #expect(begun.status == .accepted, "\(begun.text)")
    app.app.imports.worker.rest()
    let all = try app.get("/api/admin/imports/1", as: admin.identity).json
    #expect(all["mapping"]?.stringValue == "lisbon" && all["added"]?.intValue == 2)
    let refused = try app.get(
      "/api/admin/imports/1", ["severity": "refused"], as: admin.identity
    ).json
    #expect(refused["notes"]?.arrayValue?.map { $0["row"]?.intValue } == [3])
    #expect(refused["notes_total"]?.intValue == 1)
    let flagged = try app.get(
      "/api/admin/imports/1", ["severity": "flagged"], as: admin.identity
    ).json
    #expect(flagged["notes"]?.arrayValue?.isEmpty == true && flagged["notes_total"]?.intValue == 0)
    #expect(
      app.get("/api/admin/imports/1", ["severity": "bad"], as: admin.identity).status == .badRequest
    )
    let broken = send("{\"source\": {}}")
    #expect(broken.status == .unprocessableContent && broken.text.contains("source.code"))
    #expect(try broken.fields == ["mapping_file"])
    #expect(try send(#"{"extends": "../farol.json"}"#).fields == ["mapping_file"])
    #expect(try send(#"{"extends": "nothing.json"}"#).fields == ["mapping_file"])
    let both = "--XX\r\nContent-Disposition: form-data; name=\"mapping\"\r\n\r\nosm\r\n"
    #expect(try send(mapping, both).fields == ["mapping_file"])
    let padding = String(repeating: " ", count: MappingText.maxLength - mapping.utf8.count)
    #expect(send(mapping + padding).status == .accepted)
    app.app.imports.worker.rest()
    #expect(try send(mapping + padding + " ").fields == ["mapping_file"])
  }

  @Test func `a mapping file may extend a mapping of the instance`() throws {
    let json = try JSONValue(parsing: Array(#"{"extends": "osm.json", "keep": "none"}"#.utf8))
    let seed = Repository.root.appendingPathComponent("seed/mappings")
    #expect(try ImportMappings(folder: seed).mapping(json).source.code == "osm")
  }
}
