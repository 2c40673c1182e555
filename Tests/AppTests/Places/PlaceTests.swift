import JSON
import Testing
import WebServer

@Suite struct PlaceTests {
  let app: TestApp

  init() throws { app = try TestApp { try TestPlaces.make(in: $0) } }

  private func names(_ query: TestApp.Parameters) throws -> [String] {
    try #require(try app.get("/api/places", query).json["places"]?.arrayValue)
      .compactMap { $0["name"]?.stringValue }
  }

  @Test func `a place is found by the beginning of its name, the largest first`() throws {
    #expect(try names(["q": "lis"]).first == "Lisbon")
    #expect(try names(["q": "Lisbon"]) == ["Lisbon", "Lisbon Falls"])
    #expect(try names(["q": "sao pau"]) == ["São Paulo"])
    #expect(try names(["q": "nowhere at all"]) == [])
  }

  @Test(arguments: ["Lisobn", "Lisbn", "Lissbon", "Lisban", "são pualo"])
  func `a place is found by a name with one mistake`(text: String) throws {
    let found = try #require(try app.get("/api/places", ["q": text]).json["places"]?[0])
    #expect(["Lisbon", "São Paulo"].contains(found["name"]?.stringValue))
    #expect(found["is_exact"] == false)
  }

  @Test(arguments: ["Lsion", "isbon", "Lis", "Lisobn Lisobn", "Lisobn at the end of it"])
  func `other texts find nothing, or the beginning of a name`(text: String) throws {
    #expect(try names(["q": text]).allSatisfy { _ in text == "Lis" })
  }

  @Test func `a place is found by a foreign name and shown in the reader's language`() throws {
    #expect(try names(["q": "Lisboa"]).first == "Lisbon")
    #expect(try names(["q": "lisbon", "lang": "pt"]).first == "Lisboa")
  }

  @Test func `a place has a position, and its box filters devices`() throws {
    let place = try #require(try app.get("/api/places", ["q": "lisbon"]).json["places"]?[0])
    #expect(place["country"]?.stringValue == "PT")
    #expect(place["kind"]?.stringValue == "city")
    #expect(place["longitude"]?.numberValue == -9.13333)
    #expect(place["bbox"] == [-9.3, 38.6, -9, 38.8])
    let id = try #require(place["id"]?.stringValue)
    let inside = try app.device(name: "inside", longitude: -9.1, latitude: 38.7)
    try app.device(name: "outside", longitude: -8.9, latitude: 38.7)
    #expect(try app.get(Path.items, ["place": "\(id)"]).ids == [inside.id])
    let both = app.get(Path.items, ["place": "\(id)", "bbox": "-9.05,38,-8,39"])
    #expect(try both.matched == 0)
    #expect(try app.get(Path.items, ["place": "\(id)", "q": "inside"]).ids == [inside.id])
  }

  @Test(arguments: ["999999999", "-1", "lisbon", "", "1.0", "99999999999999999999"])
  func `an unknown place is a bad request`(place: String) throws {
    let answer = app.get(Path.items, ["place": place])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["place"])
    let alone = app.get("/api/places", ["id": place])
    #expect(alone.status == .badRequest)
    #expect(try alone.fields == ["id"])
  }

  @Test func `a place is found by its number, in the reader's language`() throws {
    let place = try #require(try app.get("/api/places", ["q": "lisbon"]).json["places"]?[0])
    let id = try #require(place["id"]?.stringValue)
    // Without a searched text no name matches exactly.
    var expected = try #require(place.objectValue)
    expected["is_exact"] = false
    #expect(try app.get("/api/places", ["id": id]).json["places"] == [.object(expected)])
    #expect(try names(["id": id, "lang": "pt"]) == ["Lisboa"])
  }

  @Test func `the requested number of places is returned, at most twenty`() throws {
    #expect(try names(["q": "l", "limit": "1"]).count == 1)
    #expect(try names(["q": "l", "limit": "500"]).count == 2)
    for limit in ["0", "-1", "x", ""] {
      let answer = app.get("/api/places", ["q": "l", "limit": limit])
      #expect(answer.status == .badRequest)
      #expect(try answer.fields == ["limit"])
    }
  }

  @Test(arguments: ["\"", "*", "AND", "NEAR(a b)", "name:", "-a", "(", "a\"b", "\u{0}", "…"])
  func `user input is never an operator of the search`(text: String) {
    #expect(app.get("/api/places", ["q": text]).status.code < 500)
  }

  @Test func `without words there is no search`() throws {
    for query: TestApp.Parameters in [[:], ["q": ""], ["q": "  "]] {
      let answer = app.get("/api/places", query)
      #expect(answer.status == .badRequest)
      #expect(try answer.fields == ["q"])
    }
  }

  @Test func `places are cached for an hour and separately by language`() throws {
    let answer = app.get("/api/places", ["q": "lis"])
    #expect(answer.headers["Cache-Control"] == "public, max-age=3600")
    #expect(answer.headers["Vary"]?.contains("Accept-Language") == true)
    let tag = try #require(answer.headers["ETag"])
    let again = app.get("/api/places", ["q": "lis"], headers: ["If-None-Match": tag])
    #expect(again.status == .notModified)
  }

  @Test func `of places with one name the one near the middle of the map comes first`() throws {
    let app = try TestApp {
      try TestPlaces.make(
        in: $0,
        adding: [
          ("Springfield", "Illinois", "US", -89.65, 39.80),
          ("Springfield", "Missouri", "US", -93.29, 37.21),
        ])
    }
    for (near, region) in [("-89.6,39.9", "Illinois"), ("-93.3,37.3", "Missouri")] {
      let places = try app.get("/api/places", ["q": "springfield", "near": near]).json["places"]
      #expect(places?[0]?["region"]?.stringValue == region)
      #expect(places?.arrayValue?.count == 2)
    }
  }

  @Test func `a place says whether the whole text is its name`() throws {
    let exact = try app.get("/api/places", ["q": "lisbon"]).json["places"]
    #expect(exact?[0]?["is_exact"]?.boolValue == true)
    #expect(exact?[1]?["is_exact"]?.boolValue == false)
    let beginning = try app.get("/api/places", ["q": "lisb"]).json["places"]
    #expect(beginning?[0]?["is_exact"]?.boolValue == false)
  }

  @Test func `a city comes before the region that has its name`() throws {
    let places = try app.get("/api/places", ["q": "Zürich"]).json["places"]
    #expect(places?[0]?["kind"]?.stringValue == "city")
    #expect(places?[1]?["kind"]?.stringValue == "region")
  }
}
