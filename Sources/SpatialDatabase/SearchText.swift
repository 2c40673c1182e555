/// Text as the full-text index sees it.
///
/// The index splits at spaces and signs. Chinese, Japanese, Korean and Thai are written without
/// spaces, so each of their characters becomes a word of its own, in what is indexed and in
/// what is searched for.
///
/// The database's function `search_text` is ``indexed(_:)``.
package enum SearchText {
  /// `text` with spaces around every character that is a word by itself.
  package static func indexed(_ text: String) -> String {
    guard mayHaveWordsByThemselves(text.utf8) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isWordByItself(scalar) {
        result.unicodeScalars.append(" ")
        result.unicodeScalars.append(scalar)
        result.unicodeScalars.append(" ")
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// False where ``indexed(_:)`` returns the text itself: the first byte in UTF-8 of every character
  /// that is a word by itself is 0xE0 or more, and Latin, Greek, Cyrillic, Hebrew and Arabic have none.
  static func mayHaveWordsByThemselves(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.contains { $0 >= 0xE0 }
  }

  private static func isWordByItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0E7F,  // Thai
      0x3040...0x30FF,  // Hiragana, Katakana
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,  // Han
      0xAC00...0xD7AF,  // Hangul
      0x20000...0x3134F:  // Han, supplementary planes
      true
    default: false
    }
  }
}
