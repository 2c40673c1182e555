@testable import Import
@testable import WrittenValues
import JSON
import Testing

/// JSON and markup of portals.
@Suite struct PortalListTests {
  private let collection =
    #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"NAME"}},"features":[{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[X]}}]}"#

  private func place(_ name: String, _ numbers: String) throws -> SourcePlace {
    let text = collection.replacing("NAME", with: name).replacing("X", with: numbers)
    return try rows(text, name: "a.geojson")[0].place
  }

  @Test(arguments: [
    "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "urn:ogc:def:crs:EPSG::4258", "EPSG:4269",
  ])
  func `degrees of any datum near WGS 84 are taken as they are`(name: String) throws {
    #expect(try place(name, "6.1,46.2") == .point(longitude: 6.1, latitude: 46.2))
  }

  @Test func `a GeoJSON file in another coordinate system is converted`() throws {
    guard
      case .point(let longitude, let latitude) = try place(
        "urn:ogc:def:crs:EPSG::3857", "679049,5811230")
    else {
      Issue.record("no point")
      return
    }
    #expect(abs(longitude - 6.1) < 0.001 && abs(latitude - 46.2) < 0.01)
    guard case .unusable = try place("EPSG:3857", "1e300,1e300") else {
      Issue.record("a point nowhere")
      return
    }
  }

  @Test func `a coordinate system that is not known can be named in the mapping`() throws {
    let text = collection.replacing("NAME", with: "urn:ogc:def:crs:LOCAL").replacing(
      "X", with: "111319.49079327357,0")
    #expect(failure(text).0?.reason.contains("input.crs") == true)
    let options = try ImportMapping.readingOptions(["crs": "EPSG:3857"])
    let row = try rows(text, name: "a.geojson", options)[0]
    #expect(row.place == .point(longitude: 1, latitude: 0))
  }

  @Test func `the shape of a converted feature is converted, too`() throws {
    let text =
      #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"EPSG:3857"}},"features":[{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[111319.49079327357,0]]}}]}"#
    let row = try rows(text, name: "a.geojson")[0]
    #expect(row.geometry?["coordinates"]?[1]?[0]?.numberValue == 1)
    #expect(row.place == .pointOnShape(longitude: 0.5, latitude: 0))
  }

  @Test func `Esri JSON is read, with its coordinate system`() throws {
    let file = ByteSource(path: fixture("cases/s5_esri4326.json"))
    let row = try #require(try rows(file).first)
    #expect(row.columns["NAME"] == "A" && row.place == .point(longitude: 6.14, latitude: 46.2))
    #expect(try ListInspection(of: file).format == .esriJSON)
    let mercator =
      #"{"objectIdFieldName":"OBJECTID","geometryType":"esriGeometryPoint","spatialReference":{"wkid":102100,"latestWkid":3857},"features":[{"attributes":{"OBJECTID":1},"geometry":{"x":111319.49079327357,"y":0}},{"attributes":{"OBJECTID":2}},{"geometry":{"x":1,"y":1}},{"attributes":{"OBJECTID":3},"geometry":{"x":"NaN","y":"NaN"}}],"exceededTransferLimit":true}"#
    var stated: [FileStatement] = []
    var found: [SourceRow] = []
    try ImportReader(ByteSource(bytes: Array(mercator.utf8), name: "a.json")).forEachRow(stated: {
      stated.append($0)
    }) {
      found.append($0)
    }
    #expect(
      found.map(\.place) == [.point(longitude: 1, latitude: 0), .none, .none, found[3].place])
    #expect(found[2].fault?.code == "not_a_feature")
    if case .unusable = found[3].place {} else { Issue.record("NaN is a place") }
    #expect(stated.count == 1)
  }

  @Test func `shapes of Esri JSON have a point on them`() throws {
    let text =
      #"{"geometryType":"esriGeometryPolygon","features":[{"attributes":{},"geometry":{"rings":[[[0,0],[0,2],[2,2],[2,0],[0,0]]]}},{"attributes":{},"geometry":{"paths":[[[0,0],[2,0]]]}},{"attributes":{},"geometry":{"points":[[3,4]]}}]}"#
    #expect(
      try rows(text, name: "a.json").map(\.place) == [
        .pointOnShape(longitude: 1, latitude: 1), .pointOnShape(longitude: 1, latitude: 0),
        .pointOnShape(longitude: 3, latitude: 4),
      ])
  }

  @Test func `descriptions in HTML become text, and a table in them columns`() throws {
    let found = try rows(ByteSource(path: fixture("cases/k1_mymaps.kml")))
    let description = found[0].columns["description"]?.stringValue ?? ""
    #expect(
      HTMLText.plain(description)
        == "Typ: Dome\nBetreiber: Stadt & Land\nEine Kamera am Eingang")
    let table =
      #"{"type":"Feature","properties":{"Name":"A","description":"<html><body><table border=\"0\"><tr><td colspan=\"2\">A</td></tr><tr><td><table><tr><td>Operator</td><td>City &amp; Co</td></tr><tr bgcolor=\"red\"><td>Height</td><td>4.5</td></tr><tr><td>Name</td><td>other</td></tr></table></td></tr></table>"},"geometry":null}"#
    let row = try rows(table, name: "a.geojson")[0]
    #expect(row.columns["Operator"] == "City & Co" && row.columns["Height"] == "4.5")
    #expect(row.columns["Name"] == "A")
  }

  @Test(arguments: [
    ("a < b and c > d", nil), ("<3", nil), ("x <unknown> y", nil), ("", nil), ("<", nil),
    ("</", nil),
    ("a<br>b", "a\nb"), ("a<br/>b", "a\nb"), ("<p>a</p><p>b</p>", "a\nb"),
    ("<b>a</b> &lt;c&gt; &euro;", "a <c> €"),
    ("<script>x()</script><p>a</p>", "a"), ("<p>a", "a"), ("<ul><li>a<li>b</ul>", "a\nb"),
    ("<div>é 東 🙂</div>", "é 東 🙂"), ("<p></p>", ""),
  ])
  func `markup is told from other signs`(text: String, plain: String?) {
    #expect(HTMLText.plain(text) == plain)
  }

  @Test func `deep and long markup costs little`() {
    let start = ContinuousClock.now
    _ = HTMLText.plain(String(repeating: "<table><tr><td>", count: 10_000))
    _ = HTMLText.plain(String(repeating: "<div>", count: 40_000))
    #expect(HTMLText.plain("<p>" + String(repeating: "x", count: 300_000)) == nil)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `seconds and milliseconds since 1970 are days`() {
    let read = { DateFormat($0)?.read($1, months: DateFormat.months)?.text }
    #expect(read("unix_ms", "1609459200000") == "2021-01-01")
    #expect(read("unix", "1609459199") == "2020-12-31")
    #expect(read("unix", "-1") == "1969-12-31")
    #expect(read("unix_ms", "x") == nil && read("unix", "99999999999999999") == nil)
  }
}

