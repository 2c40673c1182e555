@testable import App
@testable import Downloads
import Devices
import Locking
import PrivacyMap
import Service
import Testing
import WebServer

/// Parts of exports (`Range`), as programs read them that do not download the whole file.
@Suite struct ExportPartTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    for number in 0..<20 { try app.device(name: "Device \(number)", longitude: Double(number)) }
  }

  private func part(
    _ range: String, of format: ExportFormat, _ query: String = ""
  ) -> TestAnswer {
    app.send(target: TestApp.exportPath(format) + query, headers: ["Range": "bytes=\(range)"])
  }

  @Test(arguments: [ExportFormat.csv, .geojson, .geojsonl, .gpkg, .osm])
  func `parts together are one file`(format: ExportFormat) throws {
    let head = app.send(.head, target: TestApp.exportPath(format))
    let length = try #require(head.headers["Content-Length"].flatMap { Int($0) })
    #expect(head.headers["Accept-Ranges"] == "bytes")
    let first = part("0-99", of: format)
    let rest = part("100-", of: format)
    #expect(first.status == .partialContent && rest.status == .partialContent)
    #expect(first.headers["Content-Range"] == "bytes 0-99/\(length)")
    #expect(first.bytes.count == 100 && rest.bytes.count == length - 100)
    for answer in [first, rest] {
      #expect(answer.headers["ETag"] == head.headers["ETag"])
      #expect(answer.headers["OGC-NumberMatched"] == head.headers["OGC-NumberMatched"])
      #expect(answer.headers["ETag"]?.hasPrefix("\"") == true)
    }
    if format == .csv { #expect(first.bytes + rest.bytes == app.export(.csv).bytes) }
    #expect(part("\(length)-", of: format).status == .rangeNotSatisfiable)
  }

  @Test func `the version of a whole file is known to HEAD`() throws {
    let tag = try #require(app.export(.csv).headers["ETag"])
    let path = TestApp.exportPath(.csv)
    #expect(app.send(.head, target: path, headers: ["If-None-Match": tag]).status == .notModified)
    let part = try #require(part("0-9", of: .csv).headers["ETag"])
    #expect(app.send(.head, target: path, headers: ["If-None-Match": part]).status == .notModified)
    try app.device(name: "New")
    #expect(app.send(.head, target: path, headers: ["If-None-Match": tag]).status == .ok)
  }

  @Test func `a whole file says that parts of it can be had`() {
    let whole = app.export(.csv)
    #expect(whole.status == .ok && whole.headers["Accept-Ranges"] == "bytes")
  }

  @Test func `parts are of one file while it is being read, though the map changes`() throws {
    let before = part("0-9", of: .csv)
    try app.device(name: "New")
    app.clock.advance(by: .seconds(59))
    let after = part("10-19", of: .csv)
    #expect(after.headers["ETag"] == before.headers["ETag"])
    #expect(after.headers["OGC-NumberMatched"] == "20")
    #expect(app.export(.csv).headers["OGC-NumberMatched"] == "21")
    // No client reads it any more.
    app.clock.advance(by: .seconds(60))
    let later = part("0-9", of: .csv)
    #expect(later.headers["ETag"] != before.headers["ETag"])
    #expect(later.headers["OGC-NumberMatched"] == "21")
  }

  @Test func `a file is read for ten minutes at most after the map has changed`() throws {
    let before = part("0-9", of: .csv)
    for _ in 0..<11 {
      app.clock.advance(by: .seconds(50))
      #expect(part("0-9", of: .csv).headers["ETag"] == before.headers["ETag"])
    }
    try app.device(name: "New")
    #expect(part("0-9", of: .csv).headers["ETag"] == before.headers["ETag"])
    app.clock.advance(by: .seconds(50))
    #expect(part("0-9", of: .csv).headers["ETag"] != before.headers["ETag"])
  }

  @Test func `parts of an older file are refused or the whole of the new one`() throws {
    let tag = try #require(part("0-9", of: .csv).headers["ETag"])
    try app.device(name: "New")
    app.clock.advance(by: .seconds(60))
    let path = TestApp.exportPath(.csv)
    let match = app.send(target: path, headers: ["Range": "bytes=0-9", "If-Match": tag])
    #expect(match.status == .preconditionFailed)
    let range = app.send(target: path, headers: ["Range": "bytes=0-9", "If-Range": tag])
    #expect(range.status == .ok && range.headers["OGC-NumberMatched"] == "21")
  }

  @Test func `each filter has its own file, and the least used are forgotten`() throws {
    let first = part("0-9", of: .csv, "?bbox=-1,-1,1.5,1")
    #expect(first.headers["OGC-NumberMatched"] == "2")
    for number in 0..<8 {
      app.clock.advance(by: .seconds(1))
      #expect(part("0-9", of: .csv, "?limit_is_no_parameter=\(number)").status == .badRequest)
      #expect(part("0-9", of: .csv, "?bbox=-1,-1,\(number),1").status == .partialContent)
    }
    let again = part("0-9", of: .csv, "?bbox=-1,-1,1.5,1")
    #expect(again.headers["OGC-NumberMatched"] == "2")
    #expect(again.headers["ETag"] != first.headers["ETag"])
  }

  @Test func `requests at the same time get the same file`() throws {
    let answers = try Concurrently.map(Array(0..<8)) { [app] _ in
      app.send(target: TestApp.exportPath(.csv), headers: ["Range": "bytes=0-9"]).headers["ETag"]
    }
    #expect(Set(answers).count == 1)
  }

  @Test func `a table for Excel begins with a byte order mark`() throws {
    let (plain, marked) = (app.export(.csv), app.export(.csv, ["bom": "true"]))
    #expect(marked.bytes == [0xEF, 0xBB, 0xBF] + plain.bytes)
    #expect(app.export(.csv, ["bom": "false"]).bytes == plain.bytes)
    #expect(part("0-2", of: .csv, "?bom=true").bytes == [0xEF, 0xBB, 0xBF])
    #expect(app.export(.csv, ["bom": "1"]).status == .badRequest)
    #expect(app.export(.geojson, ["bom": "true"]).status == .badRequest)
  }

  @Test func `each row has the address of its device`() throws {
    let table = app.table()
    #expect(
      try table.column("url") == table.column("id").map { "http://farol.example/devices/\($0)" })
  }
}
