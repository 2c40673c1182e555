@testable import App
import Devices
import Foundation
import Import
import JSON
@testable import Lists
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Devices that a newer list no longer has: when a list says so, and what becomes of them.
@Suite struct MissingDeviceTests {
  let app: TestApp
  let admin: TestAccount

  init() throws {
    app = try TestApp()
    admin = try app.account("root", role: .admin)
  }

  private static let header = "id,name,lon,lat\n"

  /// A list on a diagonal; its last rows are outside the box of the first ones.
  private static func list(_ numbers: some Sequence<Int>) -> String {
    header + numbers.map { "\($0),Camera \($0),7.\($0 + 10),46.\($0 + 10)\n" }.joined()
  }

  private func take(
    _ numbers: some Sequence<Int>, code: String = "test", more: String = ""
  ) throws -> ImportRun.Report {
    try app.importCSV(Self.list(numbers), TestApp.mapping(code: code, more: more))
  }

  private func gone(of report: ImportRun.Report) throws -> [String] {
    let path = "/api/admin/imports/\(try #require(report.id))"
    return (try app.get(path, as: admin.identity).json["gone_devices"]?.arrayValue ?? [])
      .compactMap { $0["name"]?.stringValue }
  }

  @discardableResult
  private func settle(_ report: ImportRun.Report, _ action: String) throws -> TestAnswer {
    let id = try #require(report.id)
    let response = app.send(
      .post, "/api/admin/imports/\(id)/missing", json: ["action": .string(action)],
      as: admin.identity)
    app.app.imports.worker.rest()
    return response
  }

  private func shown(_ condition: String = "hidden = 0") throws -> Int64? {
    try app.integer("SELECT count(*) FROM device WHERE \(condition)")
  }

  @Test func `rows that leave the end of a list are missing, wherever they were`() throws {
    _ = try take(1...20)
    let report = try take(1...10)
    #expect(report.gone == 10)
    #expect(try gone(of: report).contains("Camera 20"))
  }