/// Files that GDAL alone would not read, or would read too much of.
@Suite struct PackedListTests {
  private func read(_ name: String, system: String? = nil) throws -> [SourceRow] {
    var input = JSONObject()
    if let system { input["crs"] = .string(system) }
    let options = try ImportMapping.readingOptions(.object(input))
    return try rows(ByteSource(path: fixture("cases/\(name)")), options)
  }

  @Test func `the parts of a Shapefile may be spelled in capital letters`() throws {
    let found = try read("p1_shape_case.zip")
    let all = found.flatMap { $0.columns.members.compactMap { $0.value.stringValue } }
    #expect(all.joined(separator: " ").contains("Caméra Süd"))
    #expect(found.allSatisfy { if case .point = $0.place { true } else { false } })
  }

  @Test func `a hidden sheet is no list`() throws {
    #expect(try !read("p2_hidden_sheet.xlsx").isEmpty)
    let both = failure(ByteSource(path: fixture("cases/p2_two_sheets.xlsx"))).0
    #expect(both?.choices == ["Cams", "Lists & codes"])
  }

  /// GDAL reads a sheet up to its first fault before it returns the first row.
  @Test func `a sheet that is cut off is refused whole`() throws {
    let options = try ImportMapping.readingOptions(["layer": "Cams"])
    let source = ByteSource(path: fixture("cases/p5_cut_sheet.xlsx"))
    let refusal = #expect(throws: ImportFailure.self) { try rows(source, options) }
    #expect(refusal?.reason.contains("damaged or was cut off") == true)
  }

  @Test func `rows of a sheet need no numbers`() throws {
    let found = try read("p6_no_row_numbers.xlsx")
    #expect(found.map { $0.columns["name"]?.stringValue } == ["Camera A", "Camera B"])
    #expect(found.map { $0.columns["lat"]?.numberValue } == [46.9, 47])
  }

  @Test func `a link to another file says what to do`() {
    let reason = failure(ByteSource(path: fixture("cases/p3_link.kml"))).0?.reason
    #expect(reason?.contains("download that file") == true)
  }

  /// A track is the way of a person, not a device.
  @Test func `waypoints of a GPX file are rows, and its tracks only if the mapping names them`()
    throws
  {
    let place = #"<wpt lat="46" lon="7"><name>Camera</name></wpt>"#
    let track =
      #"<trk><name>Walk</name><trkseg><trkpt lat="46" lon="7"/><trkpt lat="46.1" lon="7"/></trkseg></trk>"#
    let route = #"<rte><name>Way</name><rtept lat="46" lon="7"/><rtept lat="46.1" lon="7"/></rte>"#
    func source(_ elements: String) -> ByteSource {
      let text =
        #"<?xml version="1.0"?><gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1">\#(elements)</gpx>"#
      return ByteSource(bytes: Array(text.utf8), name: "a.gpx")
    }
    let names = { (rows: [SourceRow]) in rows.map { $0.columns["name"]?.stringValue } }
    #expect(try names(rows(source(place + route + track))) == ["Camera"])
    for ways in [track, route, route + track] {
      #expect(failure(source(ways)).0?.reason.contains("save the places as waypoints") == true)
    }
    let options = try ImportMapping.readingOptions(["layer": "tracks"])
    #expect(try names(rows(source(place + track), options)) == ["Walk"])
  }

