/// Pixels in red, green and blue, as a binary PPM holds them.
struct Pixels: Equatable {
  var width, height: Int
  /// Three bytes per pixel, row by row.
  var bytes: [UInt8]

  static let red: [UInt8] = [220, 30, 30]
  static let green: [UInt8] = [30, 200, 30]
  static let blue: [UInt8] = [30, 30, 220]
  static let yellow: [UInt8] = [230, 220, 40]
  static let black: [UInt8] = [0, 0, 0]

  /// Red and green above, blue and yellow below.
  static func quarters(width: Int, height: Int) -> Pixels {
    func row(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
      Array(repeatElement(left, count: width / 2).joined())
        + repeatElement(right, count: width - width / 2).joined()
    }
    let (above, below) = (row(red, green), row(blue, yellow))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    for y in 0..<height { bytes += y < height / 2 ? above : below }
    return Pixels(width: width, height: height, bytes: bytes)
  }

  /// Each pixel is different: no pixel can be derived from its neighbours.
  static func noise(width: Int, height: Int, seed: UInt64 = 1) -> Pixels {
    var random = Lottery(seed: seed)
    return Pixels(
      width: width, height: height,
      bytes: (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  var ppm: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + bytes }

  /// Reads a binary PPM as libvips writes it.
  init(ppm: [UInt8]) throws {
    var words: [String] = []
    var place = 0
    while words.count < 4, place < ppm.count {
      if ppm[place] == UInt8(ascii: "#") {
        place = (ppm[place...].firstIndex(of: 0x0A) ?? ppm.count) + 1
        continue
      }
      let word = ppm[place...].prefix { $0 > 0x20 }
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      place += word.count + 1
    }
    guard words.first == "P6", words.count == 4, let width = Int(words[1]),
      let height = Int(words[2]), words[3] == "255", ppm.count == place + width * height * 3
    else { throw ImageProgram.Unreadable(text: "no PPM: \(words)") }
    self.init(width: width, height: height, bytes: Array(ppm[place...]))
  }

  /// The pixels of a JPEG, read by libvips.
  init(jpeg: [UInt8]) throws {
    try self.init(ppm: try Vips.convert(jpeg, "jpg", to: "ppm"))
  }

  init(width: Int, height: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  subscript(x: Int, y: Int) -> [UInt8] {
    let place = (y * width + x) * 3
    return Array(bytes[place..<place + 3])
  }

  /// The centres of the four quarters: upper left, upper right, lower left, lower right.
  var corners: [[UInt8]] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { self[width * $0 / 4, height * $1 / 4] }
  }
}

/// Whether two colours look the same: each component differs by at most `distance`.
func looksLike(_ one: [UInt8], _ other: [UInt8], within distance: Int = 12) -> Bool {
  one.count == other.count
    && zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= distance }
}

/// Pseudorandom numbers, the same on every run (xorshift64*).
struct Lottery: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
