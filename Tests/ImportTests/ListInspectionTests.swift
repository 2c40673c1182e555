import CharacterSets
@testable import Import
import JSON
import Testing

/// The content of a list before there is a mapping for it.
@Suite struct ListInspectionTests {
  private func inspect(
    _ text: String, name: String = "list.csv", input: JSONValue? = nil,
    limits: ListInspection.Limits = ListInspection.Limits()
  ) throws -> ListInspection {
    try inspect(Array(text.utf8), name: name, input: input, limits: limits)
  }

  private func inspect(
    _ bytes: [UInt8], name: String = "list.csv", input: JSONValue? = nil,
    limits: ListInspection.Limits = ListInspection.Limits()
  ) throws -> ListInspection {
    try ListInspection(of: ByteSource(bytes: bytes, name: name), input: input, limits: limits)
  }

  private func columns(_ list: ListInspection) -> [String] { list.columns.map(\.column) }

  @Test func `columns have fill rates, samples and values`() throws {
    let list = try inspect("id,kind,empty\n1,dome,\n2,dome,\n3,,\n")
    #expect(list.rows == 3 && list.isComplete && list.fault == nil)
    #expect(columns(list) == ["id", "kind", "empty"])
    #expect(list.columns.map(\.filled) == [3, 2, 0])
    #expect(list.columns.map(\.kind) == [.number, .text, .empty])
    #expect(list.columns.map(\.isUnique) == [true, false, false])
    #expect(list.columns[1].samples == ["dome"])
    #expect(list.columns[1].values.map(\.text) == ["dome"])
    #expect(list.columns[1].values.map(\.count) == [2])
  }

  @Test func `a column with more than sixty values has no table of values`() throws {
    let rows = { (count: Int) in (1...count).map { "v\($0)" }.joined(separator: "\n") }
    #expect(try inspect("a\n" + rows(60) + "\n").columns[0].values.count == 60)
    #expect(try inspect("a\n" + rows(61) + "\n").columns[0].values.isEmpty)
    let long = String(repeating: "x", count: 200)
    #expect(try inspect("a\n\(long)\n").columns[0].values.count == 1)
    #expect(try inspect("a\n\(long)x\n").columns[0].values.isEmpty)
  }

  @Test(arguments: [
    ("2026-05-04", ["yyyy-MM-dd*"]), ("2026-05-04T10:00:00Z", ["yyyy-MM-dd*"]),
    ("04.05.2026", ["d.M.yyyy*"]), ("31/12/2025", ["d/M/yyyy*"]), ("12/31/2025", ["M/d/yyyy*"]),
    ("4/5/2026", ["d/M/yyyy*", "M/d/yyyy*"]), ("May 4, 2026", ["MMMM d, yyyy*"]),
    ("32/13/2025", []), ("1234", []), ("camera", []),
  ])
  func `the formats of a date are found, also if several fit`(text: String, formats: [String])
    throws
  {
    #expect(try inspect("a,b\n\"\(text)\",1\n").columns[0].dateFormats == formats)
  }

  @Test(arguments: [
    ("38.7, -9.1", nil), ("POINT (-9.1 38.7)", "longitude_latitude"),
    ("38.7 N 9.1 W", "latitude_longitude"),
    ("geo:38.7,-9.1", "latitude_longitude"), ("Rua A (38.7, -9.1)", nil),
  ])
  func `a column of positions has the numbers as they are written`(text: String, order: String?)
    throws
  {
    let column = try inspect("a;b\n\(text);1\n;2\n\(text);3\n", name: "a.csv").columns[0]
    #expect(column.kind == .position && column.order == order)
    let isTurned = order == "longitude_latitude"
    let pair = SamplePair(first: isTurned ? -9.1 : 38.7, second: isTurned ? 38.7 : -9.1)
    #expect(column.pairs == [pair, nil, pair])
  }

  @Test func `a letter O is reported, and degrees with signs are numbers`() throws {
    let list = try inspect("a;b;c\n48.2 N 16.4 O;46° 12' 0\";x\n", name: "a.csv")
    #expect(list.columns[0].kind == .position && list.columns[0].hasLetterO)
    #expect(list.columns[1].kind == .degrees && list.columns[1].numbers == [46.2])
    #expect(list.columns[2].kind == .text && list.columns[2].pairs.isEmpty)
  }

  @Test func `other rows decide between two orders of a date`() throws {
    let list = try inspect("a\n4/5/2026\n13/5/2026\n")
    #expect(list.columns[0].kind == .date && list.columns[0].dateFormats == ["d/M/yyyy*"])
  }

  @Test func `numbers keep their rows, with either decimal sign`() throws {
    let list = try inspect("lat;lon;name\n38,7;-9,1;x\n;-9,2;y\nabc;-9.3;z\n")
    #expect(list.separator == ";")
    #expect(list.columns[0].numbers == [38.7, nil, nil])
    #expect(list.columns[1].numbers == [-9.1, -9.2, -9.3])
    #expect(list.columns[1].kind == .decimalComma)
    #expect(list.columns[2].numbers.isEmpty)
  }

