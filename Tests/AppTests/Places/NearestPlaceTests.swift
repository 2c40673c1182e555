import JSON
import Testing
import WebServer

@Suite struct NearestPlaceTests {
  let app: TestApp

  init() throws { app = try TestApp { try TestPlaces.make(in: $0) } }

  private func nearest(_ positions: [String], language: String = "en") -> TestAnswer {
    let query = positions.map { ("near", $0) } + [("lang", language)]
    return app.send(target: Request.target("/api/places/nearest", query))
  }

  private func places(_ positions: [String], language: String = "en") throws -> [JSONValue] {
    try #require(try nearest(positions, language: language).json["places"]?.arrayValue)
  }

  @Test func `each position gets its nearest town, in order and in the reader's language`() throws {
    let found = try places(["8.55,47.37", "-9.13333,38.71667"], language: "pt")
    #expect(found.map { $0["name"]?.stringValue } == ["Zürich", "Lisboa"])
    #expect(found.map { $0["kind"]?.stringValue } == ["city", "city"])
  }

  @Test func `a town has its distance in metres`() throws {
    let found = try places(["-9.13333,38.71667", "-9.13333,38.72667"])
    #expect(found.first?["distance"]?.intValue == 0)
    let north = try #require(found.last?["distance"]?.intValue)
    #expect((1_100...1_120).contains(north))
  }

  @Test func `a position without a town within half a degree gets null`() throws {
    #expect(try places(["0,0", "8.55,47.37"]).map(\.isNull) == [true, false])
  }

  @Test func `a town beyond the edge of the first box wins over a farther one in its corner`()
    throws
  {
    #expect(try places(["20,60"]).first?["name"]?.stringValue == "Edge")
    #expect(try places(["20.04,60.049"]).first?["name"]?.stringValue == "Corner")
  }

  @Test func `fifty positions are accepted, and neither none nor more`() throws {
    #expect(try places(Array(repeating: "8.55,47.37", count: 50)).count == 50)
    for count in [0, 51] {
      let answer = nearest(Array(repeating: "8.55,47.37", count: count))
      #expect(answer.status == .badRequest)
      #expect(try answer.fields == ["near"])
    }
  }

  @Test(arguments: ["", "8.55", "8.55,47.37,1", "a,b", "181,0", "0,91", "nan,0"])
  func `a position that is not one is a bad request`(position: String) throws {
    let answer = nearest([position])
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == ["near"])
  }

  @Test func `an instance without a gazetteer answers with null`() throws {
    let answer = try TestApp().get("/api/places/nearest", ["near": "8.55,47.37"])
    #expect(try answer.json["places"] == [.null])
  }
}
