import CharacterSets
@testable import Import
@testable import WrittenValues
import JSON
import PrivacyMap
import Testing

/// Tables as people publish them.
@Suite struct PublishedTableTests {
  private func read(_ name: String, header: Int = 1, layer: String? = nil) throws -> [SourceRow] {
    var options = ImportReader.Options()
    options.headerRow = header
    options.layer = layer
    return try rows(ByteSource(path: fixture("cases/\(name)")), options)
  }

  private func texts(_ rows: [SourceRow], _ column: String) -> [String] {
    rows.compactMap { $0.columns[column]?.scalarText }
  }

  @Test func `a repeated header of a sheet gets a number, and no value is lost`() throws {
    let found = try read("s_dup.xlsx")
    #expect(
      found[0].columns.members.map(\.key) == [
        "id", "Name", "Status", "lat", "lon", "Name (2)", "Status (2)",
      ])
    #expect(texts(found, "Name") == ["Kamera Bahnhof", "Kamera Hafen"])
    #expect(texts(found, "lat") == ["46.2", "46.21"])
  }

  @Test func `headers of a sheet are trimmed and in one line`() throws {
    let names = try read("s_heads.xlsx")[0].columns.members.map(\.key)
    for name in names {
      #expect(!name.contains("\n") && name.first?.isWhitespace == false)
      #expect(name.last?.isWhitespace == false)
    }
    #expect(Set(names).count == names.count)
  }

  @Test func `blank rows are not rows`() throws {
    let csv = "id;name\n1;A\n;;\n ; \n2;B\n;\n"
    #expect(try rows(csv, name: "a.csv").map(\.number) == [1, 2])
    #expect(try rows(csv, name: "a.csv").map(\.line) == [2, 5])
    let sheet = try read("s_blankrows.xlsx")
    #expect(!sheet.isEmpty && sheet.allSatisfy { !$0.columns.members.isEmpty })
  }

  @Test(arguments: ["sep=;\nid;name\n1;A\n", "sep=,\nid,name\n1,A\n", "sep=\t\nid\tname\n1\tA\n"])
  func `the line of Excel with the separator is no header`(text: String) throws {
    let found = try rows(text, name: "a.csv")
    #expect(found.count == 1 && found[0].columns["name"] == "A")
  }

  @Test func `the separator is that of the rows, not of a title`() throws {
    let text = "Cameras, 2024, all districts\n\nid;name;lat\n1;A, B;46,2\n2;C, D;46,3\n"
    var options = ImportReader.Options()
    options.headerRow = 2
    let found = try rows(text, name: "a.csv", options)
    #expect(found.map { $0.columns["name"]?.stringValue } == ["A, B", "C, D"])
  }

  @Test func `titles above the column names are found, and a list without names`() throws {
    let titled = try ListInspection(
      of: ByteSource(
        bytes: Array("Kameras der Stadt;;\nStand 2024;;\nid;name;lat\n1;A;46,2\n2;B;46,3\n".utf8),
        name: "a.csv"))
    #expect(titled.headerRow == 3 && titled.columns.map(\.column) == ["id", "name", "lat"])
    let bare = try ListInspection(
      of: ByteSource(bytes: Array("1,A,46.2,6.1\n2,B,46.3,6.2\n".utf8), name: "a.csv"))
    #expect(bare.headerRow == 0 && bare.rows == 2)
    #expect(bare.columns.map(\.column) == ["column 1", "column 2", "column 3", "column 4"])
    let plain = try ListInspection(
      of: ByteSource(bytes: Array("id,name\n1,A\n2,B\n".utf8), name: "a.csv"))
    #expect(plain.headerRow == 1)
  }

  @Test(arguments: ["f1_cpg_1252.zip", "f1_ldid03.zip", "f1_nocpg_ldid0.zip", "f1_cpg_1250.zip"])
  func `texts of a Shapefile have their letters`(name: String) throws {
    let found = try read(name)
    let all = found.flatMap { $0.columns.members.compactMap { $0.value.stringValue } }
      .joined(separator: " ")
    #expect(!found.isEmpty && !all.contains("\u{FFFD}"))
    #expect(name == "f1_cpg_1250.zip" || all.contains("Caméra Süd"), "\(all)")
  }

  @Test(arguments: [
    "f2_csv_umlaut.zip", "f2_folder.zip", "f2_kml_umlaut.zip", "f2_name_umlaut.zip",
  ])
  func `files of an archive may have any letters in their names`(name: String) throws {
    #expect(try !read(name).isEmpty)
  }

  @Test func `OpenDocument sheets are read`() throws { #expect(try !read("s4.ods").isEmpty) }

  @Test func `a workbook beside a text in an archive is the list`() throws {
    #expect(try !read("s4_zip_xlsx.zip").isEmpty)
  }

  @Test(arguments: ["s4.xlsb", "s4_old.xls"])
  func `a workbook that is not read gets a sentence that says what to do`(name: String) {
    let reason = failure(ByteSource(path: fixture("cases/\(name)"))).0?.reason ?? ""
    #expect(reason.contains("save the list as XLSX or CSV"))
  }

  @Test func `a table in UTF-16 is read by its mark`() throws {
    let text = "id\tname\n1\tKamera Süd\n"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let source = ByteSource(bytes: bytes, name: "a.txt")
    #expect(try rows(source).first?.columns["name"] == "Kamera Süd")
    #expect(try ListInspection(of: source).encoding == .utf16LittleEndian)
  }

  @Test func `the encoding is guessed from the words, and the guess is shown`() throws {
    // “Камера у школы” in Windows-1251.
    let words: [UInt8] = [
      0xCA, 0xE0, 0xEC, 0xE5, 0xF0, 0xE0, 0x20, 0xF3, 0x20, 0xF8, 0xEA, 0xEE, 0xEB, 0xFB,
    ]
    let list = try ListInspection(
      of: ByteSource(bytes: Array("id;name\n1;".utf8) + words + [0x0A], name: "a.csv"))
    #expect(list.encoding.name == "windows-1251" && list.isEncodingGuessed)
    #expect(list.foreignSamples == ["Камера у школы"])
  }

  @Test func `a list in an encoding of two bytes is split at its separators only`() throws {
    var options = ImportReader.Options()
    options.encoding = try #require(TextEncoding(named: "shift_jis"))
    options.separator = UInt8(ascii: "|")
    // The second byte of “ポ” equals “|”.
    let bytes = Array("id|name\n1|".utf8) + [0x83, 0x7C] + Array("|\n".utf8)
    let found = try rows(ByteSource(bytes: bytes, name: "a.csv"), options)
    #expect(found.first?.columns["name"] == "ポ" && found.first?.fault == nil)
  }
}