  @Test func `a table in Windows-1252 is recognised, in its header or in a row`() throws {
    let header = Array("id,c".utf8) + [0xE2] + Array("mara\n1,x\n".utf8)
    let inHeader = try inspect(header)
    #expect(inHeader.encoding == .windows1252 && columns(inHeader) == ["id", "câmara"])
    let row = Array("id,kind\n1,C".utf8) + [0xE2] + Array("mara\n".utf8)
    let inRow = try inspect(row)
    #expect(inRow.encoding == .windows1252 && inRow.columns[1].samples == ["Câmara"])
    #expect(inRow.unreadable == 0)
    let asGiven = try inspect(row, input: ["encoding": "utf-8"])
    #expect(asGiven.encoding == .utf8 && asGiven.unreadable == 1)
    #expect(try inspect("id,kind\n1,Câmara\n").encoding == .utf8)
  }

  @Test func `texts that were encoded twice are recognised`() throws {
    #expect(try inspect("a\nSÃ¼d\n").isDoubleEncoded)
    #expect(try !inspect("a\nSüd\n").isDoubleEncoded)
  }

  @Test func `rude column names stay distinct and can be named in a mapping`() throws {
    let list = try inspect("a,a,,/x,:y,\u{202E}evil,a~b,__proto__,😀\n1,2,3,4,5,6,7,8,9\n")
    #expect(
      columns(list) == [
        "a", "a (2)", "column 3", "/~1x", "/:y", "evil", "a~b", "__proto__", "😀",
      ])
    let row = JSONObject(["/x", ":y"].map { (key: $0, value: JSONValue.string("v")) })
    #expect(Column("/~1x").value(in: row) == "v" && Column("/:y").value(in: row) == "v")
  }

  @Test func `members of objects become columns, to five levels`() throws {
    let list = try inspect(
      #"[{"a": {"b": {"c": {"d": {"h": {"i": 1}}}}, "e/f": 2}, "g": ["x", "y"]}]"#,
      name: "list.json")
    #expect(columns(list) == ["/a/b/c/d/h", "/a/e~1f", "g"])
    #expect(list.columns[2].samples == ["x, y"])
    #expect(list.columns[0].filled == 0)
  }

  @Test func `positions of the format are in the sample`() throws {
    let list = try inspect(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [7.4, 46.9]}, "properties": {"n": 1}},
        {"type": "Feature", "geometry": null, "properties": {"n": 2}}]}
      """, name: "list.geojson")
    #expect(list.format == .geoJSON)
    #expect(list.positions == [SamplePosition(longitude: 7.4, latitude: 46.9), nil])
    #expect(list.sample == [1, 2])
  }

  @Test func `the sample is spread over the list and bounded`() throws {
    let rows = { (count: Int) in "n\n" + (1...count).map { "\($0).5\n" }.joined() }
    #expect(try inspect(rows(2_000)).sample.count == 2_000)
    let list = try inspect(rows(9_000))
    #expect((1_000...2_000).contains(list.sample.count))
    #expect(list.sample.first == 1 && (list.sample.last ?? 0) > 8_980)
    let steps = zip(list.sample, list.sample.dropFirst()).map { $1 - $0 }
    #expect(Set(steps).count == 1)
    #expect(list.columns[0].numbers.count == list.sample.count)
    #expect(list.columns[0].numbers.first == 1.5)
  }

  @Test func `a long list is read up to the limit`() throws {
    var limits = ListInspection.Limits()
    limits.rows = 3
    let text = { (count: Int) in "n\n" + (1...count).map { "\($0)\n" }.joined() }
    let whole = try inspect(text(3), limits: limits)
    #expect(whole.rows == 3 && whole.isComplete)
    let part = try inspect(text(4), limits: limits)
    #expect(part.rows == 3 && !part.isComplete && part.fault == nil)
  }

  @Test func `reading ends when the time is up`() throws {
    var limits = ListInspection.Limits()
    limits.duration = .zero
    #expect(throws: ImportFailure.self) { try inspect("n\n1\n", limits: limits) }
  }

  @Test func `a truncated list is described as far as it goes, with the reason`() throws {
    let list = try inspect("a,b\n1,2\n3,4\n5", limits: ListInspection.Limits())
    #expect(list.rows == 2 && !list.isComplete)
    #expect(list.fault?.contains("cut off") == true)
  }

  @Test func `more than two hundred columns are counted but not inspected`() throws {
    let names = { (count: Int) in (1...count).map { "c\($0)" }.joined(separator: ",") + "\n" }
    #expect(try !inspect(names(200)).hasMoreColumns)
    let list = try inspect(names(201))
    #expect(list.hasMoreColumns && list.columns.count == 200)
  }

  @Test func `a list without rows has columns only`() throws {
    let list = try inspect("a,b\n")
    #expect(list.rows == 0 && columns(list) == ["a", "b"] && list.columns[0].kind == .empty)
  }

  @Test(arguments: ["", "{\"a\": 1", "\u{0}\u{1}"])
  func `a file without a list is refused`(text: String) {
    #expect(throws: ImportFailure.self) { try inspect(text, name: "list") }
  }
}
