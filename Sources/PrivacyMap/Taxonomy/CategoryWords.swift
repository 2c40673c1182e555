/// A search text whose first or last words name categories: «CCTV», «number plate Zürich».
package struct CategoryWords: Equatable, Sendable {
  /// Codes, in order of display.
  package let categories: [String]
  /// The other words; empty if the whole text names the categories.
  package let others: [String]

  /// Nil if neither the first nor the last words name a category. The words are in lower case, without accents.
  package init?(_ words: [String], _ vocabulary: Vocabulary) {
    for length in stride(from: min(words.count, Self.maxWords), to: 0, by: -1) {
      let starts = length == words.count ? [0] : [0, words.count - length]
      for start in starts {
        let named = words[start..<(start + length)]
        let found = vocabulary.categories.filter { category in
          category.names.contains { Self.means(named, $0) }
        }
        guard !found.isEmpty else { continue }
        categories = found.map(\.code)
        others = Array(words[..<start] + words[(start + length)...])
        return
      }
    }
    return nil
  }

  /// The longest name has fewer words.
  private static let maxWords = 8
  /// An incomplete last word needs so many letters.
  private static let minLetters = 3

  /// Whether the words are more than half of a name. Less would be too much: «street» is not a «street kiosk».
  private static func means(_ words: ArraySlice<String>, _ name: [String]) -> Bool {
    guard words.count * 2 > name.count, let last = words.last else { return false }
    return words.dropLast().allSatisfy(name.contains)
      && name.contains { $0 == last || (last.count >= minLetters && $0.hasPrefix(last)) }
  }
}
