/// Prepares text for the full-text index.
///
/// The index splits text at spaces and punctuation. Chinese, Japanese, Korean and Thai are written
/// without spaces, so each of their characters becomes a separate word, both in the indexed text
/// and in queries.
///
/// The SQL function `search_text` is ``indexed(_:)``.
package enum SearchText {
  /// `text` with spaces around every character that counts as a word.
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

  /// False if ``indexed(_:)`` returns the text unchanged. Every character that counts as a word starts with a UTF-8
  /// byte of 0xE0 or more. Latin, Greek, Cyrillic, Hebrew and Arabic have no such bytes.
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
