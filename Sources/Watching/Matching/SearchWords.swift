import PrivacyMap
import Reference
import SpatialDatabase

/// Words that people search for, compared with texts that are no longer in the full-text index.
///
/// The rules are those of `DeviceFilter.words`: each word occurs in any of the texts, and the last word may be
/// incomplete; or some words name the category.
struct SearchWords {
  private let words: [String]

  init(_ typed: String) { words = Self.plain(typed) }

  /// Whether a device of this category has the words in its texts: name, description and operator.
  func areIn(_ texts: [String], of category: String, _ vocabulary: Vocabulary) -> Bool {
    let known = Set(texts.flatMap(Self.plain))
    if !words.isEmpty, Self.are(words, in: known) { return true }
    guard let named = CategoryWords(words, vocabulary), named.categories.contains(category) else {
      return false
    }
    return Self.are(named.others, in: known)
  }

  private static func are(_ words: [String], in known: Set<String>) -> Bool {
    guard let last = words.last else { return true }
    return words.dropLast().allSatisfy(known.contains) && known.contains { $0.hasPrefix(last) }
  }

  private static func plain(_ text: String) -> [String] {
    PlainWords.of(SearchText.indexed(text))
  }
}
