import Foundation
import JSON
@testable import Reference
import SpatialDatabase
import Testing
import WebServer

@Suite struct AddressTests {
  let app: TestApp

  init() throws { app = try TestApp { try TestAddresses.make(in: $0) } }

  /// The names of what a text finds near a position, the best first.
  private func names(_ text: String, near: String = "9.52,47.14") throws -> [String] {
    try found(text, near: near).compactMap { $0["name"]?.stringValue }
  }

  private func found(_ text: String, near: String = "9.52,47.14") throws -> [JSONValue] {
    try #require(
      try app.get("/api/places", ["q": text, "near": near]).json["places"]?.arrayValue)
  }

  @Test(arguments: [
    "Hauptstraße 12", "hauptstrasse 12", "Hauptstr. 12", "haupt str 12", "12 Hauptstrasse",
    "Hauptstrasse 12, 9490 Vaduz", "Hauptstrasse Nr. 12 Vaduz", "HAUPTSTRASSE 12 vaduz",
  ])
  func `an address is found in every spelling`(text: String) throws {
    let first = try #require(try found(text).first)
    #expect(first["name"] == "Hauptstrasse 12", "\(text)")
    #expect(first["kind"] == "address" && first["locality"] == "9490 Vaduz" && first["id"] == .null)
    #expect(first["longitude"] == 9.521 && first["latitude"] == 47.141)
  }

  @Test(arguments: [
    ("Koenigstr 3", "Königstraße 3"), ("konigstrasse 3", "Königstraße 3"),
    ("R. Augusta 7", "Rua Augusta 7"), ("rua augusta nº 7", "Rua Augusta 7"),
    ("Av da Republica 1", "Avenida da República 1"), ("avenida republica", "Avenida da República"),
    ("10 S Main St", "10 South Main Street"), ("south main street 10", "10 South Main Street"),
    ("33rd St", "East 33rd Street"), ("Karl-Marx-Str. 5", "Karl-Marx-Straße 5"),
    ("karl marx", "Karl-Marx-Straße"),
  ])
  func `abbreviations and accents make no difference`(text: String, name: String) throws {
    #expect(try names(text).first == name)
  }

  @Test func `of streets with the same name the nearest to the middle of the map is first`() throws
  {
    let places = { (near: String) in
      try found("hauptstrasse", near: near).map { $0["locality"]?.stringValue }
    }
    #expect(try places("9.52,47.14") == ["9490 Vaduz", "9494 Schaan"])
    #expect(try places("9.51,47.17") == ["9494 Schaan", "9490 Vaduz"])
  }

  @Test func `a town in the text selects its street`() throws {
    #expect(try found("hauptstrasse schaan").map { $0["locality"] } == ["9494 Schaan"])
    #expect(try names("hauptstrasse nowhere") == [])
  }

  @Test func `a letter belongs to the number, and a missing number gives the next of the same`()
    throws
  {
    #expect(try names("Hauptstrasse 14a").first == "Hauptstrasse 14a")
    #expect(try names("Hauptstrasse 14 a").first == "Hauptstrasse 14a")
    #expect(try names("Hauptstrasse 14").first == "Hauptstrasse 14a")
    #expect(try names("Hauptstrasse 15").first == "Hauptstrasse")
    #expect(try names("Hauptstrasse 140").first == "Hauptstrasse")
  }

  @Test(arguments: ["1100-053", "1100 053", "1100053", "1100-053 Lisboa"])
  func `a postcode is found with and without its hyphen`(text: String) throws {
    let first = try #require(try found(text).first)
    #expect(first["name"] == "1100-053" && first["kind"] == "postcode", "\(text)")
    #expect(first["locality"] == "Lisboa")
  }

  @Test func `the beginning of a postcode finds it, another town does not`() throws {
    #expect(try names("949") == ["9490", "9494"])
    #expect(try names("9490 Schaan") == [])
  }

  @Test func `a response with addresses has their credit, others have none`() throws {
    #expect(
      try app.get("/api/places", ["q": "hauptstrasse"]).json["attribution"]
        == "© OpenStreetMap contributors")
    #expect(try app.get("/api/places", ["q": "nowhere"]).json["attribution"] == .null)
  }

  @Test(arguments: [
    "\"", "12", "12 \"", "AND 12", "* 1", "name : 12", "(12", "1 2 3 4 5 6 7 8 9 10 11 12 13",
    "\u{0} 1", "𝟏𝟐 x",
    "१२ x", "²", "12-", "-12", "a\u{301}\u{301} 1",
  ])
  func `user input is never an operator of the search`(text: String) {
    #expect(app.get("/api/places", ["q": text, "near": "9.5,47.1"]).status.code < 500, "\(text)")
  }

  @Test(arguments: ["", "9.5", "181,0", "x,y"])
  func `a middle that is no position is a bad request`(near: String) throws {
    let answer = app.get("/api/places", ["q": "hauptstrasse", "near": near])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["near"])
  }

  @Test func `at the edges of the world nothing fails`() {
    for near in ["180,90", "-180,-90", "180,-90", "0,0"] {
      #expect(app.get("/api/places", ["q": "hauptstrasse 12", "near": near]).status == .ok)
    }
  }

  @Test func `an unreadable file is left out`() throws {
    let app = try TestApp { folder in
      try TestAddresses.make(in: folder)
      try Data("no database".utf8).write(
        to: folder.appendingPathComponent("streets/broken.addresses.db"))
    }
    let found = try app.get("/api/places", ["q": "rua augusta"]).json["places"]?.arrayValue
    #expect(found?.count == 1)
  }

  @Test func `every query uses an index`() throws {
    let file = try ReadOnlyFile(
      path: app.folder.appendingPathComponent("streets/test.addresses.db").path)
    let queries: [(String, [SQLValue])] = [
      (AddressFile.matching, ["haupt", 0, 9, 10]), (AddressFile.firstOnCurve, [5]),
      (AddressFile.numbered, [1, "12", "13"]), (AddressFile.coded, ["94", "95"]),
    ]
    for (query, values) in queries {
      let plan = try file.read { connection in
        try connection.rows("EXPLAIN QUERY PLAN " + query, values) { $0.text(3) }
      }
      for step in plan {
        let isIndexed =
          step.hasPrefix("SEARCH ") || step.contains("street_text VIRTUAL TABLE INDEX")
        #expect(isIndexed, "\(query): \(step)")
      }
    }
  }
}
