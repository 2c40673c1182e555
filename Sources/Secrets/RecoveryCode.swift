/// Recovery codes to write down; each replaces the second factor once if the app is lost.
///
/// Ten characters of Crockford's base32 (https://www.crockford.com/base32.html), 50 bits. There is no
/// `i`, `l`, `o` or `u`; `l` is read as `1` and `o` as `0`.
package enum RecoveryCode {
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
  private static let length = 10

  /// New codes in the form `xxxxx-xxxxx`, to be shown once and stored as a digest.
  package static func make(count: Int = 10) -> [String] {
    (0..<count).map { _ in
      written((0..<length).map { _ in alphabet[Int(Sodium.randomNumber(below: 32))] })
    }
  }

  /// Converts user input to the form of ``make(count:)``; `nil` if it is not a code.
  ///
  /// Upper case, spaces and dashes of any kind are ignored.
  package static func normalised(_ text: String) -> String? {
    var read: [Character] = []
    for scalar in text.unicodeScalars where !isGap(scalar) {
      guard read.count < length, let character = character(scalar) else { return nil }
      read.append(character)
    }
    return read.count == length ? written(read) : nil
  }

  private static func written(_ characters: [Character]) -> String {
    String(characters.prefix(length / 2)) + "-" + String(characters.dropFirst(length / 2))
  }

  private static func isGap(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation
      || scalar == "\u{2212}"  // the minus sign, a mathematical symbol in Unicode
  }

  private static func character(_ scalar: Unicode.Scalar) -> Character? {
    guard scalar.isASCII else { return nil }
    switch Character(scalar).lowercased() {
    case "i", "l": return "1"
    case "o": return "0"
    case let small: return alphabet.first { String($0) == small }
    }
  }
}
