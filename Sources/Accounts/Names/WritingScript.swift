/// A writing system of usernames, as fine as needed to keep look-alike names apart.
///
/// The ranges are the Unicode blocks used by the present-day spelling of each script. Letters of other
/// blocks are not allowed in names.
enum WritingScript: CaseIterable {
  case latin, greek, cyrillic, armenian, hebrew, arabic, devanagari, bengali, gurmukhi, gujarati
  case oriya, tamil, telugu, kannada, malayalam, sinhala, thai, lao, tibetan, myanmar, georgian
  case ethiopic, khmer
  /// Han, Hiragana, Katakana, Bopomofo and Hangul, which are commonly mixed.
  case eastAsian

  /// The script of a letter or mark; nil if it belongs to none of these.
  init?(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    guard let found = Self.allCases.first(where: { $0.ranges.contains { $0.contains(value) } })
    else { return nil }
    self = found
  }

  private var ranges: [ClosedRange<UInt32>] {
    switch self {
    // The signs × and ÷ are in this range, but they are not letters and were refused before.
    case .latin: [0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x1E00...0x1EFF]
    case .greek: [0x370...0x3FF, 0x1F00...0x1FFF]
    case .cyrillic: [0x400...0x52F]
    case .armenian: [0x530...0x58F]
    case .hebrew: [0x5D0...0x5EA]
    case .arabic: [0x620...0x6FF, 0x750...0x77F]
    case .devanagari: [0x900...0x97F]
    case .bengali: [0x980...0x9FF]
    case .gurmukhi: [0xA00...0xA7F]
    case .gujarati: [0xA80...0xAFF]
    case .oriya: [0xB00...0xB7F]
    case .tamil: [0xB80...0xBFF]
    case .telugu: [0xC00...0xC7F]
    case .kannada: [0xC80...0xCFF]
    case .malayalam: [0xD00...0xD7F]
    case .sinhala: [0xD80...0xDFF]
    case .thai: [0xE00...0xE7F]
    case .lao: [0xE80...0xEFF]
    case .tibetan: [0xF00...0xFFF]
    case .myanmar: [0x1000...0x109F]
    case .georgian: [0x10A0...0x10FF, 0x1C90...0x1CBF]
    case .ethiopic: [0x1200...0x137F]
    case .khmer: [0x1780...0x17FF]
    case .eastAsian:
      [
        0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FC...0x30FF, 0x3105...0x312F,
        0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3,
      ]
    }
  }
}
