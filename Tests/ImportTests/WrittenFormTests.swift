import WrittenValues
import CharacterSets
@testable import Import
import JSON
import PrivacyMap
import Testing

/// Positions as receivers, surveyors and apps write them, and files that are nearly lists.
@Suite struct WrittenFormTests {
  private func read(_ text: String, _ notation: WrittenPosition.Notation = .init())
    -> WrittenPosition?
  {
    WrittenPosition.read([text], notation)
  }

  private func inspected(_ text: String, name: String = "list.csv") throws -> ListInspection {
    try ListInspection(of: ByteSource(bytes: Array(text.utf8), name: name))
  }

  private func position(_ value: String, rule: String) throws -> MappedList {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "input": {"format": "csv", "separator": "tab"},
       "fields": {"category": "webcam", "name": "id", "position": {"from": "p", \(rule)}}}
      """
    return try MappedList(
      ImportMapping(JSONValue(parsing: Array(text.utf8))),
      ByteSource(bytes: Array("id\tp\nA\t\(value)\n".utf8), name: "a.csv"))
  }

  // MARK: The Irish grid

  @Test(arguments: [
    ("O 15904 34671", 315_904.0, 234_671.0), ("J338740", 333_850, 374_050),
    ("W 67000 71900", 167_000, 71_900), ("V 0000 0000", 5, 5),
  ])
  func `references of the Irish grid`(text: String, x: Double, y: Double) throws {
    let found = try #require(read(text))
    #expect(found.numbers == .system("EPSG:29903") && found.order == .longitudeFirst)
    #expect((found.first, found.second) == (x, y))
  }

  @Test func `the Irish grid is placed in Ireland`() throws {
    let list = try position("O 15904 34671", rule: #""order": "longitude_latitude""#)
    // The spire in Dublin.
    let place = try #require(list.devices.first?.coordinate)
    #expect(abs(place.latitude - 53.3498) < 0.001 && abs(place.longitude + 6.2603) < 0.001)
    #expect(
      try position("J338740", rule: #""order": "longitude_latitude""#).devices.first?.precision
        == .hundredMetres)
  }

  @Test(arguments: ["I 123456", "O 1234", "A12345", "O 123 45", "camera 123456"])
  func `numbers of things are no Irish grid`(text: String) {
    #expect(read(text) == nil)
  }

  // MARK: Geohashes

  @Test(
    arguments: [
      ("u173zq1x2", 52.3726, 4.9003, nil), ("ezs42", 42.605, -5.603, .area),
      ("U173ZQ", 52.37, 4.90, .kilometre), ("u173zq1", 52.372, 4.90, .hundredMetres),
    ] as [(String, Double, Double, Precision?)])
  func `geohashes, if the mapping says so`(
    text: String, latitude: Double, longitude: Double, precision: Precision?
  ) throws {
    #expect(read(text) == nil)
    let device = try #require(try position(text, rule: #""written_as": "geohash""#).devices.first)
    #expect(abs(device.coordinate.latitude - latitude) < 0.01)
    #expect(abs(device.coordinate.longitude - longitude) < 0.01)
    #expect(device.precision == precision)
  }

  @Test func `the inspection finds geohashes by the name of their column`() throws {
    let list = try inspected("id,geohash,word\n1,u173zq1x2,centre\n2,u173z5b8k,street\n")
    #expect(list.columns.map(\.kind) == [.number, .position, .text])
    #expect(try position("ailo", rule: #""written_as": "geohash""#).refusals.count == 1)
  }

  // MARK: Degrees with minutes in one number

  @Test(arguments: [
    ("5222.386,N,00453.556,E", 52.37310, 4.89260), ("0052.386,N,00130.55,W", 0.87310, -1.50917),
    ("480702N 0113100E", 48.11722, 11.51667), ("4807N 01131E", 48.11667, 11.51667),
    ("480712.5N 0113110.5E", 48.12014, 11.51958), ("48-07-02.5N 011-31-00.1E", 48.11736, 11.51669),
    ("48.07.02 N 11.31.00 E", 48.11722, 11.51667),
  ])
  func `degrees with minutes in one number are known by their width and letter`(
    text: String, latitude: Double, longitude: Double
  ) throws {
    let found = try #require(read(text))
    #expect(found.order == .latitudeFirst && found.numbers == .degrees)
    #expect(abs(found.first - latitude) < 0.00001 && abs(found.second - longitude) < 0.00001)
  }

  @Test(arguments: ["5272.386,N,00453.556,E", "48-77-02N 011-31-00E"])
  func `minutes above 60 are no position`(text: String) {
    #expect(read(text) == nil)
  }

  @Test
  func `columns of a receiver are joined and read, with a mapping that says so also without zeros`()
    throws
  {
    let csv =
      "name,lat,NS,lon,EW\nA,5222.386,N,453.556,E\nB,52.386,S,53.974,W\nC,5272.0,N,453.5,E\n"
    let fields = """
      "latitude": {"template": "{lat} {NS}", "written_as": "degrees_minutes"},
      "longitude": {"template": "{lon} {EW}", "written_as": "degrees_minutes"}
      """
    let list = try MappedList(fields: fields, csv: csv)
    #expect(list.refusals.map(\.row) == [3])
    #expect(list.devices.map { ($0.coordinate.latitude * 1e4).rounded() } == [523_731, -8_731])
    #expect(list.devices.map { ($0.coordinate.longitude * 1e4).rounded() } == [48_926, -8_996])
    let plain = try MappedList(
      fields: #""level": "id""#, csv: "name,lat,lon\nA,0052.386,00053.974\n")
    #expect(plain.refusals.map(\.reason.code) == ["packed_degrees"])
  }

  @Test func `an unknown form is an error of the mapping`() {
    #expect(throws: InvalidMapping.self) { try position("A", rule: #""written_as": "dms""#) }
  }

  // MARK: A height behind the degrees

  @Test func `positions of OpenDataKit have a height and an accuracy`() throws {
    let near = try position("38.7223 -9.1393 12.0 4.5", rule: #""split": "" "#).devices.first
    #expect(near?.coordinate.latitude == 38.7223 && near?.precision == nil)
    let coarse = try position("38.7223 -9.1393 12.0 400", rule: #""split": "" "#).devices.first
    #expect(coarse?.precision == .kilometre)
  }

  @Test func `with commas the mapping must say which number is first`() throws {
    let unclear = try position("-9.1393,38.7223,0", rule: #""split": "" "#)
    #expect(unclear.refusals.map(\.reason.code) == ["unclear_order"])
    let said = try position("-9.1393,38.7223,0", rule: #""order": "longitude_latitude""#)
    #expect(said.devices.first?.coordinate.latitude == 38.7223)
  }

  @Test(arguments: ["08.00-17.00", "2024-01-02", "1.2.3", "10-12-14", "46 12 30"])
  func `hours, days and versions are no positions`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `a position with signs only is ISO 6709`() throws {
    let found = try #require(read("+46.2-006.1"))
    #expect((found.first, found.second) == (46.2, -6.1))
  }

  // MARK: Lists of metres and degrees

  @Test func `degrees in a list of metres are refused instead of placed at its origin`() throws {
    let text = """
      {"source": {"code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"},
       "input": {"format": "csv", "crs": "EPSG:28992"},
       "fields": {"category": "webcam", "name": "id", "longitude": "x", "latitude": "y"}}
      """
    let list = try MappedList(
      ImportMapping(JSONValue(parsing: Array(text.utf8))),
      ByteSource(bytes: Array("id,x,y\nA,121687,487484\nB,4.89,52.37\n".utf8), name: "a.csv"))
    #expect(list.devices.count == 1)
    #expect(list.refusals.map(\.reason.code) == ["looks_like_degrees"])
  }

  // MARK: JSON

  @Test(arguments: [
    ("{\"a\":1}{\"a\":2}\n", "commas"), ("{\n\"a\":1\n}\n{\n\"a\":2\n}\n", "commas"),
    ("[ // list\n{\"a\":1}]", "comments"), ("[{\"a\":1}, # x\n{\"a\":1}]", "comments"),
    (#"{"currentVersion":10.9,"name":"C","fields":[{"name":"OBJECTID"}]}"#, "/query?"),
  ])
  func `JSON that is no list is named with what to do`(text: String, word: String) {
    #expect(failure(text, name: "a.json").0?.reason.contains(word) == true)
  }

  @Test func `texts between apostrophes are named`() throws {
    let found = try rows("[{'lat':52.1}]", name: "a.json")
    #expect(found[0].fault?.detail.contains("not between '") == true)
  }

  @Test func `lines with comments between objects are refused alone`() throws {
    let text = "{\"a\":1}\n\n# comment\n{\"a\":2}\n"
    let found = try rows(text, name: "a.jsonl")
    #expect(found.map { $0.fault == nil } == [true, false, true])
  }

  // MARK: Other files

  @Test(arguments: [
    ("id name lat lon\n1 A 52.1 4.1\n2 B 52.2 4.2\n", "spaces"),
    ("{| class=\"wikitable\"\n! id\n|}\n", "wiki"),
    ("$GPGGA,123519,4807.038,N,01131.000,E,1\n", "receiver"),
    ("  0\nSECTION\n  2\nHEADER\n", "DXF"),
    ("ARROW1\u{1}\u{2}", "Feather"),
  ])
  func `files that are no lists are named with what to do`(text: String, word: String) {
    #expect(failure(text, name: "a.txt").0?.reason.contains(word) == true)
  }

  // MARK: Inspection

  @Test func `an id is unique if only whole rows repeat`() throws {
    let same = try inspected("id,name\n1,A\n1,A\n2,B\n").columns
    #expect(same.map(\.isUnique) == [true, true])
    #expect(try inspected("id,name\n1,A\n1,B\n2,B\n").columns.map(\.isUnique) == [false, false])
  }

  @Test func `a stated lack of exactness is kept`() throws {
    let csv = "lat,lon,exact_location\n52.1,4.1,0\n52.2,4.2,1\n52.3,4.3,\n"
    let list = try MappedList(fields: #""level": "id""#, csv: csv)
    #expect(list.devices.map(\.precision) == [.kilometre, nil, nil])
  }
}
