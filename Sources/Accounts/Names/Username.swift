import Foundation
import Service

/// The public name of an account.
///
/// 3 to 40 letters, digits, dots, underscores and hyphens. All letters belong to one script, so that a
/// name cannot imitate another with look-alike letters. A name is never an e-mail address.
package struct Username: Equatable, Sendable {
  /// The displayed form, in Unicode normalisation form C.
  package let text: String
  /// The unique key by which logins are looked up.
  let key: String
  /// The look-alike key. A new name is refused if an account has the same key.
  let look: String

  /// The length in Unicode scalars.
  static let length = 3...40
  /// Combining marks allowed after a letter, as in Devanagari and Thai. More would hide the letter.
  private static let marks = 3

  /// - Parameters:
  ///   - typed: the name as entered.
  ///   - isNew: whether the name is being chosen. Existing accounts may have names reserved later.
  /// - Throws: ``InvalidUsername``.
  package init(_ typed: String, isNew: Bool = true) throws(InvalidUsername) {
    // Normalisation cannot shorten a text of this length enough, so it is skipped.
    guard typed.utf8.count <= 1_000 else { throw .tooLong }
    let text = PlainText.trimmed(typed).precomposedStringWithCanonicalMapping
    let scalars = Array(text.unicodeScalars)
    guard scalars.count >= Self.length.lowerBound else { throw .tooShort }
    guard scalars.count <= Self.length.upperBound else { throw .tooLong }
    try Self.check(scalars)
    self.text = text
    key = Self.key(of: text)
    look = LookAlikes.look(of: text)
    guard !isNew || !Self.reserved.contains(Self.plain(text)) else { throw .reserved }
  }

  private static func check(_ scalars: [Unicode.Scalar]) throws(InvalidUsername) {
    var scripts: Set<WritingScript> = []
    var before = Kind.separator
    var run = 0
    for scalar in scalars {
      guard let kind = Kind(scalar) else { throw .characters }
      run = kind == before ? run + 1 : 1
      switch kind {
      case .separator where before == .separator: throw .separators
      case .mark where before == .separator || before == .digit: throw .characters
      case .mark where run > marks: throw .characters
      case .letter, .mark:
        guard let script = WritingScript(scalar) else { throw .characters }
        scripts.insert(script)
      default: break
      }
      before = kind
    }
    if before == .separator { throw .separators }
    // A name without letters could be mistaken for an identifier.
    guard let script = scripts.first else { throw .characters }
    guard scripts == [script] else { throw .scripts }
  }

  private enum Kind {
    case letter, mark, digit, separator

    init?(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "0"..."9": self = .digit
      case ".", "_", "-": self = .separator
      default:
        // Two of the Khmer marks are invisible.
        guard !scalar.properties.isDefaultIgnorableCodePoint else { return nil }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .modifierLetter:
          self = .letter
        case .nonspacingMark, .spacingMark: self = .mark
        default: return nil
        }
      }
    }
  }

  /// The key by which logins are looked up. It ignores case, width and marks, and letters that look the
  /// same in Latin, Greek and Cyrillic.
  package static func key(of text: String) -> String {
    let folded = text.precomposedStringWithCanonicalMapping.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return String(String.UnicodeScalarView(folded.unicodeScalars.map { lookAlikes[$0] ?? $0 }))
  }

  /// Small letters of Greek and Cyrillic, and the dotless i, with the ASCII letter that they resemble
  /// (the clearest cases of confusables.txt of Unicode UTS 39).
  private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
    "а": "a", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "о": "o", "р": "p",
    "ԛ": "q", "ѕ": "s", "у": "y", "х": "x", "ԝ": "w", "α": "a", "ο": "o", "ρ": "p", "ν": "v",
    "υ": "u", "ι": "i", "κ": "k", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t",
  ]

  /// The look-alike key of a name after digits are replaced with the letters that they resemble.
  private static func plain(_ text: String) -> String {
    let letters: [Character: Character] = ["3": "e", "4": "a", "5": "s", "7": "t"]
    return LookAlikes.look(of: String(text.map { letters[$0] ?? $0 }))
  }

  /// The look-alike keys of the reserved names.
  private static let reserved = Set(reservedNames.map(LookAlikes.look))

  /// Names that would appear to speak for the instance, and words of the instance's URLs, in English and
  /// Portuguese.
  private static let reservedNames = [
    "account", "accounts", "abuse", "admin", "administrador", "administration", "administrator",
    "admins", "anonymous", "anonimo", "api", "everyone", "farol", "help", "ajuda", "info", "mail",
    "me", "mod", "moderacao", "moderador", "moderation", "moderator", "moderators", "mods",
    "noreply",
    "null", "official", "oficial", "operator", "operador", "owner", "postmaster", "privacy",
    "privacidade", "root", "security", "seguranca", "settings", "staff", "suporte", "support",
    "system", "sistema", "team", "equipa", "undefined", "visitor", "webmaster", "www",
  ]
}

/// The reason why a text is not a valid ``Username``.
package enum InvalidUsername: Error, Equatable, CaseIterable {
  case tooShort
  case tooLong
  /// A character other than letters, digits, dots, underscores and hyphens, or no letter at all.
  case characters
  /// A dot, underscore or hyphen at the start or end, or two in a row.
  case separators
  /// Letters of more than one script.
  case scripts
  /// A name that would appear to speak for the instance.
  case reserved

  var message: Message {
    switch self {
    case .tooShort: Message("error.too_short", ["minimum": "\(Username.length.lowerBound)"])
    case .tooLong: Message("error.too_long", ["maximum": "\(Username.length.upperBound)"])
    case .characters: Message("error.username.characters")
    case .separators: Message("error.username.separators")
    case .scripts: Message("error.username.scripts")
    case .reserved: Message("error.username.reserved")
    }
  }
}
