import Import
import JSON
import PrivacyMap
import Testing

/// Positions that their list calls coarse.
@Suite struct StatedPrecisionTests {
  private func precision(_ column: String, _ value: String) throws -> String? {
    let list = try MappedList(
      fields: #""status": []"#, csv: "lon,lat,\(column)\n13.4,52.5,\(value)\n")
    return try #require(list.devices.first).precision?.rawValue
  }

  @Test(arguments: [
    ("precision", "1km", "1km"), ("precision", "100m", "100m"), ("precision", "area", "area"),
    ("Precision", "500 m", "1km"), ("accuracy", "51", "100m"), ("accuracy", "±300m", "1km"),
    ("gps_accuracy", "2.5 km", "area"), ("coordinateUncertaintyInMeters", "1000", "1km"),
    ("coordinate_uncertainty_in_meters", "28000", "area"), ("geoprivacy", "obscured", "area"),
    ("COORDINATEUNCERTAINTYINMETERS", "1001", "area"), ("taxon_geoprivacy", "private", "area"),
    ("coordinatePrecision", "0.01", "area"), ("coordinatePrecision", "0.001", "1km"),
    ("obscured", "true", "area"), ("coordinates_obscured", "1", "area"),
    ("accuracy", "APPROXIMATE", "1km"),
  ])
  func `a coarse point is not imported as exact`(column: String, value: String, precision: String)
    throws
  {
    #expect(try self.precision(column, value) == precision)
  }

  @Test(arguments: [
    ("precision", "exact"), ("precision", "6"), ("accuracy", "50"), ("accuracy", "4.9"),
    ("accuracy", ""), ("accuracy", "ROOFTOP"), ("geoprivacy", "open"), ("obscured", "false"),
    ("coordinatePrecision", "0.00001"), ("description", "1km"), ("location_type", "street"),
  ])
  func `a point that no column calls coarse has the precision of its category`(
    column: String, value: String
  ) throws {
    #expect(try precision(column, value) == nil)
  }

  @Test func `the coarsest column counts, and a rule of the mapping cannot refine it`() throws {
    let list = try MappedList(
      fields: #""precision": {"value": "exact"}"#,
      csv: "lon,lat,accuracy,geoprivacy\n1,2,300,open\n1,2,300,obscured\n1,2,3,open\n")
    #expect(list.devices.map { $0.precision } == [.kilometre, .area, .exact])
    #expect(
      list.devices.map { $0.notes.map(\.code) } == [["coarse_point"], ["coarse_point"], []])
    let coarser = try MappedList(
      fields: #""precision": {"value": "area"}"#, csv: "lon,lat,accuracy\n1,2,300\n")
    #expect(coarser.devices.map { $0.precision } == [.area])
    #expect(coarser.devices.first?.notes.isEmpty == true)
  }

  @Test func `a position in an object states its precision too`() throws {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "fields": {"category": "webcam", "name": {"value": "A"},
         "longitude": "/at/lon", "latitude": "/at/lat"}}
      """
    let list = try MappedList(
      ImportMapping(JSONValue(parsing: Array(text.utf8))),
      ByteSource(
        bytes: Array(#"[{"at": {"lon": 1, "lat": 2, "accuracy": 800}}]"#.utf8), name: "a.json"))
    #expect(list.devices.map { $0.precision } == [.kilometre])
  }
}
