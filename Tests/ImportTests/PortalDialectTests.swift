import CharacterSets
@testable import Import
@testable import WrittenValues
import JSON
import PrivacyMap
import Testing

/// Tables and documents as portals and programs publish them: nothing is lost without a word, and no device is invented.
@Suite struct PortalDialectTests {
  private func inspected(_ bytes: [UInt8], name: String) throws -> ListInspection {
    try ListInspection(of: ByteSource(bytes: bytes, name: name))
  }

  private func inspected(_ text: String, name: String = "list.csv") throws -> ListInspection {
    try inspected(Array(text.utf8), name: name)
  }

  // MARK: Quotes

  @Test(arguments: [
    "id,name,lat,lon\n1,\"Alpha,46.1,6.1\n2,\"Beta\",46.2,6.2\n3,Gamma,46.3,6.3\n",
    "id,lat,lon,name\n1,46.1,6.1,\"Alpha\n2,46.2,6.2,\"Beta\"\n3,46.3,6.3,Gamma\n",
  ])
  func `a quote that never ends refuses its row instead of joining it with the next`(
    csv: String
  ) throws {
    let list = try MappedList(fields: #""level": "id""#, csv: csv)
    #expect(list.refusals.map(\.reason.code) == ["open_quote"])
    #expect(list.refusals[0].reason.detail.contains("line 2"))
    #expect(list.devices.map(\.fields.name) == ["Gamma"])
  }

  @Test func `text behind a quote in one line, and proper cells of several lines, are read`() throws
  {
    let csv = "name,lat,lon\n\"Café \"Central\"\",46.1,6.1\n\"two\nlines\" ,46.2,6.2\n"
    let found = try rows(csv, name: "a.csv")
    #expect(found.allSatisfy { $0.fault == nil })
    #expect(found.map { $0.columns["lat"] } == ["46.1", "46.2"])
  }

  @Test func `a quote may follow a space`() throws {
    let found = try rows("id, name, lat\n1, \"A, north\", 46.1\n2,\t\"B\", 46.2\n", name: "a.csv")
    #expect(found.allSatisfy { $0.fault == nil })
    #expect(found.map { $0.columns["name"] } == ["A, north", "B"])
    #expect(found[0].columns["lat"]?.stringValue?.hasSuffix("46.1") == true)
  }

  @Test func `an open quote in the header ends the reading with its line`() {
    let found = failure("id,\"name,lat\n1,\"A\",46.1\n", name: "a.csv")
    #expect(found.0?.reason == "a quote in the header does not end" && found.0?.line == 1)
  }

  // MARK: Headers

  @Test func `a repeated header is no row, with a byte order mark or without`() throws {
    let csv = "\u{FEFF}Nr,Breite\n1,46.1\nNr,Breite\n2,46.2\n\u{FEFF}Nr,Breite\n3,46.3\n"
    let found = try rows(csv, name: "a.csv")
    #expect(found.map { $0.columns["Nr"] } == ["1", "2", "3"])
    #expect(found.map(\.number) == [1, 2, 3])
  }

  @Test(arguments: [
    (
      "Cameras of the town\nAs of 1.1.2024\n\nNr.;Name;Breite;Länge\n1;A;46,1;6,1\n2;B;46,2;6,2\n",
      3
    ),
    ("# Source: the town, 2024\n# CC0\nNr.,Name,Breite,Länge\n1,A,46.1,6.1\n2,B,46.2,6.2\n", 3),
    ("Place,,Position,\nNr.,Name,Breite,Länge\n1,A,46.1,6.1\n2,B,46.2,6.2\n", 2),
    (",Name,Breite,Länge\n0,A,46.1,6.1\n1,B,46.2,6.2\n", 1),
  ])
  func `titles above a list are found whatever separators they have`(csv: String, row: Int) throws {
    let list = try inspected(csv)
    #expect(list.headerRow == row && list.unreadable == 0 && list.rows == 2)
    #expect(list.columns.map(\.column).suffix(2) == ["Breite", "Länge"])
  }

  // MARK: Numbers

  @Test(
    arguments: [
      ("\u{2212}9.1", -9.1), ("\u{2013}9.1", -9.1), ("2'600'000", 2_600_000),
      ("2’600’000.5", 2_600_000.5), ("652 000", 652_000), ("652\u{202F}000", 652_000),
      ("-1 234", -1_234), ("46 12", nil), ("1'2'3", nil), ("12 34 56", nil), ("1 234'567", nil),
      ("46.1 234", nil), ("--1", nil), ("'600", nil), ("1234 567", nil), ("1'234'56", nil),
    ] as [(String, Double?)])
  func `signs of groups and typographic minuses are read`(text: String, number: Double?) {
    #expect(PlainNumber.read(text) == number)
  }

  @Test func `a number with its thousands apart is no pair of coordinates`() throws {
    #expect(PlainNumber.read("652 000,5", decimal: .comma) == 652_000.5)
    #expect(WrittenPosition.read(["652 000,5"], WrittenPosition.Notation()) == nil)
    #expect(WrittenPosition.read(["46 6.1"], WrittenPosition.Notation()) == nil)
    #expect(WrittenPosition.read(["46.2 6.1"], WrittenPosition.Notation())?.second == 6.1)
    let list = try inspected("Name;E;N\nA;2'600'000;1'200'000\nB;2'601'000;1'201'000\n")
    #expect(list.columns.map(\.kind) == [.text, .number, .number])
  }

  @Test func `the decimal sign of most numbers counts`() throws {
    let list = try inspected("a,b\n46.1,\"46,1\"\n46.2,46\n\"46,3\",\"46,3\"\n46.4,47\n")
    #expect(list.columns.map(\.kind) == [.number, .decimalComma])
    let point = PlainNumber.coordinate("46.1", decimal: .comma)
    guard case .failure(let fault) = point else {
      Issue.record("read")
      return
    }
    #expect(fault.code == "decimal_point")
  }

  // MARK: Positions

  @Test func `a letter in another column puts a number into the other half of the earth`() throws {
    let csv =
      "name,lat,NS,lon,E/W\nA,33.9,S,18.4,E\nB,33.9,N,18.4,E\nC,33.9,N,18.4,W\nD,-33.9,S,18.4,E\n"
    let plain = try MappedList(fields: #""level": "name""#, csv: csv)
    #expect(plain.refusals.map(\.reason.code) == ["other_half", "other_half"])
    #expect(plain.devices.map(\.coordinate.latitude) == [33.9, -33.9])
    let joined = try MappedList(
      fields: #""latitude": {"template": "{lat} {NS}"}, "longitude": {"template": "{lon} {E/W}"}"#,
      csv: csv)
    #expect(joined.devices.map(\.coordinate.latitude) == [-33.9, 33.9, 33.9])
    #expect(joined.devices.map(\.coordinate.longitude) == [18.4, 18.4, -18.4])
    let letters = try inspected(csv).columns
    #expect(letters.map(\.kind) == [.text, .number, .hemisphere, .number, .hemisphere])
    #expect(letters[2].numbers == [-1, 1, 1, -1])
  }

  @Test func `degrees, minutes and seconds in columns of their own are joined`() throws {
    let csv = "name,d,m,s,lon\nA,46,12,30,6\nB,-46,12,30,6\n"
    let list = try MappedList(fields: #""latitude": {"template": "{d}° {m}' {s}\""}"#, csv: csv)
    #expect(list.refusals.isEmpty)
    let size = 46 + 12.0 / 60 + 30.0 / 3_600
    #expect(list.devices.allSatisfy { abs(abs($0.coordinate.latitude) - size) < 1e-9 })
    #expect(list.devices.map { $0.coordinate.latitude < 0 } == [false, true])
  }

  @Test func `numbers of things are no degrees`() throws {
    let list = try inspected("a,b\nN123,W45\nN124,W46\n")
    #expect(list.columns.map(\.kind) == [.text, .text])
    #expect(try inspected("a\nN46 12.5\nN46 13.5\n").columns[0].kind == .degrees)
    #expect(try inspected("a\n46.2 N\n46.3 N\n").columns[0].kind == .degrees)
  }

  // MARK: Dates and directions

  @Test(
    arguments: [
      ("20201231", "yyyyMMdd", "2020-12-31"), ("31/12/20", "d/M/yy", "2020-12-31"),
      ("31/12/99", "d/M/yy", "1999-12-31"), ("31-Dec-2020", "d-MMMM-yyyy*", "2020-12-31"),
      ("31 de diciembre de 2020", "d MMMM yyyy*", "2020-12-31"),
      ("1er février 2021", "d MMMM yyyy*", "2021-02-01"),
      ("5. März 2022", "d. MMMM yyyy*", "2022-03-05"),
      ("5 mrt 2022", "d MMMM yyyy*", "2022-03-05"),
      ("2 de março de 2022", "d MMMM yyyy*", "2022-03-02"),
      ("juillet 4, 2020", "MMMM d, yyyy*", "2020-07-04"), ("31/12/2020", "d/M/yy", nil),
      ("5 foo 2020", "d MMMM yyyy*", nil),
    ] as [(String, String, String?)])
  func `dates are read in the languages and orders of lists`(
    text: String, format: String, day: String?
  ) throws {
    let known = try #require(DateFormat(format))
    #expect(known.read(text, months: DateFormat.months)?.text == day)
    guard day != nil else { return }
    let formats = try inspected("since;x\n\(text);1\n\(text);2\n").columns[0].dateFormats
    #expect(formats.contains(format))
  }

  @Test(
    arguments: [
      ("Nord und Süd", [0, 180], 0), ("norte y sur", [0, 180], 0), ("nord et sud", [0, 180], 0),
      ("N/S", [0, 180], 0), ("norte & sul", [0, 180], 0), ("vers le nord", [0], 1),
      ("Richtung Süden", [180], 1), ("naar het zuidwesten", [225], 1), ("hacia el sur", [180], 1),
      ("para o norte", [0], 1), ("direction de Paris", [], 1), ("N e S", [], 1),
    ] as [(String, [Double], Int)])
  func `directions in words are read`(text: String, bearings: [Double], findings: Int) {
    let found = BearingText([text])
    #expect(found.bearings == bearings && found.findings.count == findings)
  }

  // MARK: Encodings

  @Test func `UTF-16 without a mark is read`() throws {
    let text = "id,name,lat,lon\n1,Kamera Süd,46.1,6.1\n2,Kamera Ost,46.2,6.2\n"
    for isBig in [false, true] {
      let bytes = text.utf16.flatMap {
        isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
      }
      let found = try rows(ByteSource(bytes: bytes, name: "a.csv"))
      #expect(found.map { $0.columns["name"] } == ["Kamera Süd", "Kamera Ost"])
    }
  }

  @Test func `words that are UTF-8 already do not decide about the others`() throws {
    let bytes = Array("id;name\n1;Süd\n2;".utf8) + [0x53, 0xFC, 0x64] + Array("\n".utf8)
    #expect(TextEncoding.guess(bytes) == .windows1252)
    let list = try inspected(bytes, name: "a.csv")
    #expect(list.encoding == .windows1252 && list.isDoubleEncoded)
  }

  // MARK: Incomplete lists

  private func incompleteness(_ text: String) throws -> String? {
    var reason: String?
    try ImportReader(ByteSource(bytes: Array(text.utf8), name: "a.json")).forEachRow(stated: {
      if case .incomplete(let words) = $0 { reason = words }
    }) { _ in }
    return reason
  }

  @Test(arguments: [
    #"{"total_count":900,"results":[{"a":1}]}"#, #"{"nhits":900,"records":[{"a":1}]}"#,
    #"{"_embedded":{"x":[{"a":1}]},"page":{"size":1,"totalElements":50}}"#,
    #"{"result":{"records":[{"a":1}],"total":500,"limit":1}}"#,
    #"{"items":[{"a":1}],"count":"70","offset":0}"#,
    #"{"meta":{"total":80},"data":[{"a":1}]}"#, #"{"response":{"numFound":9,"docs":[{"a":1}]}}"#,
  ])
  func `a number of rows above those of the file means that it is a part`(text: String) throws {
    #expect(try incompleteness(text)?.contains("rows") == true)
  }

  @Test(arguments: [
    #"{"total_count":1,"results":[{"a":1}]}"#, #"{"total":500,"cameras":[{"a":1}]}"#,
    #"{"count":500,"stations":[{"a":1}]}"#, #"{"limit":10,"total":1,"items":[{"a":1}]}"#,
    #"{"page":1,"items":[{"a":1}]}"#,
  ])
  func `other numbers say nothing about the list`(text: String) throws {
    #expect(try incompleteness(text) == nil)
  }

  // MARK: OpenStreetMap

  @Test func `an augmented diff has the new state of elements and says that it is one of changes`()
    throws
  {
    let tag = #"<tag k="man_made" v="surveillance"/>"#
    let text =
      #"<osm><action type="modify"><old><node id="1" lat="46.1" lon="6.1">"# + tag
      + #"</node></old><new><node id="1" lat="46.2" lon="6.2">"# + tag
      + #"</node></new></action><action type="delete"><old><node id="2" lat="46.3" lon="6.3">"#
      + tag + #"</node></old><new><node id="2" visible="false"/></new></action>"#
      + #"<action type="create"><node id="3" lat="46.4" lon="6.4">"# + tag
      + "</node></action></osm>"
    var stated: [FileStatement] = []
    var found: [SourceRow] = []
    try ImportReader(ByteSource(bytes: Array(text.utf8), name: "a.osm"))
      .forEachRow(stated: { stated.append($0) }) { found.append($0) }
    #expect(found.map { $0.columns["@id"] } == ["1", "2", "3"])
    #expect(found[0].place == .point(longitude: 6.2, latitude: 46.2))
    #expect(found.map { $0.columns["@deleted"] } == [nil, "yes", nil])
    #expect(stated == [.changes])
  }

  @Test func `elements of OpenStreetMap are known by the names of other programs, too`() throws {
    let text =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"full_id":"n12","osm_id":"12","osm_type":"node","man_made":"surveillance"},"geometry":null},{"type":"Feature","properties":{"osm_id":-7,"osm_type":"relation"},"geometry":null},{"type":"Feature","properties":{"osm_id":"x","osm_type":"node"},"geometry":null}]}"#
    let found = try rows(text, name: "a.geojson")
    #expect(found[0].columns["@id"] == .integer(12) && found[0].columns["@type"] == "node")
    #expect(found[0].columns["osm_id"] == nil && found[0].columns["full_id"] == nil)
    #expect(found[2].columns["@id"] == nil)
  }

  @Test(arguments: [
    (#""opening_date":"2035-01-01""#, 0), (#""opening_date":"2020-01-01""#, 1),
    (#""status":"removed""#, 0), (#""status":"operational""#, 1),
  ])
  func `a device that is not there yet or any more is skipped`(tag: String, count: Int) throws {
    let text =
      #"{"elements":[{"type":"node","id":1,"lat":46,"lon":6,"tags":{"man_made":"surveillance",\#(tag)}}]}"#
    let list = try MappedList(
      seedMapping("osm"), ByteSource(bytes: Array(text.utf8), name: "a.json"),
      vocabulary: seedVocabulary())
    #expect(list.devices.count == count)
  }

  // MARK: Nested JSON

  @Test func `a list of one object in each row has columns, one of several has none`() throws {
    let row = { (number: Int, more: String) in
      #"{"id":\#(number),"Locations":[{"location":{"coordinates":[6.\#(number),46.1]}}\#(more)]}"#
    }
    let single = try inspected(
      #"{"value":[\#(row(1, "")),\#(row(2, ""))]}"#, name: "a.json")
    #expect(single.columns.map(\.column) == ["id", "/Locations/0/location/coordinates"])
    #expect(single.columns[1].kind == .position)
    let several = try inspected(
      #"{"value":[\#(row(1, "")),\#(row(2, #",{"location":{}}"#))]}"#, name: "a.json")
    #expect(several.columns.map(\.column) == ["id", "Locations"])
    #expect(several.columns.map(\.kind) == [.number, .list])
  }

  // MARK: Values

  @Test func `cells that spreadsheets read as texts, and the end of a DOS file, are understood`()
    throws
  {
    let csv = "id,name\n=\"007\",=\"A\"\n\"=\"\"008\"\"\",=1+1\n\u{1A}"
    let found = try rows(csv, name: "a.csv")
    #expect(found.map { $0.columns["id"] } == ["007", "008"])
    #expect(found.map { $0.columns["name"] } == ["A", "=1+1"])
  }

  @Test func `the nulls of programs are no values, and no names`() throws {
    let words = ["<Null>", "\\N", "NULL", "NaN", "(null)", "n/a", "-", "unknown", "Null Island"]
    let cells = words.enumerated().map { "\($1),46.\($0),6.1" }.joined(separator: "\n")
    let list = try MappedList(
      fields: #""description": "name""#, csv: "name,lat,lon\n" + cells)
    #expect(list.devices.map(\.fields.name).filter { $0 != "A" } == ["Null Island"])
    #expect(
      list.devices.compactMap(\.fields.description) == ["n/a", "-", "unknown", "Null Island"])
  }

  @Test(
    arguments: [
      ("Stadt &amp; Land", "Stadt & Land"), ("A&#39;s", "A's"), ("Caf&eacute;", "Café"),
      ("&Uuml;ber", "Über"), ("x &lt;b&gt;", "x <b>"), ("AT&T; x", nil), ("a & b; c", nil),
      ("R&D", nil),
    ] as [(String, String?)])
  func `characters as HTML writes them are read`(text: String, plain: String?) {
    #expect(HTMLText.plain(text) == plain)
  }

  @Test(
    arguments: [
      ("46:12:30 N", 46 + 12.5 / 60), ("1:30 E", 1.5), ("0:08 W", -8.0 / 60), ("Lat: 46.5", 46.5),
      ("46:12:30", 46 + 12.5 / 60), ("46:72 N", nil),
    ] as [(String, Double?)])
  func `colons between numbers are signs of degrees and minutes`(text: String, value: Double?) {
    let found = DegreesText.coordinate(text, WrittenPosition.Notation(), isUpright: nil)
    #expect(found.map { ($0 * 1e9).rounded() } == value.map { ($0 * 1e9).rounded() })
  }

  @Test func `coordinates of GeoJSON may be texts`() throws {
    let text =
      #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":["6.1","46.1"]}}"#
    #expect(
      try rows(text, name: "a.geojson").map(\.place) == [.point(longitude: 6.1, latitude: 46.1)])
  }

  // MARK: Files that are not the list

  @Test(arguments: [
    ("a.js", #"var cameras = [{"id":1}];"#, "begins with"),
    ("a.json", #"callback([{"id":1}]);"#, "begins with"),
    ("a.json", "// list\n[{\"id\":1}]", "begins with"), ("a", #"load([{"id":1}])"#, "begins with"),
    ("a.json", #"[["id","lat"],[1,46.1]]"#, "lists without names"),
    ("a.json", #"{"columns":["id"],"data":[[1,46.1]]}"#, "lists without names"),
    ("a.json", #"{"meta":{"view":{"columns":[{"name":"id"}]}},"data":[["1"]]}"#, "Socrata"),
    ("a.json", #"{"error":{"code":400,"message":"Invalid URL"}}"#, "Invalid URL"),
    ("a.json", #"{"errors":[{"message":"no token"}]}"#, "no token"),
    ("a.xls", "<html><body><table><tr><td>1</td></tr></table></body></html>", "spreadsheet"),
    ("a.xml", "<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"x\"><html/>", "web page"),
    ("a.xls", "<?xml version=\"1.0\"?><Workbook xmlns=\"urn:x\"/>", "XLSX or CSV"),
    ("a.gml", "<wfs:FeatureCollection xmlns:wfs=\"w\"/>", "GeoJSON"),
    ("a.xml", "<ServiceExceptionReport/>", "error message of a service"),
    ("a.pdf", "%PDF-1.4", "PDF"), ("a.rar", "Rar!", "RAR"),
    ("a.tab", "!table\n!version 300", "MapInfo"),
    ("a.tar", "a" + String(repeating: "\0", count: 256) + "ustar", "tar"),
    ("a.dbf", "\u{3}\0\0\0", "Shapefile"),
  ])
  func `another file is named, with what to do`(name: String, content: String, words: String) {
    let reason = failure(content, name: name).0?.reason
    #expect(reason?.contains(words) == true, "\(reason ?? "read")")
  }

  @Test func `packed and binary files are named`() {
    let files: [([UInt8], String)] = [
      ([0x37, 0x7A, 0xBC, 0xAF], "7-Zip"),
      ([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18), "empty"),
      ([0, 0, 0x27, 0x0A], "one ZIP"), ([0x89, 0x50, 0x4E, 0x47], "picture"),
      ([0xFF, 0xFE, 0, 0, 0x69, 0, 0, 0], "UTF-32"),
    ]
    for (bytes, words) in files {
      #expect(
        failure(ByteSource(bytes: bytes, name: "a")).0?.reason.contains(words) == true, "\(words)")
    }
  }
}
