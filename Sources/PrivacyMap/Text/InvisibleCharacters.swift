/// Invisible characters in a text. A name that contains them looks identical to the name without them.
///
/// These are the characters that Unicode calls default ignorable (zero-width space, soft hyphen, Hangul fillers, …)
/// and the empty braille pattern. Four of them affect the display in some places and are allowed there:
///
/// - U+200C and U+200D after a virama, required by Indic scripts, and U+200C between Arabic letters, required by
///   Persian (RFC 5892, appendix A);
/// - U+200D between parts of an emoji;
/// - U+FE0E and U+FE0F after an emoji, and after a digit, `#` or `*` of a keycap.
package enum InvisibleCharacters {
  /// Whether a text contains invisible characters.
  package static func areIn(_ text: String) -> Bool {
    // Most names are ASCII, and the check for that is fast.
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return false }
    let scalars = Array(text.unicodeScalars)
    return scalars.indices.contains { isInvisible(at: $0, of: scalars) }
  }

  /// The text without its invisible characters. Nil if it contains none.
  package static func removed(from text: String) -> String? {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
    let scalars = Array(text.unicodeScalars)
    let visible = scalars.indices.filter { !isInvisible(at: $0, of: scalars) }
    guard visible.count < scalars.count else { return nil }
    return String(String.UnicodeScalarView(visible.map { scalars[$0] }))
  }

  private static func isInvisible(at index: Int, of scalars: [Unicode.Scalar]) -> Bool {
    let scalar = scalars[index]
    guard scalar.properties.isDefaultIgnorableCodePoint else { return scalar == "\u{2800}" }
    guard index > 0 else { return true }
    let before = scalars[index - 1]
    let after = index + 1 < scalars.count ? scalars[index + 1] : nil
    switch scalar {
    case "\u{200C}": return !isVirama(before) && !(isArabic(before) && after.map(isArabic) == true)
    case "\u{200D}":
      return !isVirama(before) && !(isPartOfEmoji(before) && after.map(isEmoji) == true)
    case "\u{FE0E}", "\u{FE0F}": return !isEmoji(before) && !(isKey(before) && after == "\u{20E3}")
    default: return true
    }
  }

  private static func isVirama(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass == .virama
  }

  /// Whether a scalar is a letter or mark of the Arabic blocks.
  private static func isArabic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x620...0x6FF, 0x750...0x77F, 0x8A0...0x8FF:
      scalar.properties.isAlphabetic
        || scalar.properties.generalCategory == .nonspacingMark
    default: false
    }
  }

  /// Whether a scalar is an emoji by itself: digits, `#` and `*` become one only in a keycap.
  private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && !scalar.isASCII
  }

  /// Whether a scalar can be the base of a keycap.
  private static func isKey(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && scalar.isASCII
  }

  private static func isPartOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
    isEmoji(scalar) || scalar == "\u{FE0F}" || scalar.properties.isEmojiModifier
  }
}
