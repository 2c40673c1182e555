import PrivacyMap
import Service
import SpatialDatabase

extension PlaceStore {
  /// Shorter words have too many neighbours: «Bern», «Berg».
  private static let minLength = 5
  private static let maxWords = 4
  private static let maxCandidates = 12

  /// The places whose names differ from a text by one letter of one word, or by two letters in the wrong order:
  /// «Lisobn», «Baltimroe». Only for a text that finds nothing, because it reads all words with the same first letter.
  func places(
    misspelt text: String, limit: Int, language: String, near: Coordinate?
  ) throws -> [Place] {
    let words = PlainWords.of(text)
    guard words.count <= Self.maxWords, try hasTerms() else { return [] }
    let unknown = try words.indices.filter { try !isKnown(words[$0]) }
    guard unknown.count == 1, let index = unknown.first, words[index].count >= Self.minLength else {
      return []
    }
    let texts = try similar(to: words[index]).map { word in
      (words[..<index] + [word] + words[(index + 1)...]).joined(separator: " ")
    }
    let found = try texts.flatMap { try candidates(named: $0, language) }
    return PlaceRanking(near: near, language: language).best(found, limit: limit)
      .map { place in
        var place = place
        place.isExact = false
        return place
      }
  }

  /// Gazetteers of earlier versions have no list of words.
  private func hasTerms() throws -> Bool {
    try file.readQuickly {
      try $0.integer("SELECT count(*) FROM sqlite_master WHERE name = 'place_term'") == 1
    }
  }

  /// Whether a name has a word that begins so.
  private func isKnown(_ word: String) throws -> Bool {
    try file.readQuickly { connection in
      try connection.integer(
        "SELECT EXISTS (SELECT 1 FROM place_term WHERE term >= ? AND term < ?)",
        [.text(word), .text(word + "\u{10FFFF}")]) == 1
    }
  }

  /// The words of names that differ by one mistake after the first letter, the most frequent first.
  private func similar(to word: String) throws -> [String] {
    let first = String(word.prefix(1))
    let scalars = Array(word.unicodeScalars)
    let found = try file.read { connection in
      try connection.rows(
        "SELECT term, doc FROM place_term WHERE term >= ? AND term < ?",
        [.text(first), .text(first + "\u{10FFFF}")]
      ) { (word: $0.text(0), count: $0.int(1)) }
    }
    return found.filter { Misspelling.isLikely(scalars, of: Array($0.word.unicodeScalars)) }
      .sorted { ($1.count, $0.word) < ($0.count, $1.word) }
      .prefix(Self.maxCandidates).map(\.word)
  }
}

/// Compares words as people type them.
enum Misspelling {
  /// Whether one letter is missing, too many or another one, or two neighbours are in the wrong order.
  static func isLikely(_ typed: [Unicode.Scalar], of word: [Unicode.Scalar]) -> Bool {
    guard abs(typed.count - word.count) <= 1 else { return false }
    let same = zip(typed, word).prefix { $0 == $1 }.count
    let (typed, word) = (typed.dropFirst(same), word.dropFirst(same))
    let end = zip(typed.reversed(), word.reversed()).prefix { $0 == $1 }.count
    let (one, other) = (Array(typed.dropLast(end)), Array(word.dropLast(end)))
    return (one.count <= 1 && other.count <= 1)
      || (one.count == 2 && one == other.reversed())
  }
}
