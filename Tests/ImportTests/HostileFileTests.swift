import Foundation
import Import
import JSON
import Testing
import WrittenValues

@Suite struct HostileFileTests {
  @Test(arguments: [
    "", " \n", "\u{FEFF}",
  ])
  func `an empty file is reported`(text: String) {
    #expect(failure(text).0?.reason == "the file is empty")
  }

  @Test func `a missing file and a folder are reported`() {
    #expect(failure(ByteSource(path: "/nowhere/list.csv")).0?.reason.contains("/nowhere") == true)
    #expect(failure(ByteSource(path: "/")).0?.reason == "/ is not a file")
  }

  @Test(
    arguments: [
      ([0x50, 0x4B, 0x03, 0x04, 0x14], "ZIP"), ([0xD0, 0xCF, 0x11, 0xE0, 0xA1], "XLSX"),
      ([0x61, 0x00, 0x62], "not text"),
    ] as [([UInt8], String)])
  func `a file that is not text is reported`(bytes: [UInt8], word: String) {
    #expect(failure(ByteSource(bytes: bytes)).0?.reason.contains(word) == true)
  }

  @Test func `XML entities that expand without limit are not read`() {
    let (failure, rows) = failure(
      """
      <?xml version="1.0"?>
      <!DOCTYPE osm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">
      <!ENTITY x SYSTEM "file:///etc/passwd">]>
      <osm><node id="1" lat="1" lon="2"><tag k="name" v="&c;"/></node></osm>
      """)

    #expect(failure?.reason == "the XML declares a document type, which is not read")
    #expect(rows == 0)
  }

  @Test func `an undeclared entity ends the reading of the file`() {
    #expect(failure(#"<osm><node id="&x;"/></osm>"#).0 != nil)
  }

  @Test func `XML with excessive nesting is an error`() {
    #expect(failure("<osm>" + String(repeating: "<a>", count: 100_000)).0 != nil)
  }

  @Test func `JSON with excessive nesting refuses its row`() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)

    #expect(try rows(#"[{"a":\#(deep)},{"a":1}]"#).map { $0.fault?.code } == ["not_json", nil])
  }

  @Test func `a row above the size limit ends the reading`() {
    let source = ByteSource(name: "a.json") { number in
      number == 0
        ? Array(#"[{"a":""#.utf8) : number < 1_000 ? [UInt8](repeating: 0x61, count: 65_536) : nil
    }

    #expect(failure(source).0?.reason == "a row larger than 16777216 bytes")
  }

  @Test func `a quoted field above the size limit ends the reading`() {
    let source = ByteSource(name: "a.csv") { number in
      number == 0
        ? Array("a,b\n1,\"".utf8) : number < 100 ? [UInt8](repeating: 0x61, count: 65_536) : nil
    }

    #expect(failure(source).0?.line == 2)
  }

  @Test func `text that is not UTF-8 refuses its row`() throws {
    let bytes = Array(#"[{"a":""#.utf8) + [0xFF] + Array(#""},{"a":"x"}]"#.utf8)

    #expect(try rows(ByteSource(bytes: bytes)).map { $0.fault?.code } == ["not_text", nil])
  }

  @Test func `invalid numbers are not coordinates`() throws {
    for text in ["NaN", "inf", "-Infinity", "0x1p3", "1e2", "1_0", " "] {
      let list = try MappedList(fields: #""status": []"#, csv: "lon,lat\n\(text),1\n")
      #expect(list.devices.isEmpty)
    }
  }
}

@Suite struct GzipFileTests {
  /// Three rows of CSV, packed by gzip(1).
  private let packed: [UInt8]

  init() throws {
    let text = "a,b\n" + (0..<5_000).map { "\($0),\($0 &* 7_919 % 10_007)\n" }.joined()
    packed = try Self.gzip(Array(text.utf8))
  }

  private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-c"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    DispatchQueue.global().async {
      input.fileHandleForWriting.write(Data(bytes))
      try? input.fileHandleForWriting.close()
    }
    let packed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return [UInt8](packed)
  }

  @Test func `gzip is decompressed whatever the file name`() throws {
    #expect(try rows(ByteSource(bytes: packed, name: "a.csv.gz")).count == 5_000)
    #expect(try rows(ByteSource(bytes: packed, name: "a.csv")).count == 5_000)
    // The second header is no row.
    #expect(try rows(ByteSource(bytes: packed + packed, name: "a.csv")).count == 10_000)
  }

  @Test func `truncated gzip keeps the rows before its end`() {
    let (failure, rows) = failure(
      ByteSource(bytes: Array(packed.prefix(packed.count / 2)), name: "a.csv.gz"))

    #expect(failure?.reason == "the gzip file ends too early; it was cut off")
    #expect(rows > 0)
  }

  @Test func `damaged gzip is reported`() {
    var damaged = packed
    for index in 200..<260 { damaged[index] ^= 0x5A }

    #expect(failure(ByteSource(bytes: damaged, name: "a.csv.gz")).0 != nil)
  }

  @Test func `gzip that decompresses beyond its limit is refused`() throws {
    let bomb = try Self.gzip([UInt8](repeating: 0x61, count: 10_000_000))
    let source = ByteSource(bytes: bomb, name: "a.json", unpackedLimit: 100_000)

    #expect(failure(source).0?.reason == "the gzip file unfolds to more than 100000 bytes")
  }
}

@Suite(.serialized) struct FlatMemoryTests {
  /// Memory pages that the process holds now, in bytes.
  private static func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4_096
  }

  /// The address sanitizer keeps freed memory for a while.
  private static let keepsWhatIsFreed = dlsym(nil, "__asan_init") != nil

  @Test(.enabled(if: residentBytes() > 0 && !keepsWhatIsFreed))
  func `a million rows need no more memory than a thousand`() throws {
    let block = Array(repeating: #"{"a":1},"#, count: 2_000).joined()
    let source = ByteSource(name: "a.json") { number in
      switch number {
      case 0: Array("[".utf8)
      case 1...500: Array(block.utf8)
      case 501: Array(#"{"a":2}]"#.utf8)
      default: nil
      }
    }
    var count = 0
    var before = 0
    var maximum = 0
    try ImportReader(source).forEachRow { row in
      count += 1
      if count == 1_000 { before = Self.residentBytes() }
      if count.isMultiple(of: 50_000) { maximum = max(maximum, Self.residentBytes()) }
    }

    #expect(count == 1_000_001)
    // Kept in memory, a million rows would need about 200 MB. Other tests run at the same time
    // and use memory too.
    #expect(maximum - before < 80 << 20)
  }
}
