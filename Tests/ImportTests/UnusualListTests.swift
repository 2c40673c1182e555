@testable import Import
@testable import WrittenValues
import JSON
import PrivacyMap
import Testing

/// Further shapes of lists: signs around and between values, references of grids, other scripts, parts of lists, and
/// devices that a list calls inactive.
@Suite struct UnusualListTests {
  private func inspected(_ text: String, name: String = "list.csv") throws -> ListInspection {
    try ListInspection(of: ByteSource(bytes: Array(text.utf8), name: name))
  }

  // MARK: Signs between and around values

  @Test func `texts in apostrophes are read, and words with an apostrophe stay as they are`() throws
  {
    let quoted = "id,name,lat\n'1','Rua A, 5','46.1'\n'2','O''Brien','46.2'\n'3','C','46.3'\n"
    let found = try rows(quoted, name: "a.csv")
    #expect(found.map { $0.columns["name"] } == ["Rua A, 5", "O'Brien", "C"])
    #expect(found.map { $0.columns["lat"] } == ["46.1", "46.2", "46.3"])
    let words = "id,name\n1,'s-Hertogenbosch\n2,'t Harde\n3,'s-Gravenhage\n"
    #expect(
      try rows(words, name: "a.csv").map { $0.columns["name"] }
        == ["'s-Hertogenbosch", "'t Harde", "'s-Gravenhage"])
    let mixed = "id,name\n1,\"'A', B\"\n2,\"C\"\n"
    #expect(try rows(mixed, name: "a.csv").map { $0.columns["name"] } == ["'A', B", "C"])
  }

  @Test func `bytes of Parquet are texts or hexadecimal digits, so that no position is lost`()
    throws
  {
    let list = try ListInspection(of: ByteSource(path: fixture("cases/w1_bytes.parquet")))
    let shape = try #require(list.columns.first { $0.column == "geom" })
    #expect(shape.kind == .position && shape.order == "longitude_latitude")
    #expect(shape.pairs.first == SamplePair(first: 6.1, second: 46.2))
    let found = try rows(ByteSource(path: fixture("cases/w1_bytes.parquet")))
    #expect(found.map { $0.columns["name"]?.stringValue } == ["Caméra 1", "Kamera 2", nil])
    #expect(found.map { $0.columns["fixed"]?.stringValue } == ["AB", "0001", nil])
  }

  @Test func `a quote behind a backslash belongs to its text`() throws {
    let text = [#"id,name"#, #"1,"A \"b\" c""#, #"2,"C:\""#, #"3,"D""#].joined(separator: "\n")
    let found = try rows(text, name: "a.csv")
    #expect(found.map { $0.columns["name"] } == [#"A "b" c"#, #"C:\"#, "D"])
  }

  @Test(arguments: ["^", "~"])
  func `other separators are found`(separator: String) throws {
    let lines = ["id|name|lat", "1|Rua A, 5|46.1", "2|B, C, D|46.2"]
    let text = lines.joined(separator: "\n").replacing("|", with: separator)
    let list = try inspected(text)
    #expect(list.separator == Character(separator) && list.rows == 2 && list.unreadable == 0)
    #expect(list.columns.map(\.column) == ["id", "name", "lat"])
  }

  @Test(arguments: [
    ("id::name::lat\n1::A::46.1\n2::B::46.2\n", "“::”"),
    ("id，name，lat\n1，A，46.1\n2，B，46.2\n", "“，”"),
    (
      "ID   NAME          LAT\n1    Alpha street  46.1\n2    Beta          46.2\n3    C, D          46.3\n",
      "fixed widths"
    ),
  ])
  func `a table that no character separates is named`(text: String, words: String) {
    let reason = failure(text, name: "a.txt").0?.reason
    #expect(reason?.contains(words) == true, "\(reason ?? "read")")
  }

  @Test(arguments: ["wkt\nPOINT(6.1 46.1)\nPOINT(6.2 46.2)\n", "name\nA  B\nC  D\n", "a\nb\n"])
  func `a list of one column is one`(text: String) throws {
    #expect(try rows(text, name: "a.csv").allSatisfy { $0.columns.members.count == 1 })
  }

  // MARK: References of grids

  /// GeographicLib and PROJ computed the positions.
  @Test(
    arguments: [
      ("29SMC8700089000", -9.14960, 38.74960, nil), ("29S MC 871 892", -9.14788, 38.75185, "100m"),
      ("33UVR9120020000", 14.87764, 49.83237, nil), ("18TWL8395907350", -74.00600, 40.71280, nil),
      ("56HLH3400051000", 151.20533, -33.86827, nil), ("32VKM8000000000", 5.11505, 59.48062, nil),
      ("4QFJ1234567890", -157.91608, 21.40981, nil), ("31NAA6602100000", 0, 0, nil),
      ("29S 487000 4289000", -9.14960, 38.74959, nil),
      ("UTM 29 S 487000mE 4289000mN", -9.14960, 38.74959, nil),
      ("29N 487000 4289000", -9.14960, 38.74959, nil),
      ("56S 334000 6251000", 151.20533, -33.86827, nil),
      ("19F 400000 4289000", -70.44199, -51.54123, nil),
      ("TQ 30163 80395", -0.12585, 51.50751, nil), ("tq3016380395", -0.12585, 51.50751, nil),
      ("TQ 301 803", -0.12606, 51.50710, "100m"), ("NN 166 712", -5.00393, 56.79656, "100m"),
    ] as [(String, Double, Double, String?)])
  func `a reference of a grid is a position`(
    text: String, longitude: Double, latitude: Double, precision: String?
  ) throws {
    let list = try MappedList(
      fields: #""position": "where", "longitude": "none", "latitude": "none""#,
      csv: "name,where\nA,\(text)\n")
    let device = try #require(list.devices.first)
    // PROJ without the national grids of corrections is some metres off.
    #expect(abs(device.coordinate.longitude - longitude) < 1e-4)
    #expect(abs(device.coordinate.latitude - latitude) < 1e-4)
    #expect(device.precision?.rawValue == precision)
    #expect(device.notes.map(\.code) == (precision == nil ? [] : ["coarse_point"]))
  }

  @Test(arguments: [
    "29S", "29SMC", "61SMC8700089000", "29SMC8700089", "29SZZ8700089000", "29S 4 5", "TQ", "TQ 3",
    "TQ 301 80", "ZZ 30163 80395", "IQ 301 803", "AB123456789", "29I 487000 4289000",
  ])
  func `other codes are no positions`(text: String) {
    #expect(GridReference.position(text) == nil)
  }

  @Test func `a column with references of a grid is found`() throws {
    let list = try inspected("id,ref\n1,29SMC8700089000\n2,29SMC8710089100\n")
    #expect(list.columns[1].kind == .position && list.columns[1].order == "longitude_latitude")
    #expect(list.columns[1].pairs.allSatisfy { abs(($0?.second ?? 0) - 38.75) < 0.01 })
  }

  @Test(arguments: [
    ("a.sql", "INSERT INTO cameras VALUES (1,'A');", "database"),
    ("dump", "-- MySQL dump\nCREATE TABLE `c` (`id` int);", "database"),
    ("a.yaml", "cameras:\n  - id: 1\n", "YAML"),
  ])
  func `a file that is no list is named`(name: String, content: String, words: String) {
    let reason = failure(content, name: name).0?.reason
    #expect(reason?.contains(words) == true, "\(reason ?? "read")")
  }

  // MARK: Digits and dates of other scripts

  @Test(
    arguments: [
      ("٤٦٫١", 46.1), ("۳۵٫۷", 35.7), ("３５．６８１", 35.681), ("－９．１", -9.1), ("४६.१", 46.1),
      ("๔๖.๑", 46.1),
      ("²", nil), ("Ⅻ", nil), ("四", nil),
    ] as [(String, Double?)])
  func `digits of other scripts are digits`(text: String, number: Double?) {
    #expect(PlainNumber.read(text) == number)
  }

  @Test func `plain numbers are rounded as the standard library rounds them`() {
    var chance = SystemRandomNumberGenerator()
    for length in 1...17 {
      for _ in 0..<200 {
        let digits = (0..<length).map { _ in String(Int.random(in: 0...9, using: &chance)) }
        let point = Int.random(in: 0...length, using: &chance)
        let text =
          (Bool.random() ? "-" : "") + digits[..<point].joined()
          + (point < length ? "." : "") + digits[point...].joined()
        #expect(PlainNumber.read(text) == Double(text), "\(text)")
        #expect(
          PlainNumber.read(text.replacing(".", with: ","), decimal: .comma) == Double(text))
      }
    }
    for text in ["", "-", ".", "5.", "-.", "1.2.3", "1-2"] {
      #expect(PlainNumber.read(text) == nil)
    }
  }

  @Test func `days in East Asian notation are found and read`() throws {
    let list = try inspected("id,設置年月日\n1,２０２３年４月１日\n2,2022年12月31日\n")
    #expect(list.columns[1].dateFormats == ["yyyy年M月d日*"])
    let read = try MappedList(
      fields: #""started_on": {"from": "day", "formats": ["yyyy年M月d日"]}"#,
      csv: "lat,lon,day\n35,139,２０２３年４月１日\n35,139.1,令和5年4月1日\n")
    #expect(read.devices.map(\.fields.startedOn) == ["2023-04-01", nil])
    #expect(read.devices[1].notes.map(\.code) == ["not_a_date"])
  }

  @Test func `a year of the Buddhist calendar is flagged with its name`() throws {
    let list = try MappedList(
      fields: #""started_on": "day""#, csv: "lat,lon,day\n13.7,100.5,2566-04-01\n")
    #expect(list.devices[0].notes.first?.detail.contains("Buddhist") == true)
  }

  // MARK: Traces of spreadsheets

  @Test func `an id that a spreadsheet has rounded is not one`() throws {
    let csv = "id,lat,lon\n1.23E+12,46.1,6.1\n1.23E+12,46.2,6.2\n1E5,46.3,6.3\n"
    let list = try MappedList(fields: #""level": "x""#, more: #""key": "{id}","#, csv: csv)
    #expect(list.devices.map(\.sourceKey) == [nil, nil, "1E5"])
    #expect(list.devices.map { $0.notes.map(\.code) } == [["rounded_key"], ["rounded_key"], []])
  }

  @Test func `the apostrophe that makes a number a text is left out`() throws {
    let list = try MappedList(
      fields: #""level": "x""#, csv: "lat,lon\n'46.1,'6.1\n")
    #expect(list.devices.first?.coordinate.latitude == 46.1)
  }

  @Test func `titles above the column names of a sheet are found`() throws {
    let list = try ListInspection(of: ByteSource(path: fixture("cases/p10_titles.xlsx")))
    #expect(list.headerRow == 2 && list.rows == 2)
    #expect(list.columns.map(\.column) == ["id", "name", "lat", "lon"])
  }

  @Test func `a workbook without the results of its formulas is named`() throws {
    let reason = failure(ByteSource(path: fixture("cases/p11_no_results.xlsx"))).0?.reason
    #expect(reason?.contains("formulas") == true)
  }

  // MARK: Devices that are not in use

  @Test(
    arguments: [
      ("active", "false", true), ("Is Active", "0", true), ("in_service", "N", true),
      ("enabled", "no", true), ("ativo", "Não", true), ("Hors service", "oui", true),
      ("active", "true", false), ("active", "", false), ("active cameras", "0", false),
      ("out_of_service", "false", false), ("disabled", "yes", false),
    ])
  func `a column that says that a device is not in use is never overlooked`(
    column: String, value: String, isFlagged: Bool
  ) throws {
    let csv = "lat,lon,\(column)\n46.1,6.1,\(value)\n"
    let list = try MappedList(fields: #""level": "x""#, csv: csv)
    #expect(list.devices[0].notes.map(\.code) == (isFlagged ? ["not_active"] : []))
    let named = try MappedList(
      fields: #""status": {"from": "\#(column)", "values": {"\#(value)": "removed"}}"#, csv: csv)
    #expect(!named.devices[0].notes.map(\.code).contains("not_active"))
  }

  @Test func `a refusal that has nothing to do with the encoding is not tried with another one`() {
    #expect(throws: ImportFailure.self) { try inspected("id，name\n1，A\n2，B\n", name: "a.csv") }
  }

  // MARK: JSON

  @Test func `NaN is no value, and long numbers keep their digits`() throws {
    let text =
      #"[{"id":12345678901234567890,"lat":NaN,"h":-Infinity},{"id":12345678901234567891,"lat":46.1}]"#
    let found = try rows(text, name: "a.json")
    #expect(found.allSatisfy { $0.fault == nil })
    #expect(found.map { $0.columns["id"] } == ["12345678901234567890", "12345678901234567891"])
    #expect(found[0].columns["lat"] == .null && found[0].columns["h"] == .null)
    #expect(throws: InvalidJSON.self) { try JSONValue(parsing: Array("NaN".utf8)) }
  }

  @Test(arguments: ["[{\"a\":1}]\n[{\"a\":2}]", #"{"features":[]}{"features":[]}"#])
  func `a second list behind the first is named`(text: String) {
    #expect(failure(text, name: "a.json").0?.reason.contains("second list") == true)
  }

  // MARK: Incomplete lists

  private func incompleteness(_ text: String, name: String = "a.json") throws -> String? {
    var reason: String?
    try ImportReader(ByteSource(bytes: Array(text.utf8), name: name)).forEachRow(stated: {
      if case .incomplete(let words) = $0 { reason = words }
    }) { _ in }
    return reason
  }

  @Test(arguments: [
    #"{"d":{"results":[{"a":1}],"__next":"https://x.example/?$skiptoken=1"}}"#,
    #"{"value":[{"a":1}],"odata.nextLink":"x?$skip=1"}"#, #"{"@odata.count":90,"value":[{"a":1}]}"#,
    #"{"page":1,"total_pages":9,"results":[{"a":1}]}"#,
    #"{"current_page":1,"data":[{"a":1}],"last_page":3}"#,
    #"{"data":{"cameras":{"nodes":[{"a":1}],"pageInfo":{"hasNextPage":true,"endCursor":"x"}}}}"#,
    #"{"meta":{"pagination":{"total":80}},"data":[{"a":1}]}"#,
    #"{"hits":{"total":{"value":90,"relation":"eq"},"hits":[{"a":1}]}}"#,
    #"{"status":"OK","next_page_token":"x","results":[{"a":1}]}"#,
    #"{"items":[{"a":1}],"continuationToken":"abc"}"#,
  ])
  func `a page of a list is a part`(text: String) throws {
    #expect(try incompleteness(text) != nil)
  }

  @Test(arguments: [
    #"{"page":1,"total_pages":1,"results":[{"a":1}]}"#, #"{"@odata.count":1,"value":[{"a":1}]}"#,
    #"{"data":{"cameras":{"nodes":[{"a":1}],"pageInfo":{"hasNextPage":false,"endCursor":"x"}}}}"#,
    #"{"d":{"results":[{"a":1}]}}"#,
  ])
  func `the last page is a whole list`(text: String) throws {
    #expect(try incompleteness(text) == nil)
  }

  @Test func `a bare array of exactly 1,000 rows is a part`() throws {
    let row = #"{"a":1}"#
    func array(_ count: Int) -> String {
      "[" + Array(repeating: row, count: count).joined(separator: ",") + "]"
    }
    #expect(try incompleteness(array(1_000))?.contains("$limit") == true)
    #expect(try incompleteness(array(999)) == nil)
  }

  @Test(arguments: [(1_000, true), (999, false), (1_001, false)])
  func `so is a table or GeoJSON`(count: Int, isPart: Bool) throws {
    let table = "id,name\n" + (0..<count).map { "\($0),A\n" }.joined()
    let feature = #"{"type":"Feature","properties":{"a":1},"geometry":null}"#
    let features = Array(repeating: feature, count: count).joined(separator: ",")
    for text in [table, #"{"type":"FeatureCollection","features":[\#(features)]}"#] {
      #expect((try incompleteness(text) != nil) == isPart)
    }
  }

  // MARK: OpenStreetMap

  @Test func `tags that features of OpenStreetMap lack are not missing`() throws {
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"node/1","properties":{"man_made":"surveillance"},"geometry":{"type":"Point","coordinates":[6,46]}}]}"#
    var tally = ColumnTally(try seedMapping("osm"))
    let reader = ImportReader(ByteSource(bytes: Array(text.utf8), name: "a.geojson"))
    try reader.forEachRow { tally.add($0) }
    #expect(tally.use(hasTags: try reader.format().hasTags).missing.isEmpty)
  }
}
