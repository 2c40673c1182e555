/// An encoding of East Asia with pairs of bytes for most characters. Their standards place frequent characters before
/// rare ones.
struct PairLayout: Sendable {
  /// The weight of a pair, by its first byte and whether the second is above 0xA0.
  typealias Weight = @Sendable (_ first: UInt8, _ isSecondHigh: Bool) -> Double

  let name: String
  private let seconds: [ClosedRange<UInt8>]
  /// Bytes that are a character alone.
  private let single: ClosedRange<UInt8>?
  private let weight: Weight

  static let all: [PairLayout] = [
    // Kana and signs, frequent kanji (JIS X 0208, rows 1 to 8 and 16 to 47), the others.
    PairLayout(name: "shift_jis", seconds: [0x40...0x7E, 0x80...0xFC], single: 0xA1...0xDF) {
      first, _ in
      switch first {
      case 0x81...0x83: 1
      case 0x88...0x97: 0.8
      case 0x84...0x9F: -0.2
      case 0xE0...0xEA: -0.4
      default: -2
      }
    },
    PairLayout(name: "euc-jp", seconds: [0xA1...0xFE], single: nil) { first, _ in
      switch first {
      case 0xA4, 0xA5: 1
      case 0xB0...0xCF: 0.8
      case 0xA1, 0xA3: 0.5
      default: -0.6
      }
    },
    // Signs, the 3,755 frequent characters (GB 2312), the others.
    PairLayout(name: "gb18030", seconds: [0x40...0x7E, 0x80...0xFE], single: nil) { first, isHigh in
      switch first {
      case 0xB0...0xD7 where isHigh: 0.85
      case 0xA1, 0xA3: isHigh ? 0.5 : -0.8
      default: isHigh ? -0.4 : -0.8
      }
    },
    // Signs, the 5,401 frequent characters, the others.
    PairLayout(name: "big5", seconds: [0x40...0x7E, 0xA1...0xFE], single: nil) { first, isHigh in
      switch first {
      case 0xA4...0xC6: isHigh ? 0.75 : 0.95
      case 0xA1...0xA3: 0.5
      case 0xC9...0xF9: -0.4
      default: -2
      }
    },
    // Signs, the 2,350 syllables (KS X 1001), other syllables and characters of Chinese.
    PairLayout(
      name: "windows-949", seconds: [0x41...0x5A, 0x61...0x7A, 0x81...0xFE], single: nil
    ) { first, isHigh in
      switch first {
      case 0xB0...0xC8 where isHigh: 1
      case 0xA1, 0xA3: isHigh ? 0.3 : -0.5
      default: -0.5
      }
    },
  ]

  /// About 1 if the words consist of frequent characters; below 0 for another encoding.
  func score(_ words: ForeignWords) -> Double {
    var sum = 0.0
    var count = 0
    for word in words.all {
      var place = 0
      var isAfterPair = false
      while place < word.count {
        let first = word[place]
        guard first >= 0x80 else {
          place += 1
          isAfterPair = false
          continue
        }
        count += 1
        if place > 0, !isAfterPair, Self.isSmallLetter(word[place - 1]) { sum -= 1 }
        isAfterPair = false
        if single?.contains(first) == true {
          sum -= 0.2
          place += 1
          continue
        }
        let second = place + 1 < word.count ? word[place + 1] : 0
        guard (0x81...0xFE).contains(first), seconds.contains(where: { $0.contains(second) }) else {
          sum -= 4
          place += 1
          continue
        }
        sum += weight(first, second > 0xA0)
        place += 2
        isAfterPair = true
        if place < word.count, Self.isSmallLetter(word[place]) { sum -= 1 }
      }
    }
    return sum / Double(max(1, count))
  }

  /// Words of East Asia do not continue in small Latin letters.
  private static func isSmallLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
