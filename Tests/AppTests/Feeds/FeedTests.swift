@testable import App
@testable import Devices
import Foundation
import FoundationXML
import JSON
import PrivacyMap
@testable import Reading
import SpatialDatabase
import Testing
import WebServer

/// Feeds of new and changed devices.
@Suite struct FeedTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private let atom = "/api/feeds/devices.atom"
  private let json = "/api/feeds/devices.json"

  private func items(_ answer: TestAnswer) throws -> [JSONValue] {
    try #require(try answer.json["items"]?.arrayValue)
  }

  private func titles(_ answer: TestAnswer) throws -> [String] {
    try items(answer).compactMap { $0["title"]?.stringValue }
  }

  @Test func `the last changed comes first, with new and changed devices distinct`() throws {
    let old = try app.device(name: "Old")
    app.clock.advance(by: .seconds(60))
    try app.device(name: "New")
    app.clock.advance(by: .seconds(60))
    try app.edit(old) { $0.columns.append(("name", "Old, changed")) }
    let items = try items(app.get(json))
    #expect(items.compactMap { $0["title"]?.stringValue } == ["Old, changed", "New"])
    #expect(
      items.compactMap { $0["content_text"]?.stringValue } == [
        "Changed: Fixed camera, Reported", "Added: Fixed camera, Reported",
      ])
    #expect(items[0]["id"]?.stringValue == "urn:uuid:\(old.id)")
    #expect(items[0]["date_published"]?.stringValue == "2026-11-21T12:00:00Z")
    #expect(items[0]["date_modified"]?.stringValue == "2026-11-21T12:02:00Z")
  }

  @Test func `pages list each device once, while others change`() throws {
    for number in 0..<7 {
      try app.device(name: "\(number)")
      if number % 2 == 0 { app.clock.advance(by: .seconds(1)) }
    }
    var found: [String] = []
    var answer = app.get(json, ["limit": "3"])
    while true {
      found += try titles(answer)
      guard let next = try answer.json["next_url"]?.stringValue else { break }
      if found.count == 3 { try app.device(name: "In between") }
      answer = app.follow(next)
    }
    #expect(found == ["6", "5", "4", "3", "2", "1", "0"])
  }

  @Test func `a feed has the devices of the list with the same filter`() throws {
    try app.device(.alpr, name: "Reader")
    try app.device(.cameraFixed, name: "Camera")
    try app.hide(try app.device(.alpr, name: "Hidden"))
    #expect(try titles(app.get(json, ["category": "alpr"])) == ["Reader"])
    #expect(!app.get(atom).text.contains("Hidden"))
    #expect(app.get(atom, ["category": "nonsense"]).status == .badRequest)
    #expect(try app.get(atom, ["cursor": "nonsense"]).fields == ["cursor"])
  }

  @Test func `a cursor is valid for its own filter only`() throws {
    for _ in 0..<3 { try app.device() }
    let next = try #require(try app.get(json, ["limit": "1"]).json["next_url"]?.stringValue)
    #expect(app.follow(next).status == .ok)
    #expect(app.follow(next + "&category=alpr").status == .badRequest)
  }

  @Test func `Atom is well-formed and has all required elements`() throws {
    let device = try app.device(name: "A < B & \"C\"", longitude: 7.5, latitude: 46.25)
    let answer = app.get(atom)
    #expect(answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8")
    let document = try XMLDocument(data: Data(answer.bytes))
    func text(_ path: String) throws -> String? {
      try document.nodes(forXPath: path).first?.stringValue
    }
    #expect(
      try text("/*[local-name()='feed']/*[local-name()='id']") == "http://farol.example" + atom)
    #expect(try text("//*[local-name()='entry']/*[local-name()='title']") == "A < B & \"C\"")
    #expect(try text("//*[local-name()='entry']/*[local-name()='id']") == "urn:uuid:\(device.id)")
    #expect(try text("//*[local-name()='entry']/*[local-name()='rights']") == "ODbL-1.0")
    #expect(try text("//*[local-name()='point']") == "46.25 7.5")
    for name in ["title", "updated", "author"] {
      #expect(try text("/*[local-name()='feed']/*[local-name()='\(name)']")?.isEmpty == false)
    }
  }

  @Test func `a feed without entries is valid too`() throws {
    #expect(try items(app.get(json)).isEmpty)
    #expect(try XMLDocument(data: Data(app.get(atom).bytes)).rootElement()?.name == "feed")
  }

  @Test func `a reader with the latest version gets 304, by ETag and by date`() throws {
    let device = try app.device()
    let answer = app.get(atom)
    let tag = try #require(answer.headers["ETag"])
    let date = try #require(answer.headers["Last-Modified"])
    #expect(app.get(atom, headers: ["If-None-Match": tag]).status == .notModified)
    #expect(app.get(atom, headers: ["If-Modified-Since": date]).status == .notModified)
    app.clock.advance(by: .seconds(60))
    try app.hide(device)
    #expect(app.get(atom, headers: ["If-None-Match": tag]).status == .ok)
    #expect(app.get(atom, headers: ["If-Modified-Since": date]).status == .ok)
  }

  @Test func `it uses the requested language`() throws {
    try app.device()
    #expect(app.get(atom, ["lang": "pt"]).text.contains("xml:lang=\"pt\""))
    #expect(app.get(atom, headers: ["Accept-Language": "pt"]).text.contains("xml:lang=\"pt\""))
    #expect(app.get(atom, ["lang": "xx"]).status == .badRequest)
  }

  @Test func `only the instance is named as author`() throws {
    let person = try app.account("maria")
    _ = try app.added(["name": "Hers"], as: person)
    for path in [atom, json] { #expect(!app.get(path).text.contains("maria")) }
  }

  @Test(arguments: [
    "-180,-90,180,90", "7.3,46.8,7.6,47.1", "170,-60,-170,60", "7,46,180,48", "0,0,0,0",
  ])
  func `an area has the devices of the whole feed that are in it`(box: String) throws {
    func place(_ number: Int) throws -> Coordinate {
      try Coordinate(longitude: number % 3 == 0 ? 175 : 7.405 + Double(number) / 100, latitude: 47)
    }
    for number in 0..<30 {
      let place = try place(number)
      try app.device(
        number % 2 == 0 ? .cameraFixed : .alpr, name: "\(number)", longitude: place.longitude,
        latitude: place.latitude)
      app.clock.advance(by: .seconds(1))
    }
    let area = try BoundingBox(bbox: box)
    let inArea = try (0..<30).reversed().filter { try area.contains(place($0)) }
    let all = try titles(app.get(json, ["bbox": box, "limit": "5"]))
    #expect(all == inArea.prefix(5).map { "\($0)" })
    let readers = try titles(app.get(json, ["bbox": box, "limit": "5", "category": "alpr"]))
    #expect(readers == inArea.filter { $0 % 2 == 1 }.prefix(5).map { "\($0)" })
  }

  @Test func `a large area is walked, a small one is looked up`() throws {
    for number in 0..<30 { try app.device(longitude: Double(number), latitude: 47) }
    let store = DeviceStore(
      database: app.database, index: app.app.index, vocabulary: app.vocabulary,
      environment: app.environment)
    func walks(_ box: String?, limit: Int) throws -> Bool {
      let filter = DeviceFilter(try box.map { [BoxCondition(try BoundingBox(bbox: $0))] } ?? [])
      return FeedStore.walks(filter, limit: limit, in: store, today: app.clock.now.day)
    }
    #expect(try walks("-180,-90,180,90", limit: 10))
    #expect(try !walks("-180,-90,180,90", limit: 30))
    #expect(try !walks("-1,46,1,48", limit: 10))
    #expect(try !walks("50,46,51,48", limit: 1))
    #expect(try !walks(nil, limit: 30))
  }

  @Test(.onlySQLite("about the query plans of SQLite"), arguments: [nil, BoundingBox.world])
  func `a page uses the index of changes`(box: BoundingBox?) throws {
    _ = try RandomWorld(app, count: 300)
    try app.database.optimize()
    for isFirst in [true, false] {
      let plan = try app.database.read { connection in
        let filter = DeviceFilter(box.map { [BoxCondition($0)] } ?? [])
        let condition = try filter.condition(
          vocabulary: app.vocabulary, today: app.clock.now.day, usesTree: false,
          connection: connection)
        return try connection.explain(
          FeedStore.statement(condition.sql, isFirst: isFirst),
          condition.arguments + (isFirst ? [] : [.text("2026"), .integer(4)]) + [.integer(10)])
      }
      #expect(plan.contains { $0.contains("device_by_updated_at") }, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }
  }
}
