import Import
import JSON
import Testing
import WrittenValues

@Suite struct GeoJSONReadingTests {
  private func place(_ type: String, _ coordinates: String) throws -> SourcePlace? {
    try rows(
      #"{"type":"Feature","properties":{},"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#
    ).first?.place
  }

  private let features = [
    #"{"type":"Feature","id":7,"properties":{"a":1},"geometry":{"type":"Point","coordinates":[13,52]}}"#,
    #"{"type":"Feature","properties":null,"geometry":null}"#,
  ]

  @Test func `a collection, lines, a sequence, a bare array and one feature read alike`() throws {
    let collection =
      #"{"type":"FeatureCollection","name":"x","features":[\#(features.joined(separator: ","))]}"#
    let late = #"{"features":[\#(features.joined(separator: ",\n"))],"type":"FeatureCollection"}"#
    let lines = features.joined(separator: "\n") + "\n"
    let sequence = features.map { "\u{1E}" + $0 + "\n" }.joined()
    let array = "[\(features.joined(separator: ","))]"

    for text in [collection, late, lines, sequence, array] {
      let rows = try rows(text)
      #expect(rows.map(\.place) == [.point(longitude: 13, latitude: 52), .none])
      #expect(JSONValue.object(rows[0].columns) == ["a": 1, "@id": 7])
    }
    #expect(try rows(features[0]).count == 1)
  }

  @Test func `the position of a line is half-way along it`() throws {
    #expect(
      try place("LineString", "[[10,0],[10,1],[10,4]]") == .pointOnShape(longitude: 10, latitude: 2)
    )
    #expect(try place("LineString", "[[10,0]]") == .pointOnShape(longitude: 10, latitude: 0))
    #expect(
      try place("LineString", "[[10,0],[10,0]]") == .pointOnShape(longitude: 10, latitude: 0))
  }

  @Test func `the position of a multi-line is on its longest line`() throws {
    #expect(
      try place("MultiLineString", "[[[0,0],[0,1]],[[5,0],[5,4]]]")
        == .pointOnShape(longitude: 5, latitude: 2))
  }

  @Test func `the position of a polygon is inside it, not in its hole or bay`() throws {
    #expect(
      try place("Polygon", "[[[0,0],[4,0],[4,4],[0,4],[0,0]]]")
        == .pointOnShape(longitude: 2, latitude: 2))
    // A ring around a hole from 1 to 3: the middle is empty, the widest stretch is next to it.
    #expect(
      try place("Polygon", "[[[0,0],[5,0],[5,4],[0,4],[0,0]],[[1,1],[3,1],[3,3],[1,3],[1,1]]]")
        == .pointOnShape(longitude: 4, latitude: 2))
    // A horseshoe open to the east.
    #expect(
      try place("Polygon", "[[[0,0],[6,0],[6,1],[1,1],[1,3],[6,3],[6,4],[0,4],[0,0]]]")
        == .pointOnShape(longitude: 0.5, latitude: 2))
  }

  @Test func `the position of a multi-polygon is in its largest polygon`() throws {
    #expect(
      try place(
        "MultiPolygon", "[[[[0,0],[1,0],[1,1],[0,1],[0,0]]],[[[10,0],[14,0],[14,4],[10,4],[10,0]]]]"
      )
        == .pointOnShape(longitude: 12, latitude: 2))
  }

  @Test(arguments: [
    ("Point", "[]"), ("Point", "[1]"), ("Point", #"["1","x"]"#), ("Point", "{}"), ("Point", "null"),
    ("LineString", "[]"), ("Polygon", "[]"), ("Polygon", "[[]]"), ("Polygon", "[[[0,0],[1,1]]]"),
    ("MultiPolygon", "[[]]"), ("Circle", "[1,2]"), ("MultiPoint", "[]"),
  ])
  func `a geometry without a usable position is refused`(type: String, coordinates: String) throws {
    guard case .unusable(let fault) = try place(type, coordinates) else {
      Issue.record("\(type) \(coordinates) has a place")
      return
    }
    #expect(fault.code == "no_place")
  }

  @Test func `a geometry collection takes the position of its first usable part`() throws {
    let rows = try rows(
      """
      {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[
        {"type":"LineString","coordinates":[]},{"type":"Point","coordinates":[1,2]}]}}
      """)

    #expect(rows[0].place == .pointOnShape(longitude: 1, latitude: 2))
  }

  @Test func `an unknown coordinate reference system is refused`() {
    let (failure, _) = failure(
      """
      {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25899"}},
       "features":[]}
      """)

    #expect(failure?.reason.contains("25899") == true)
  }

  @Test func `a malformed row among lines is refused alone`() throws {
    let rows = try rows("\(features[0])\n{\"type\":\"Feature\",\n\(features[1])\n")

    #expect(rows.map { $0.fault?.code } == [nil, "not_json", nil])
    #expect(rows[1].line == 2)
  }
}
