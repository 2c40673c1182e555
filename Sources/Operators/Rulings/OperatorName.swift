import Foundation

/// The normal form of an operator's name: equal for spellings that mean the same organisation.
///
///     OperatorName("Koko Chicken AG")?.key == OperatorName("KOKO-Chicken")?.key  // koko-chicken
///
/// Case, marks, width, spaces and punctuation do not count, and legal forms at the end are left out.
/// It is computed by the program, so it is the same with every database.
struct OperatorName: Hashable, Sendable {
  /// All words of the name, folded and joined by hyphens: `koko-chicken-ag`.
  let spelling: String
  /// The words without legal forms: `koko-chicken`.
  let key: String

  /// The longest normal form, in code points. A letter of some scripts becomes several, up to a sentence, and decisions
  /// about a name store its normal form.
  static let maxLength = 400

  /// Nil if the text contains no letter or digit.
  init?(_ text: String) {
    let words = Self.words(of: text)
    guard !words.isEmpty else { return nil }
    spelling = words.map(\.text).joined(separator: "-")
    key = words.prefix(Self.countWithoutForms(words)).map(\.text).joined(separator: "-")
  }

  /// A word of a name.
  private struct Word {
    var text: String
    /// Whether it was written as single letters, as in `S.p.A.`
    var isOfInitials = false
  }

  private static func words(of text: String) -> [Word] {
    var words: [Word] = []
    var word = ""
    var left = maxLength
    func end() {
      guard !word.isEmpty else { return }
      // Initials belong together: `S. A.`, `S.A.` and `SA` are the same.
      if word.utf8.count == 1, let last = words.last,
        last.isOfInitials || last.text.utf8.count == 1, word.first?.isLetter == true,
        last.text.allSatisfy(\.isLetter)
      {
        words[words.count - 1].text += word
        words[words.count - 1].isOfInitials = true
      } else {
        words.append(Word(text: word))
      }
      word = ""
    }
    for scalar in folded(text).unicodeScalars where !apostrophes.contains(scalar) {
      let isPart = isOfWords(scalar)
      // A sign that ends a word becomes a hyphen.
      guard isPart || !word.isEmpty else { continue }
      guard left > 0 else { break }
      left -= 1
      if isPart { word.unicodeScalars.append(scalar) } else { end() }
    }
    end()
    return words
  }

  private static let apostrophes: Set<Unicode.Scalar> = ["'", "’", "‘", "`", "´"]

  private static func isOfWords(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return scalar.properties.isAlphabetic
    }
  }

  /// Lower case, without marks of Latin letters, one width.
  private static func folded(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    var folded = ""
    for scalar in text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars {
      // Combining Diacritical Marks only: in Indic scripts, marks are vowels.
      if (0x300...0x36F).contains(scalar.value) { continue }
      if let letters = undecomposed[scalar] {
        folded += letters
      } else {
        folded.unicodeScalars.append(scalar)
      }
    }
    return folded.precomposedStringWithCanonicalMapping
  }

  /// Latin letters that Unicode does not decompose.
  private static let undecomposed: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
  ]

  /// The number of words before the legal forms at the end; at least one.
  private static func countWithoutForms(_ words: [Word]) -> Int {
    var count = words.count
    while count > 1 {
      let last = words[count - 1]
      let isForm =
        forms.contains(last.text) || last.isOfInitials && formsOfInitials.contains(last.text)
        || count < words.count && formsBeforeOthers.contains(last.text)
      // "Department of AG" does not end with a form.
      guard isForm, !prepositions.contains(words[count - 2].text) else { break }
      count -= 1
    }
    return count
  }

  /// Legal forms, folded.
  private static let forms: Set<String> = [
    "ag", "gmbh", "mbh", "kg", "kgaa", "ohg", "ug", "sarl", "sagl", "sa", "sas", "sasu", "eurl",
    "ltd", "limited", "inc", "incorporated", "corp", "corporation", "llc", "llp", "plc", "lda",
    "limitada", "ltda", "sl", "slu", "srl", "srls", "bv", "ab", "asa", "aps", "oy", "oyj", "kft",
    "zrt", "nyrt", "sro", "doo", "ooo", "zoo", "pty", "pte", "pvt", "gesmbh", "株式会社", "有限会社",
    "合同会社",
  ]
  /// Legal forms that are also words, so they count only if written as initials.
  private static let formsOfInitials: Set<String> = [
    "spa", "nv", "as", "se", "ev", "eg", "dd", "kk", "jsc", "sca",
  ]
  /// Words that belong to a legal form that follows: `GmbH & Co. KG`, `Unipessoal Lda`.
  private static let formsBeforeOthers: Set<String> = [
    "co", "company", "and", "und", "et", "e", "y", "unipessoal", "private", "proprietary", "sp",
    "cia",
  ]
  private static let prepositions: Set<String> = [
    "of", "de", "do", "da", "di", "du", "des", "del", "der", "die", "for", "fur", "the", "la",
    "le", "van",
  ]
}
