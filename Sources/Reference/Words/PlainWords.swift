import Foundation

/// The words of a text as searches compare them: lower case, without accents, split where a character is neither a
/// letter nor a digit.
///
/// `plain` in `setup/street_words.py` writes the words of streets in the same way.
package enum PlainWords {
  package static func of(_ text: String) -> [String] {
    var plain = ""
    for scalar in text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      if let written = letters[scalar] {
        plain += written
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        plain.unicodeScalars.append(scalar)
      } else {
        plain += " "
      }
    }
    return plain.split(separator: " ").map(String.init)
  }

  /// Letters that have no accent to remove.
  private static let letters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]
}