  @Test func `a Shapefile without a coordinate system is in that of the mapping`() throws {
    guard
      case .point(let longitude, let latitude) = try read(
        "p4_shape_without_prj.zip", system: "EPSG:25832")[0].place
    else {
      Issue.record("no point")
      return
    }
    #expect(abs(longitude - 11.575_490_6) < 1e-6 && abs(latitude - 48.137_22) < 1e-6)
    #expect(
      try read("p4_shape_without_prj.zip")[0].place
        == .point(longitude: 691_603, latitude: 5_334_760))
  }
}

/// The shapes of the exports of portals: the columns and positions that the page finds.
@Suite struct PortalShapeTests {
  private func inspect(_ text: String, _ name: String) throws -> ListInspection {
    try ListInspection(of: ByteSource(bytes: Array(text.utf8), name: name))
  }

  private func column(_ list: ListInspection, _ name: String) throws -> InspectedColumn {
    try #require(list.columns.first { $0.column == name })
  }

  @Test func `a Socrata CSV has a point and a location with an address`() throws {
    let list = try inspect(
      "id,the_geom,Location 1\n1,POINT (-73.98 40.75),\"1 Main St\nNew York, NY\n(40.75, -73.98)\"\n",
      "a.csv")
    #expect(try column(list, "the_geom").order == "longitude_latitude")
    #expect(try column(list, "Location 1").pairs == [SamplePair(first: 40.75, second: -73.98)])
  }

  @Test func `an Opendatasoft CSV has a point and a shape`() throws {
    let list = try inspect(
      "geo_point_2d;geo_shape;nom\n\"48.85, 2.35\";\"{\"\"coordinates\"\": [2.35, 48.85], \"\"type\"\": \"\"Point\"\"}\";A\n",
      "a.csv")
    #expect(try column(list, "geo_point_2d").kind == .position)
    #expect(try column(list, "geo_shape").order == "longitude_latitude")
  }

  @Test func `an Opendatasoft JSON has a list inside, with points as objects or lists`() throws {
    let list = try inspect(
      #"{"total_count":2,"results":[{"nom":"A","geo_point_2d":{"lon":2.35,"lat":48.85}},{"nom":"B","geo_point_2d":{"lon":2.36,"lat":48.86}}]}"#,
      "a.json")
    #expect(try column(list, "/geo_point_2d/lon").numbers == [2.35, 2.36])
    let old = try inspect(
      #"[{"fields":{"geo":[48.85,2.35]},"geometry":{"type":"Point","coordinates":[2.35,48.85]}}]"#,
      "a.json")
    #expect(try column(old, "/fields/geo").pairs == [SamplePair(first: 48.85, second: 2.35)])
    #expect(try column(old, "/geometry/coordinates").kind == .position)
  }

  @Test func `a CKAN answer has its records inside, beside the description of its fields`() throws {
    let text =
      #"{"help":"x","success":true,"result":{"fields":[{"id":"lat","type":"numeric"},{"id":"lon","type":"numeric"}],"records":[{"lat":1.5,"lon":2.5},{"lat":1.6,"lon":2.6},{"lat":1.7,"lon":2.7}]}}"#
    #expect(failure(text).0?.choices == ["/result/records", "/result/fields"])
  }

  @Test func `an ArcGIS CSV has metres and degrees`() throws {
    let list = try inspect("X,Y,OBJECTID,Lat,Lon\n679049.5,5811230.25,1,46.2,6.1\n", "a.csv")
    #expect(try column(list, "X").numbers == [679_049.5] && column(list, "Lat").numbers == [46.2])
  }

  @Test func `a map of gateways has a row for each`() throws {
    let list = try inspect(
      #"{"eui-1":{"id":"eui-1","description":"x","location":{"latitude":52.5,"longitude":13.4}},"eui-2":{"id":"eui-2","location":{"latitude":52.6,"longitude":13.5}}}"#,
      "gateways.json")
    #expect(list.rows == 2)
    #expect(try column(list, "/location/latitude").numbers == [52.5, 52.6])
    #expect(try column(list, "@key").isUnique)
  }

  @Test func `a GBFS feed has its stations inside`() throws {
    let list = try inspect(
      #"{"last_updated":1609866247,"ttl":0,"version":"2.3","data":{"stations":[{"station_id":"a","name":"A","lat":46.2,"lon":6.1}]}}"#,
      "station_information.json")
    #expect(list.rows == 1)
    #expect(try column(list, "lat").numbers == [46.2])
  }

  @Test func `an export of overpass turbo has its elements' types`() throws {
    let list = try inspect(
      #"{"type":"FeatureCollection","generator":"overpass-ide","features":[{"type":"Feature","id":"node/12","properties":{"@id":"node/12","man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[6.1,46.2]}}]}"#,
      "export.geojson")
    #expect(try column(list, "@type").samples == ["node"] && column(list, "@id").samples == ["12"])
  }
}
