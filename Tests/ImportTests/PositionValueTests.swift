@testable import Import
@testable import WrittenValues
import JSON
import PrivacyMap
import Testing

/// Positions in one value, in the notations that people use.
@Suite struct PositionValueTests {
  private func read(_ text: String, o isOEast: Bool? = nil) -> WrittenPosition? {
    var notation = WrittenPosition.Notation()
    notation.isOEast = isOEast
    return WrittenPosition.read([text], notation)
  }

  private func isNear(_ found: WrittenPosition?, _ x: Double, _ y: Double) -> Bool {
    guard let (foundX, foundY) = found?.ordered(nil) else { return false }
    return abs(foundX - x) < 1e-6 && abs(foundY - y) < 1e-6
  }

  @Test(arguments: [
    "46.2, 6.1", "46.2,6.1", "46.2 6.1", "46.2; 6.1", "(46.2, 6.1)", "[46.2, 6.1]", "46,2 6,1",
    "46,2; 6,1", "46,2, 6,1", "46.2/6.1", " 46.2 ,\t6.1 ", "46.2° 6.1°", "46.2N 6.1E",
    "N46.2 E6.1", "6.1 E, 46.2 N", "46° 12' 0\" N 6° 6' 0\" E", "46°12′00″N, 6°06′00″E",
    "46º12'N 6º06'E", "N 46 12 E 6 6", "46 12 0 6 6 0", "46 12 0 N, 6 6 0 E",
    "Lat: 46.2 Lon: 6.1", "lat=46.2, lng=6.1", "Latitude 46.2; Longitude 6.1", "6.1 Est 46.2 Nord",
    "+46.2, +6.1", "46.2\u{A0}6.1", "46 deg 12 min N 6 deg 6 min E",
    "1 Main St\nGenève\n(46.2, 6.1)", "1 Main St, Genève (46.2, 6.1)", "Rue X\n46.2, 6.1",
    "[6.1, 46.2]".replacing("6.1, 46.2", with: "46.2, 6.1"),
    #"{"latitude": "46.2", "longitude": "6.1", "human_address": "{}"}"#,
    #"{"lat": 46.2, "lng": 6.1}"#, #"{"type": "Point", "coordinates": [6.1, 46.2]}"#,
    #"{"type":"Point","coordinates":[6.1,46.2,400]}"#, #"{"x": 6.1, "y": 46.2}"#,
    "POINT (6.1 46.2)", "POINT(6.1 46.2)", "point z (6.1 46.2 400)", "SRID=4326;POINT(6.1 46.2)",
    "MULTIPOINT ((6.1 46.2), (7 47))", "MULTIPOINT (6.1 46.2, 7 47)",
    "LINESTRING (6.0 46.2, 6.2 46.2)",
    "POLYGON ((6 46.1, 6.2 46.1, 6.2 46.3, 6 46.3, 6 46.1))",
    "GEOMETRYCOLLECTION (POINT (6.1 46.2), LINESTRING (0 0, 1 1))",
    "010100000066666666666618409A99999999194740",
    "0101000020E610000066666666666618409A99999999194740",
    "\\x010100000066666666666618409A99999999194740",
    "00000000014018666666666666404719999999999A",
    "geo:46.2,6.1", "geo:0,0?q=46.2,6.1(X)", "geo:46.2,6.1;u=30?z=12",
    "https://www.google.com/maps/@46.2,6.1,17z", "https://maps.google.com/?q=46.2,6.1",
    "https://www.google.com/maps/place/X/@1,2,17z/data=!8m2!3d46.2!4d6.1",
    "https://www.google.com/maps/search/?api=1&query=46.2%2C6.1",
    "https://www.openstreetmap.org/#map=17/46.2/6.1",
    "https://www.openstreetmap.org/?mlat=46.2&mlon=6.1#map=3/1/1",
    "https://www.bing.com/maps?cp=46.2~6.1&lvl=16",
  ])
  func `a position is read`(text: String) {
    #expect(isNear(read(text), 6.1, 46.2))
  }

  @Test func `the south and the west are negative`() {
    #expect(isNear(read("33.5 S 70.5 W"), -70.5, -33.5))
    #expect(isNear(read("33° 30' S, 70° 30' W"), -70.5, -33.5))
    #expect(isNear(read("-33.5, -70.5"), -70.5, -33.5))
    #expect(isNear(read("−33.5, −70.5"), -70.5, -33.5))
    #expect(isNear(read("33.5 Sul, 70.5 Oeste"), -70.5, -33.5))
  }

