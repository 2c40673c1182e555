import PrivacyMap

/// The rules for text from people.
package enum PlainText {
  /// The start of a text, for quoting it in an error. Cut by Unicode scalars, because one character may
  /// be as long as the whole body.
  package static func clipped(_ text: some StringProtocol) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
  }

  /// The text without white space at its start and end.
  package static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(scalars[first...last])
  }

  /// The error in a text; nil if it is valid.
  ///
  /// The length is counted in Unicode scalars, as the database does. A single-line text, such as a name,
  /// must not contain ``InvisibleCharacters`` either.
  package static func fault(
    _ text: String, _ length: ClosedRange<Int>, lines: Bool
  ) -> Message? {
    let count = text.unicodeScalars.count
    if count > length.upperBound { return tooLong(length) }
    if count < length.lowerBound {
      return count == 0
        ? Message("error.missing_member") : Message("error.too_short", bounds(length))
    }
    let isSeen = text.unicodeScalars.allSatisfy { isPlain($0, lines: lines) }
    return isSeen && (lines || !InvisibleCharacters.areIn(text))
      ? nil : Message("error.characters")
  }

  package static func tooLong(_ length: ClosedRange<Int>) -> Message {
    Message("error.too_long", bounds(length))
  }

  private static func bounds(_ length: ClosedRange<Int>) -> [String: String] {
    ["minimum": "\(length.lowerBound)", "maximum": "\(length.upperBound)"]
  }

  /// Refuses control characters, characters that change the direction of text, tags and noncharacters.
  /// They are invisible, and can make a text look different from its content (UTS 39, UTR 36).
  private static func isPlain(_ scalar: Unicode.Scalar, lines: Bool) -> Bool {
    switch scalar.value {
    case 0x0A: lines
    case 0x00...0x1F, 0x7F...0x9F: false
    case 0x061C, 0x202A...0x202E, 0x2066...0x2069: false
    case 0x2028, 0x2029, 0xFEFF, 0xFFF9...0xFFFB: false
    case 0xFDD0...0xFDEF, 0xE0000...0xE0FFF: false
    case let value where value & 0xFFFE == 0xFFFE: false
    default: true
    }
  }
}
