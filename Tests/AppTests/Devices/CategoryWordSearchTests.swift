import JSON
import PrivacyMap
import Testing
import WebServer

/// `q` also finds devices by the names of their category.
@Suite struct CategoryWordSearchTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    try app.device(.alpr, name: "Gate", longitude: 8.5, latitude: 47.3)
    try app.device(.microphone, name: "Pole at Market", longitude: 8.6, latitude: 47.4)
    try app.device(.cameraFixed, name: "Entrance", longitude: 8.7, latitude: 47.5)
    try app.device(.beacon, name: "The CCTV shop", longitude: 8.8, latitude: 47.6)
  }

  private func names(_ query: TestApp.Parameters) throws -> [String] {
    let features = try #require(try app.get(Path.items, query).json["features"]?.arrayValue)
    return features.compactMap { $0["properties"]?["name"]?.stringValue }.sorted()
  }

  @Test(arguments: [
    ("number plate", "Gate"), ("ANPR", "Gate"), ("microfone", "Pole at Market"),
    ("Microfone escondido", "Pole at Market"), ("microphone market", "Pole at Market"),
  ])
  func `an everyday word in any language finds the devices of the category`(
    words: String, name: String
  ) throws {
    #expect(try names(["q": words]) == [name])
    #expect(try names(["q": words, "near": "8.5,47.3", "sortby": "distance"]) == [name])
    #expect(try names(["q": words, "bbox": "8,47,9,48"]) == [name])
    #expect(try names(["q": words, "bbox": "0,47,1,48"]) == [])
  }

  @Test func `devices with the word itself are found too`() throws {
    #expect(try names(["q": "CCTV"]) == ["Entrance", "The CCTV shop"])
    #expect(try names(["q": "cctv shop"]) == ["The CCTV shop"])
    #expect(try names(["q": "market"]) == ["Pole at Market"])
  }

  @Test func `the other words must occur in the device`() throws {
    #expect(try names(["q": "microphone nowhere"]) == [])
  }

  @Test func `further conditions apply to both`() throws {
    #expect(try names(["q": "CCTV", "category": "beacon"]) == ["The CCTV shop"])
    #expect(try names(["q": "CCTV", "operator": "Nobody"]) == [])
    #expect(try names(["q": "CCTV", "filter": "name LIKE 'E%'"]) == ["Entrance"])
  }

  @Test func `counts, pages and statistics agree`() throws {
    let first = app.get(Path.items, ["q": "cctv", "limit": "1"])
    #expect(try first.matched == 2 && first.ids.count == 1)
    let counted = try app.get("/api/statistics", ["q": "cctv"]).json
    #expect(counted["total"]?.intValue == 2)
  }
}