  @Test func `the letter O is refused until its meaning is known`() {
    #expect(read("48.2 N, 16.4 O") == nil)
    #expect(isNear(read("48.2 N, 16.4 O", o: true), 16.4, 48.2))
    #expect(isNear(read("38.7 N, 9.1 O", o: false), -9.1, 38.7))
    #expect(isNear(read("48.2 N, 16.4 Ö"), 16.4, 48.2))
  }

  @Test(arguments: [
    "", " ", "Geneva", "12", "46.2", "46,2", "46.2, 6.1, 7", "Rua 5, 12", "N 46 N 6",
    "-46.2 N 6.1 E",
    "46 60 0 N 6 0 0 E", "46.5 30 N 6 0 E", "1e2", "1e2, 1e3", "12N34 5E6", "POINT EMPTY",
    "POINT ()", "POINT (6.1)", "POINT (a b)",
    "POINT (6.1 46.2", "CIRCLE (6.1 46.2)", "POLYGON ((((((((1 2))))))))", "SRID=x;POINT (1 2)",
    "0101000000666666666666184", "01010000006666666666661840", "99010000006666", "geo:", "geo:a,b",
    "https://example.org/", "https://maps.google.com/?q=Geneva", "9G8F+6X", "8FVC0000+", "{}", "[]",
    "[1]", "{\"lat\": 1}", "{\"type\": \"Point\"}", "(())", "°, °", "1 2 3", "🙂, 🙃",
    "0103000000FFFFFFFF05000000",
  ])
  func `other text is no position`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `a plus code is the middle of its area`() {
    #expect(isNear(read("8FVC9G8F+6X"), 8.524_937_5, 47.365_562_5))
    let finer = read("8FVC9G8F+6XQ")?.ordered(nil)
    #expect(finer.map { abs($0.y - 47.365_59) < 1e-4 } == true)
  }

  @Test func `the numbers of a JSON list are a position`() {
    let found = WrittenPosition.read(["46.2", "6.1"], WrittenPosition.Notation())
    #expect(found?.ordered(nil).x == 6.1 && found?.order == nil)
    #expect(found?.ordered(.longitudeFirst).x == 46.2)
  }

  @Test func `the order of the mapping comes before that of the notation, but not before letters`()
  {
    #expect(read("POINT (46.2 6.1)")?.ordered(.latitudeFirst).x == 6.1)
    #expect(read("46.2 N 6.1 E")?.ordered(.longitudeFirst).x == 6.1)
  }

  @Test func `a line and an area are positions on a shape`() {
    #expect(read("POINT (1 2)")?.isOnShape == false)
    #expect(read("LINESTRING (1 2, 3 4)")?.isOnShape == true)
  }

  @Test func `a long hostile text is refused at once`() {
    #expect(read(String(repeating: "(", count: 100_000)) == nil)
    #expect(read("POINT " + String(repeating: "(", count: 100_000)) == nil)
    #expect(read(String(repeating: "1 ", count: 200_000)) == nil)
    #expect(read("{" + String(repeating: "\"a\":{", count: 50_000)) == nil)
    #expect(read("0107000000" + String(repeating: "FFFFFFFF", count: 10_000)) == nil)
  }

  // MARK: Rows

  private func mapping(_ more: String, input: String = "{}") throws -> ImportMapping {
    try ImportMapping(
      JSONValue(
        parsing: Array(
          """
          {"source": {"code": "x", "name": "X", "licence": "CC0-1.0", "attribution": "X"},
           "input": \(input),
           "fields": {"category": "camera_fixed", "name": {"template": "Camera"}, \(more)}}
          """.utf8)))
  }

