import Compression
import Testing

@Suite struct GzipTests {
  // By name: each argument is printed, and a list of 200,000 bytes is a line of half a megabyte.
  private static let texts: [String: [UInt8]] = [
    "empty": [], "a zero": [0], "a word": Array("Farol".utf8),
    "repeated": [UInt8](repeating: 7, count: 200_000),
    "mixed": (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) },
  ]

  @Test(arguments: texts.keys.sorted())
  func `compressed data decompresses to the original`(name: String) throws {
    let bytes = try #require(Self.texts[name])
    let packed = Gzip.compress(bytes)
    #expect(Gzip.isGzip(packed))
    #expect(try Gzip.decompress(packed, limit: bytes.count) == bytes)
  }

  @Test(arguments: [-1, 0, 1, 9, 10])
  func `levels outside the range are clamped`(level: Int) throws {
    let bytes = [UInt8](repeating: 65, count: 5_000)
    #expect(try Gzip.decompress(Gzip.compress(bytes, level: level), limit: 5_000) == bytes)
  }

  @Test func `equal bytes compress to equal bytes`() {
    let bytes = Array("the same thing twice".utf8)
    #expect(Gzip.compress(bytes) == Gzip.compress(bytes))
  }

  @Test func `bytes that are not gzip are refused`() {
    #expect(!Gzip.isGzip([]))
    #expect(!Gzip.isGzip([0x1F]))
    #expect(!Gzip.isGzip(Array("{}".utf8)))
    #expect(throws: InvalidGzip.self) { try Gzip.decompress(Array("plain".utf8), limit: 100) }
  }

  @Test func `consecutive members are read as one stream`() throws {
    let file = Gzip.compress(Array("one ".utf8)) + Gzip.compress(Array("two".utf8))
    #expect(try Gzip.decompress(file, limit: 100) == Array("one two".utf8))
  }

  @Test func `zeros after the last member are padding`() throws {
    let file = Gzip.compress(Array("one".utf8)) + [0, 0, 0]
    #expect(try Gzip.decompress(file, limit: 100) == Array("one".utf8))
  }

  @Test(arguments: [[1], [0, 1], Array("junk after the end".utf8)] as [[UInt8]])
  func `other bytes after the last member are refused`(rest: [UInt8]) {
    let file = Gzip.compress(Array("one".utf8)) + rest
    #expect(throws: InvalidGzip.self) { try Gzip.decompress(file, limit: 100) }
  }

  @Test func `a limit allows exactly that many output bytes`() throws {
    let packed = Gzip.compress([UInt8](repeating: 1, count: 1_000))
    #expect(try Gzip.decompress(packed, limit: 1_000).count == 1_000)
    #expect(throws: InvalidGzip.overLimit(999)) { try Gzip.decompress(packed, limit: 999) }
  }

  @Test func `a decompression bomb is refused before its output grows`() {
    let bomb = Gzip.compress([UInt8](repeating: 0, count: 50_000_000), level: 9)
    var largest = 0
    #expect(throws: InvalidGzip.overLimit(1_000_000)) {
      var gunzip = try Gunzip(limit: 1_000_000)
      try gunzip.decompress(bomb) { largest += $0.count }
    }
    #expect(largest <= 1_000_000)
  }

  @Test func `every truncation is detected`() {
    let packed = Gzip.compress(Array("a short text".utf8))
    for length in 0..<packed.count {
      #expect(throws: InvalidGzip.truncated) {
        try Gzip.decompress(Array(packed[..<length]), limit: 100)
      }
    }
  }

  @Test func `a damaged checksum is detected`() {
    var packed = Gzip.compress(Array("a short text".utf8))
    packed[packed.count - 5] ^= 1
    #expect(throws: InvalidGzip.self) { try Gzip.decompress(packed, limit: 100) }
  }

  @Test func `a stream read byte by byte gives the same output`() throws {
    let file = Gzip.compress(Array("one ".utf8)) + Gzip.compress(Array("two".utf8))
    var result: [UInt8] = []
    var gunzip = try Gunzip(limit: 100)
    for byte in file { try gunzip.decompress([byte]) { result += $0 } }
    try gunzip.finish()
    #expect(result == Array("one two".utf8))
  }

  @Test func `a compressed stream can be read up to each flush`() throws {
    var packed: [UInt8] = []
    var stream = GzipStream()
    Array("first".utf8).withUnsafeBytes { stream.compress($0) { packed += $0 } }
    stream.flush { packed += $0 }
    var seen: [UInt8] = []
    var gunzip = try Gunzip()
    try gunzip.decompress(packed) { seen += $0 }
    #expect(seen == Array("first".utf8))
    stream.finish { packed += $0 }
    #expect(try Gzip.decompress(packed, limit: 100) == Array("first".utf8))
  }
}
