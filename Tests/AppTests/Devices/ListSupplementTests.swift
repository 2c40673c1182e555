import JSON
import PrivacyMap
import Testing
import WebServer

/// `with` adds facts about a list to its response.
@Suite struct ListSupplementTests {
  let app: TestApp

  init() throws {
    app = try TestApp { try TestPlaces.make(in: $0) }
    try app.device(.alpr, name: "First", longitude: -9.13, latitude: 38.71)
    try app.device(.alpr, name: "Second", longitude: -9.14, latitude: 38.72)
    try app.device(.microphone, name: "At sea", longitude: -30, latitude: 10)
  }

  @Test func `kinds count the whole list, not only the page`() throws {
    let page = try app.get(Path.items, ["with": "kinds", "limit": "1"]).json
    #expect(
      page["kinds"] == [
        ["category": "alpr", "count": 2], ["category": "microphone", "count": 1],
      ])
    #expect(page["places"] == nil)
  }

  @Test(arguments: [
    ("category", "alpr"), ("bbox", "-10,38,-9,39"), ("q", "number plate"), ("filter", "name > 'F'"),
  ])
  func `kinds follow the filter`(name: String, value: String) throws {
    let page = try app.get(Path.items, [name: value, "with": "kinds"]).json
    #expect(page["kinds"] == [["category": "alpr", "count": 2]])
  }

  @Test func `places are in the order of the page, in the requested language`() throws {
    for (language, name) in [("en", "Lisbon"), ("pt", "Lisboa")] {
      let page = try app.get(
        Path.items, ["with": "places,kinds", "lang": language, "sortby": "name"]
      ).json
      let places = try #require(page["places"]?.arrayValue)
      #expect(places.count == 3 && places[0] == .null)  // «At sea»
      #expect(places[1]["name"]?.stringValue == name && places[2]["name"]?.stringValue == name)
      #expect(places[1]["distance"]?.intValue ?? 0 < 2_000)
    }
  }

  @Test func `without the parameter a list has no further members`() throws {
    let page = try app.get(Path.items).json
    #expect(page["kinds"] == nil && page["places"] == nil)
  }

  @Test(arguments: [("with", "weather"), ("with", ""), ("with", "kinds,"), ("lang", "xx")])
  func `an unknown member or language is a bad request`(name: String, value: String) throws {
    let answer = app.get(Path.items, [name: value])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == [name])
  }
}