  private func devices(
    _ csv: String, _ mapping: ImportMapping
  ) throws -> [(longitude: Double, latitude: Double)?] {
    let mapper = RowMapper(
      mapping: mapping, vocabulary: nil, today: try #require(Day(text: "2026-11-29")))
    return try rows(csv, name: "a.csv", mapping.reading).flatMap { mapper.outcomes(for: $0) }.map {
      if case .device(let device) = $0 {
        (device.coordinate.longitude, device.coordinate.latitude)
      } else {
        nil
      }
    }
  }

  @Test func `easting and northing of a coordinate system become degrees`() throws {
    let mapping = try mapping(
      #""longitude": {"from": "x", "decimal": ","}, "latitude": {"from": "y", "decimal": ","}"#,
      input: #"{"crs": "EPSG:25832"}"#)
    // The last row is on the other side of the Earth for a projection that is used outside its area.
    let found = try devices(
      "id;x;y\n1;691603,5;5334760,25\n2;1e+99;5334760\n3;1e+9;5334760\n", mapping)
    let munich = try #require(found.first ?? nil)
    #expect(abs(munich.longitude - 11.575_5) < 1e-3 && abs(munich.latitude - 48.137_2) < 1e-3)
    #expect(found.count == 3 && found[1] == nil && found[2] == nil)
  }

  @Test(arguments: [
    ("EPSG:3857", "679049", "5811230", 6.1, 46.2),
    ("urn:ogc:def:crs:EPSG::2056", "2492400", "1117500", 6.044_6, 46.2),
    ("http://www.opengis.net/def/crs/EPSG/0/27700", "530000", "180000", -0.1286, 51.5036),
    ("31467", "3456789", "5432109", 8.4, 49.02),
  ])
  func `a coordinate system has many names`(
    name: String, x: String, y: String, longitude: Double, latitude: Double
  ) throws {
    let mapping = try mapping(
      #""longitude": "x", "latitude": "y""#, input: "{\"crs\": \"\(name)\"}")
    let found = try #require(try devices("id,x,y\n1,\(x),\(y)\n", mapping)[0])
    #expect(abs(found.longitude - longitude) < 0.02 && abs(found.latitude - latitude) < 0.02)
  }

  @Test(arguments: ["EPSG:0", "EPSG:99999999", "WGS84", "", "EPSG:5703", "EPSG:4978", "x:1; DROP"])
  func `an unknown coordinate system is an error of the mapping`(name: String) {
    #expect(throws: InvalidMapping.self) {
      try mapping(#""longitude": "x", "latitude": "y""#, input: "{\"crs\": \"\(name)\"}")
    }
  }

  @Test func `degrees with letters stay degrees in a list with a coordinate system`() throws {
    let mapping = try mapping(
      #""position": "place""#, input: #"{"crs": "EPSG:25832"}"#)
    let found = try devices(
      "id;place\n1;48.1 N 11.5 E\n2;SRID=4326;POINT (11.5 48.1)\n3;691603 5334760\n"
        .replacing("SRID=4326;", with: ""), mapping)
    #expect(found[0]?.longitude == 11.5)
  }

  @Test func `a value that names its coordinate system is converted`() throws {
    let mapping = try mapping(#""position": {"from": "place"}"#)
    let found = try devices(
      "id,place\n1,SRID=25832;POINT (691603 5334760)\n2,SRID=99;POINT (1 2)\n3,POINT (11.5 48.1)\n",
      mapping)
    #expect(found[0].map { abs($0.longitude - 11.575_5) < 1e-3 } == true)
    #expect(found[1] == nil)
    #expect(found[2]?.latitude == 48.1)
  }

  @Test func `columns in degrees, minutes and seconds are read`() throws {
    let mapping = try mapping(#""longitude": "lon", "latitude": "lat""#)
    let found = try devices(
      "id;lat;lon\n1;46° 12' 0\" N;6° 6' 0\" E\n2;46°12'S;6°6'W\n3;46 12 0 N;6 6 0 E\n4;46 E;6 N\n5;46 12;6 6\n",
      mapping)
    #expect(
      found[0].map { abs($0.longitude - 6.1) < 1e-9 && abs($0.latitude - 46.2) < 1e-9 } == true)
    #expect(
      found[1].map { abs($0.longitude + 6.1) < 1e-9 && abs($0.latitude + 46.2) < 1e-9 } == true)
    #expect(found[2] != nil)
    #expect(found[3] == nil && found[4] == nil)
  }

  @Test
  func
    `without an order the first of two plain numbers is the latitude, and no row is turned by itself`()
    throws
  {
    let plain = try mapping(#""position": "p""#)
    let found = try devices("id;p\n1;46.2, 6.1\n2;120.5, 30.5\n", plain)
    #expect(found[0]?.latitude == 46.2)
    #expect(found[1] == nil)
    let turned = try mapping(#""position": {"from": "p", "order": "longitude_latitude"}"#)
    #expect(try devices("id;p\n1;120.5, 30.5\n", turned)[0]?.latitude == 30.5)
  }
}