  @Test func `an extract says nothing about devices outside its area`() throws {
    _ = try take(1...20, more: #""covers": "area","#)
    let report = try take((1...10).filter { $0 != 5 }, more: #""covers": "area","#)
    #expect(try gone(of: report) == ["Camera 5"])
    #expect(try take(1...3, more: #""covers": "nothing","#).gone == 0)
  }

  /// Two lists of one source, such as the cameras of a country and the webcams of the world.
  @Test func `a list says nothing about the devices of another list of its source`() throws {
    _ = try app.importCSV(Self.list(1...5), TestApp.mapping(), named: "first")
    let other = try app.importCSV(Self.list(6...8), TestApp.mapping(), named: "second")
    #expect(other.gone == 0)
    #expect(try app.importCSV(Self.list(6...7), TestApp.mapping(), named: "second").gone == 1)
  }

  @Test func `an incomplete answer makes nothing gone, and the report has its words`() throws {
    func elements(_ numbers: ClosedRange<Int>, _ more: String = "") -> String {
      let nodes = numbers.map {
        #"{"type":"node","id":\#($0),"lat":46.\#($0 + 10),"lon":7.1,"tags":{"man_made":"surveillance"}}"#
      }
      return #"{"elements":[\#(nodes.joined(separator: ","))]\#(more)}"#
    }
    _ = try app.importOSM(elements(1...9))
    let report = try app.importOSM(elements(1...5, #","remark":"runtime error: timeout""#))
    #expect(report.gone == 0 && report.incomplete == "runtime error: timeout")
    let shown = try app.get(
      "/api/admin/imports/\(try #require(report.id))", as: admin.identity
    ).json
    #expect(shown["incomplete"] == "runtime error: timeout")
  }

  @Test func `an empty list makes nothing gone`() throws {
    _ = try take(1...5)
    let report = try take([])
    #expect(report.gone == 0 && report.incomplete == "it has no rows")
    #expect(try take(1...4).gone == 1)
  }

  @Test func `what a change file deletes or makes another object is gone, and nothing else`() throws
  {
    let nodes = (1...6).map {
      #"<node id="\#($0)" lat="46.\#($0 + 10)" lon="7.1"><tag k="man_made" v="surveillance"/></node>"#
    }.joined()
    _ = try app.importOSM("<osm>\(nodes)</osm>")
    let changes = """
      <osmChange><modify><node id="2" lat="46.12" lon="7.1"><tag k="highway" v="street_lamp"/></node>
      <node id="6" lat="46.16" lon="7.1"><tag k="man_made" v="surveillance"/></node></modify>
      <delete><node id="1"/></delete></osmChange>
      """
    let report = try app.importOSM(changes)
    #expect(report.gone == 2)
    #expect(try shown() == 6)
    try settle(report, "withdraw")
    #expect(try shown() == 4)
  }

  @Test func `missing devices are withdrawn, and come back`() throws {
    _ = try take(1...5)
    let report = try take(1...3)
    #expect(try settle(report, "withdraw").status == .accepted)
    #expect(try shown() == 3)
    #expect(try app.get(Path.items).matched == 3)
    #expect(try settle(report, "restore").status == .accepted)
    #expect(try shown() == 5)
    #expect(try app.get(Path.items).matched == 5)
    try settle(report, "remove")
    #expect(try shown() == 5)
    #expect(try shown("status = 'removed'") == 2)
    // The whole import can still be undone.
    let undo = app.send(
      .post, "/api/admin/imports/\(try #require(report.id))/undo", json: [:], as: admin.identity)
    #expect(undo.status == .accepted)
    app.app.imports.worker.rest()
    #expect(try shown("status = 'removed'") == 0)
  }

  @Test func `a device of the list that returns is on the map again`() throws {
    _ = try take(1...5)
    try settle(try take(1...3), "withdraw")
    #expect(try take(1...5).added == 2)
    #expect(try shown() == 5)
  }

  @Test func `what people have edited or confirmed since stays`() throws {
    _ = try take(1...6)
    let report = try take(1...3)
    app.clock.advance(by: .seconds(60))
    let five = try #require(
      try app.database.read { connection in
        try connection.first("SELECT rowid, id FROM device WHERE name = 'Camera 5'") {
          TestDevice(rowid: $0.int(0), id: $0.text(1))
        }
      })
    try app.edit(five) { $0.columns.append(("description", "Still here.")) }
    try app.database.write { connection in
      try connection.execute(
        "UPDATE device SET last_confirmed = ? WHERE name = 'Camera 6'",
        [.text(app.clock.now.text)])
    }
    try settle(report, "withdraw")
    #expect(try shown() == 5)
    #expect(try shown("hidden = 2 AND name = 'Camera 4'") == 1)
  }

  @Test(arguments: ["", "delete", "WITHDRAW"])
  func `an unknown action is named and changes nothing`(action: String) throws {
    _ = try take(1...5)
    let response = try settle(try take(1...3), action)
    #expect(response.status == .unprocessableContent || response.status == .badRequest)
    #expect(try shown() == 5)
  }

  @Test func `a trial, an undone and an unknown import have nothing to settle`() throws {
    _ = try take(1...5)
    let trial = app.send(
      .post, "/api/admin/imports/999/missing", json: ["action": "withdraw"], as: admin.identity)
    #expect(trial.status == .notFound)
    let report = try take(1...3)
    let path = "/api/admin/imports/\(try #require(report.id))"
    _ = app.send(.post, "\(path)/undo", json: [:], as: admin.identity)
    app.app.imports.worker.rest()
    #expect(try settle(report, "withdraw").status == .conflict)
    let person = try app.account("ana")
    #expect(
      app.send(.post, "\(path)/missing", json: ["action": "withdraw"], as: person.identity).status
        == .forbidden)
  }
}