/// The statements of files and of responses of services about themselves.
@Suite struct FileStatementTests {
  private func statements(_ text: String) throws -> [FileStatement] {
    var found: [FileStatement] = []
    try ImportReader(ByteSource(bytes: Array(text.utf8), name: "a"))
      .forEachRow(stated: { found.append($0) }) { _ in }
    return found
  }

  private static let feature =
    #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#

  @Test(arguments: [
    #"{"elements":[],"remark":"runtime error: Query timed out in \"query\" at line 3"}"#,
    #"{"remark":"runtime error","elements":[]}"#,
    #"{"type":"FeatureCollection","exceededTransferLimit":true,"features":[\#(feature)]}"#,
    #"{"type":"FeatureCollection","properties":{"exceededTransferLimit":true},"features":[]}"#,
    #"{"type":"FeatureCollection","features":[\#(feature)],"numberMatched":2}"#,
    #"{"type":"FeatureCollection","features":[],"links":[{"rel":"next","href":"/x?page=2"}]}"#,
    #"{"type":"FeatureCollection","features":[],"next":"https://example.org/?page=2"}"#,
    #"{"type":"FeatureCollection","features":[],"@iot.nextLink":"https://example.org/x"}"#,
    #"{"type":"FeatureCollection","features":[],"meta":{"next":"/x?page=2"}}"#,
    #"<osm version="0.6"><node id="1" lat="1" lon="2"/><remark> runtime error </remark></osm>"#,
  ])
  func `an answer that is only a part of the list says so`(text: String) throws {
    guard case .incomplete(let reason)? = try statements(text).first else {
      Issue.record("nothing was stated")
      return
    }
    #expect(!reason.isEmpty && reason.count <= 301)
  }

