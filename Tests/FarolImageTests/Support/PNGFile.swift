import Compression

/// PNG files with any header and content, consistent or not (W3C PNG, second edition).
struct PNGFile {
  /// 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha.
  var colour = 2
  var depth = 8
  var isInterlaced = false
  var width, height: Int
  /// The chunks between the header and the pixels.
  var chunks: [[UInt8]] = []

  /// The file with these bytes as its pixels: each row starts with the number of its filter.
  func file(rows: [UInt8]) -> [UInt8] { file(packed: Self.zlib(rows)) }

  /// The file with these bytes as its pixels, already compressed.
  func file(packed: [UInt8]) -> [UInt8] {
    let size = Self.four(width) + Self.four(height)
    let form = [UInt8(depth), UInt8(colour), 0, 0, isInterlaced ? 1 : 0]
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk("IHDR", size + form)
    for chunk in chunks { file += chunk }
    return file + Self.chunk("IDAT", packed) + Self.chunk("IEND", [])
  }

  /// The file whose upper and lower halves each repeat one pixel, given as bytes.
  func file(above: [UInt8], below: [UInt8]) -> [UInt8] {
    func row(_ pixel: [UInt8]) -> [UInt8] {
      [0] + repeatElement(pixel, count: width).joined()
    }
    let halves = [
      repeatElement(row(above), count: height / 2),
      repeatElement(row(below), count: height - height / 2),
    ]
    return file(rows: Array(halves.joined().joined()))
  }

  /// A picture of these pixels.
  static func plain(_ pixels: Pixels, chunks: [[UInt8]] = []) -> [UInt8] {
    var rows: [UInt8] = []
    for row in 0..<pixels.height {
      rows.append(0)
      rows += pixels.bytes[row * pixels.width * 3..<(row + 1) * pixels.width * 3]
    }
    return PNGFile(width: pixels.width, height: pixels.height, chunks: chunks).file(rows: rows)
  }

  static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return four(content.count) + body + four(Int(crc(body)))
  }

  static func four(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// A zlib stream (RFC 1950): the compressed data of gzip with another header and trailer.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    [0x78, 0x9C] + Gzip.compress(bytes).dropFirst(10).dropLast(8) + four(Int(adler(bytes)))
  }

  /// A zlib stream of this many zeros, which are never all in memory.
  static func zeros(_ count: Int) -> [UInt8] {
    let piece = [UInt8](repeating: 0, count: 1 << 20)
    var packed: [UInt8] = []
    var stream = GzipStream(level: 6)
    for start in stride(from: 0, to: count, by: piece.count) {
      piece.prefix(count - start).withUnsafeBytes {
        stream.compress($0) { packed.append(contentsOf: $0) }
      }
    }
    stream.finish { packed.append(contentsOf: $0) }
    return [0x78, 0x9C] + packed.dropFirst(10).dropLast(8) + four(count % 65_521 << 16 | 1)
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static let table: [UInt32] = (0..<256).map { number in
    (0..<8).reduce(UInt32(number)) { rest, _ in
      rest & 1 == 1 ? 0xEDB8_8320 ^ (rest >> 1) : rest >> 1
    }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
  }
}
