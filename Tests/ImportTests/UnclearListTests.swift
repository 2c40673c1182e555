import CharacterSets
@testable import Import
@testable import WrittenValues
import JSON
import PrivacyMap
import Testing

/// Decisions about lists that can be read in two ways; docs/how-to/imports.md has the reasons.
@Suite struct UnclearListTests {
  private func read(_ name: String) throws -> [SourceRow] {
    try rows(ByteSource(path: fixture("cases/\(name)")))
  }

  private func operators(_ names: [String]) throws -> [String?] {
    let cells = names.enumerated().map { "\"\($1)\",46.\($0),6.1" }.joined(separator: "\n")
    return try MappedList(fields: #""operator": "who""#, csv: "who,lat,lon\n" + cells)
      .devices.map(\.fields.answersFor?.name)
  }

  // MARK: Missing values

  @Test func `words for an unknown operator are no operator`() throws {
    let words = [
      "unknown", "N/A", "-", "?", "NULL", "private", "Unbekannt", "inconnu", "Desconhecido", "n.a.",
      "keine Angabe", "sin datos", "onbekend", "brak danych", "???",
    ]
    #expect(try operators(words).allSatisfy { $0 == nil })
    let names = [
      "Unknown Pleasures Ltd", "NA Security", "Privatbank", "Stadt Nein", "7",
    ]
    #expect(try operators(names).compactMap { $0 } == names)
  }

  @Test func `an operator that is not known is in no name`() throws {
    let found = try tagged(#""operator":"unknown""#)
    #expect(found?.fields.name == "Camera" && found?.fields.answersFor == nil)
  }

  @Test func `errors of spreadsheet cells are no values`() throws {
    let found = try MappedList(
      fields: #""operator": "owner""#,
      csv: "owner,lat,lon\n#N/A,46.1,6.1\n#1 Security,46.2,6.2\n#REF!,46.3,6.3\n")
    #expect(found.devices.map(\.fields.answersFor?.name) == [nil, "#1 Security", nil])
    let place = try MappedList(fields: #""level": "level""#, csv: "lat,lon,level\n#VALUE!,6.1,0\n")
    #expect(place.refusals.map(\.reason.code) == ["no_coordinates"])
  }

  @Test func `errors of a sheet's cells are no values`() throws {
    let found = try read("p7_cell_errors.xlsx")
    #expect(found.count == 3)
    let mapping = try ImportMapping(
      JSONValue(
        parsing: Array(
          """
          {"source": {"code": "t", "name": "T", "licence": "CC0-1.0", "attribution": "-"}, "key": "{id}",
           "fields": {"category": "webcam", "name": "name", "longitude": "lon", "latitude": "lat", "operator": "owner"}}
          """.utf8)))
    let list = try MappedList(mapping, ByteSource(path: fixture("cases/p7_cell_errors.xlsx")))
    #expect(list.devices.map(\.fields.answersFor?.name) == [nil, nil, "City"])
  }

  // MARK: Dates

  @Test func `a day with slashes is read if its year comes first`() throws {
    let days = ["2024/01/30", "2024/01/30 12:00:00", "30/01/2024", "45321"]
    let csv = "date,lat,lon\n" + days.enumerated().map { "\($1),46.\($0),6.1\n" }.joined()
    let found = try MappedList(fields: #""observed_on": "date""#, csv: csv)
    #expect(found.devices.map(\.fields.observedOn?.text) == ["2024-01-30", "2024-01-30", nil, nil])
    #expect(found.devices.map { $0.notes.map(\.code) } == [[], [], ["not_a_date"], ["not_a_date"]])
  }

  @Test func `days of a sheet's column are read beside its texts`() throws {
    let found = try read("p9_mixed_dates.xlsx")
    #expect(found.compactMap { $0.columns["date"]?.scalarText } == ["2024/01/30", "not known"])
  }

  @Test func `a workbook that counts from 1904 is refused`() {
    let reason = failure(ByteSource(path: fixture("cases/p8_from_1904.xlsx"))).0?.reason
    #expect(reason?.contains("four years off") == true)
  }

  // MARK: Files that are not the list

  @Test(arguments: [
    "<!DOCTYPE html><html><body>Sign in</body></html>", "  <HTML lang=en>", "\u{FEFF}<html>",
  ])
  func `a web page is no list`(text: String) {
    for name in ["cameras.csv", "cameras.json", "cameras"] {
      #expect(failure(text, name: name).0?.reason.contains("web page") == true)
    }
  }

  @Test func `a KML file with a link to another one is incomplete`() throws {
    let place =
      "<Placemark><name>A</name><Point><coordinates>6,46</coordinates></Point></Placemark>"
    let link = "<NetworkLink><Link><href>b.kml</href></Link></NetworkLink>"
    func statements(_ elements: String) throws -> ([FileStatement], rows: Int) {
      let text =
        #"<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>"#
        + elements + "</Document></kml>"
      var (found, count): ([FileStatement], Int) = ([], 0)
      try ImportReader(ByteSource(bytes: Array(text.utf8), name: "a.kml"))
        .forEachRow(stated: { found.append($0) }) { _ in count += 1 }
      return (found, count)
    }
    let linked = try statements(place + link)
    #expect(linked.rows == 1)
    #expect(linked.0 == [.incomplete("it links to another file (NetworkLink), which is not read")])
    let alone = try statements(place)
    #expect(alone.rows == 1 && alone.0.isEmpty)
  }

  @Test func `features with attributes are Esri JSON without a statement, too`() throws {
    let point = try rows(
      #"{"features":[{"attributes":{"id":1,"name":"A"},"geometry":{"x":6.1,"y":46.1}}]}"#)
    #expect(point.map(\.place) == [.point(longitude: 6.1, latitude: 46.1)])
    let table = try rows(
      #"{ "features" : [ {"attributes":{"id":1,"lat":46.1,"lon":6.1}} ]}"#)
    #expect(table[0].fault == nil && table[0].columns["lat"]?.numberValue == 46.1)
    let long = String(repeating: "x", count: 2_000)
    let wide = try rows(
      #"{"features":[{"geometry":{"x":6.1,"y":46.1},"attributes":{"note":"\#(long)"}}]}"#)
    #expect(wide.map(\.place) == [.point(longitude: 6.1, latitude: 46.1)])
    // A property of a GeoJSON feature may have this name.
    let point46 = #"{"type":"Point","coordinates":[6,46]}"#
    let feature = #"{"type":"Feature","properties":{"attributes":{}},"geometry":\#(point46)}"#
    let found = try rows(#"{"features":[\#(feature)]}"#)
    #expect(found.map(\.place) == [.point(longitude: 6, latitude: 46)])
  }

  // MARK: Shapes

  @Test(arguments: [
    (#"{"type":"LineString","coordinates":[[179,10],[-179,10]]}"#, 180.0, 10.0),
    (#"{"type":"LineString","coordinates":[[-178,10],[178,10]]}"#, 180, 10),
    (#"{"type":"LineString","coordinates":[[178,10],[-176,10]]}"#, -179, 10),
    (#"{"type":"LineString","coordinates":[[10,0],[20,0]]}"#, 15, 0),
    (#"{"type":"Polygon","coordinates":[[[178,0],[-178,0],[-178,2],[178,2],[178,0]]]}"#, 180, 1),
    (#"{"type":"Polygon","coordinates":[[[178,0],[-174,0],[-174,2],[178,2],[178,0]]]}"#, -178, 1),
  ])
  func `the point on a shape across the antimeridian is on it`(
    geometry: String, longitude: Double, latitude: Double
  ) throws {
    let json = try JSONValue(parsing: Array(geometry.utf8))
    guard case .pointOnShape(let x, let y) = GeoJSONGeometry.place(json) else {
      Issue.record("no point")
      return
    }
    #expect(abs(abs(x - longitude).remainder(dividingBy: 360)) < 1e-9 && abs(y - latitude) < 1e-9)
    #expect((-180...180).contains(x))
  }

  @Test func `a shape outside of the degrees stays outside`() throws {
    let json = try JSONValue(
      parsing: Array(#"{"type":"LineString","coordinates":[[300,5],[800,5]]}"#.utf8))
    #expect(GeoJSONGeometry.place(json) == .pointOnShape(longitude: 550, latitude: 5))
  }

  // MARK: OpenStreetMap

  private func tagged(_ tags: String) throws -> ImportedDevice? {
    let camera = #"{"man_made":"surveillance",\#(tags)}"#
    let node = #"{"type":"node","id":1,"lat":46.2,"lon":6.1,"tags":\#(camera)}"#
    return try MappedList(
      seedMapping("osm"),
      ByteSource(bytes: Array(#"{"elements":[\#(node)]}"#.utf8), name: "a.json"),
      vocabulary: seedVocabulary()
    ).devices.first
  }

  @Test func `indoor is a setting, from either tag`() throws {
    #expect(try tagged(#""surveillance":"indoor""#)?.fields.setting == .indoor)
    #expect(try tagged(#""indoor":"yes""#)?.fields.setting == .indoor)
    #expect(try tagged(#""surveillance":"outdoor","indoor":"yes""#)?.fields.setting == .outdoor)
    #expect(try tagged(#""indoor":"no""#)?.fields.setting == nil)
  }

  @Test func `directions relative to a way are flagged and left out`() throws {
    let found = try tagged(#""direction":"forward""#)
    #expect(found?.fields.bearings == [] && found?.notes.map(\.code) == ["not_a_direction"])
  }

  @Test func `a start in the future is flagged, and the device is kept`() throws {
    let found = try tagged(#""start_date":"2099""#)
    #expect(found?.fields.status == .reported && found?.notes.map(\.code) == ["future_date"])
  }

  // MARK: Tables

  @Test func `a row with too few or too many cells is refused`() throws {
    let found = try MappedList(
      fields: #""level": "level""#,
      csv: "name,lat,lon,level\nA,46.1,6.1,0\nB,46.2,6.2\nC,46.3,6.3,0,x\n")
    #expect(found.devices.map(\.fields.name) == ["A"])
    #expect(found.refusals.map(\.reason.code) == ["field_count", "field_count"])
  }

  @Test func `a row with the sum below a list is refused`() throws {
    let found = try MappedList(
      fields: #""units": "count""#, csv: "name,lat,lon,count\nA,46.1,6.1,3\nTotal,,,3\n")
    #expect(found.devices.count == 1 && found.refusals.map(\.reason.code) == ["no_coordinates"])
  }

  @Test func `a number with a fraction or in words is no number of devices`() throws {
    let found = try MappedList(
      fields: #""units": "count""#,
      csv: "lat,lon,count\n46.1,6.1,1.5\n46.2,6.2,two\n46.3,6.3,0\n46.4,6.4,2\n")
    #expect(found.devices.map(\.fields.units) == [nil, nil, 2])
    #expect(found.skipped.map(\.reason.code) == ["none_there"])
    #expect(found.devices.dropLast().allSatisfy { $0.notes.map(\.code) == ["not_a_count"] })
  }
}