  @Test(arguments: [
    #"{"elements":[]}"#, #"{"elements":[],"remark":""}"#,
    #"{"type":"FeatureCollection","features":[\#(feature)],"numberMatched":1}"#,
    #"{"type":"FeatureCollection","features":[],"exceededTransferLimit":false,"next":null}"#,
    #"{"type":"FeatureCollection","features":[],"links":[{"rel":"self","href":"/x"}]}"#,
    #"{"type":"FeatureCollection","features":[],"next":"2026-12-01"}"#,
    #"{"type":"FeatureCollection","features":[],"properties":{"title":"next"}}"#,
    #"<osm version="0.6"><node id="1" lat="1" lon="2"><tag k="remark" v="x"/></node></osm>"#,
  ])
  func `other answers say nothing`(text: String) throws { #expect(try statements(text).isEmpty) }

  @Test func `a change file and the area of an extract are stated`() throws {
    #expect(try statements(#"<osmChange version="0.6"></osmChange>"#) == [.changes])
    let extract = #"<osm><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/></osm>"#
    #expect(try statements(extract) == [.area(west: 2, south: 1, east: 4, north: 3)])
  }

  /// A member may be cut between pieces, and be too long.
  @Test func `a long remark and a remark in pieces are read or left out`() throws {
    let long = String(repeating: "x", count: 5_000)
    #expect(try statements(#"{"elements":[],"remark":"\#(long)"}"#).isEmpty)
    let text = Array(#"{"elements":[],"remark":"runtime error"}"#.utf8)
    var found: [FileStatement] = []
    let source = ByteSource(name: "a.json") { $0 < text.count ? [text[$0]] : nil }
    var options = ImportReader.Options()
    options.format = .osmJSON
    try ImportReader(source, options: options).forEachRow(stated: { found.append($0) }) { _ in }
    #expect(found == [.incomplete("runtime error")])
  }
}

/// Elements of OpenStreetMap that describe no device, a former one, or the same one as another element.
@Suite struct OSMKindTests {
  private func list(_ elements: String) throws -> MappedList {
    try MappedList(
      seedMapping("osm"),
      ByteSource(bytes: Array(#"{"elements":[\#(elements)]}"#.utf8), name: "a.json"),
      vocabulary: seedVocabulary())
  }

  private func one(_ tags: String) throws -> MappedList {
    try list(#"{"type":"node","id":1,"lat":46.2,"lon":6.1,"tags":{\#(tags)}}"#)
  }

  @Test func `what says that there is no device is none`() throws {
    let found = try MappedList(shipped: "osm", fixture: "cases/o7_no.json")
    #expect(found.devices.map { $0.fields.name.suffix(11) } == ["n1 bike yes", "man_made no"])
    #expect(found.devices.last?.notes.map(\.code).contains("says_no") == true)
  }

  @Test func `what is no longer there, or not yet, is no device, and gone if it is known`() throws {
    let found = try MappedList(shipped: "osm", fixture: "cases/o5_life.json")
    #expect(found.devices.isEmpty, "\(found.devices.map(\.fields.name))")
    #expect(found.skipped.allSatisfy { $0.isGone && $0.sourceKey != nil })
  }

  @Test func `an end in the future and the past of something else change nothing`() throws {
    let camera = #""man_made":"surveillance","surveillance:type":"camera""#
    #expect(try one(camera + #","end_date":"2031""#).devices.count == 1)
    #expect(try one(camera + #","end_date":"2026-11-21""#).devices.count == 1)
    #expect(try one(camera + #","end_date":"2026-11-20""#).devices.isEmpty)
    #expect(try one(camera + #","disused:amenity":"bank""#).devices.count == 1)
  }

  @Test(arguments: ["o6_enf.json", "o6_enf.osm"])
  func `relations of enforcement are rows of their camera`(name: String) throws {
    let found = try MappedList(shipped: "osm", fixture: "cases/\(name)")
    #expect(Set(found.devices.map(\.sourceKey)) == ["node/7000000088"])
    #expect(found.devices.dropFirst().allSatisfy { $0.mayRepeat })
    #expect(found.devices.first?.fields.category == "traffic_enforcement")
  }

  @Test(arguments: [
    ("ALPR;camera", "alpr"), ("camera;ALPR", "alpr"), ("LPR", "alpr"), ("anpr", "alpr"),
    ("gunshot_detector;camera", "microphone"), ("acoustic", "microphone"),
    ("drone", "mobile_camera"), ("webcam", "webcam"), ("camera", "camera_fixed"),
  ])
  func `a list of kinds is a list`(type: String, category: String) throws {
    let found = try one(#""man_made":"surveillance","surveillance:type":"\#(type)""#)
    #expect(found.devices.map(\.fields.category) == [category])
    #expect(found.devices.first?.notes.isEmpty == true)
  }

  @Test(arguments: ["radar", "thermal", "???"])
  func `an unknown kind is flagged, not silently a fixed camera`(type: String) throws {
    let found = try one(#""man_made":"surveillance","surveillance:type":"\#(type)""#)
    #expect(found.devices.map(\.fields.category) == ["camera_fixed"])
    #expect(found.devices.first?.notes.contains { $0.field == "category" } == true)
  }

  @Test(arguments: [#""fake":"yes""#, #""surveillance":"fake""#, #""camera:type":"dummy""#])
  func `a dummy is no device`(tag: String) throws {
    let found = try one(#""man_made":"surveillance",\#(tag)"#)
    #expect(found.devices.map(\.fields.status) == [.notADevice])
  }

  @Test func `what belongs to the lamp, the pole or the peak is not the camera's`() throws {
    let lamp = try one(
      #""highway":"street_lamp","manufacturer":"Philips","height":"8","operator":"Lampen AG","#
        + #""direction":"90","surveillance:type":"camera","surveillance":"public","#
        + #""camera:direction":"180","camera:height":"4""#)
    let device = try #require(lamp.devices.first)
    #expect(device.fields.manufacturer == nil && device.fields.answersFor == nil)
    #expect(device.fields.bearings == [180] && device.fields.height == 4)
    #expect(device.notes.contains { $0.code == "belongs_to_the_carrier" })
    let peak = try one(
      #""natural":"peak","name":"Jungfrau","contact:webcam":"https://example.org""#)
    #expect(peak.devices.first?.fields.name != "Jungfrau")
    #expect(peak.devices.first?.fields.category == "webcam")
  }
}

@Suite struct DirectionWidthTests {
  @Test(
    arguments: [
      ("350-10;90", [0.0, 90], nil), ("90;180-270", [90, 225], nil), ("239-284", [261.5], 45.0),
      ("N-E", [45], 90), ("NE-SE", [90], 90), ("SW-NW", [270], 90),
      ("0-90;180-270", [45, 225], 90),
      ("north-east", [45], nil), ("N", [0], nil),
    ] as [(String, [Double], Double?)])
  func `each direction has its own width, or none`(
    text: String, bearings: [Double], width: Double?
  ) {
    let found = BearingText([text])
    #expect(found.bearings == bearings && found.fieldOfView == width)
  }
}
