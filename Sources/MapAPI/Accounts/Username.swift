import Foundation

/// What an account is called, in public.
///
/// 3 to 40 letters, digits, dots, underscores and hyphens. The letters are all of one script, so that
/// no name is made of look-alikes of another, and the name is no e-mail address.
struct Username: Equatable, Sendable {
  /// As it is shown, in Unicode normalisation form C.
  let text: String
  /// What no two accounts share, and what a login is looked up by.
  let key: String
  /// What the name looks like: a new name is refused where an account has the same look.
  let look: String

  /// Characters, counted in Unicode scalars.
  static let length = 3...40
  /// Marks that may follow a letter, as in Devanagari and Thai; more hide the letter.
  private static let marks = 3

  /// - Parameters:
  ///   - typed: as somebody typed it.
  ///   - isNew: whether somebody wants to have it. Accounts may have names that were reserved later.
  /// - Throws: ``InvalidUsername``.
  init(_ typed: String, isNew: Bool = true) throws(InvalidUsername) {
    // Nothing that long can shrink to a name; it is not worth normalising.
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
    // A name without a letter could be taken for a number of ours.
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
        // Among the marks of Khmer are two that nobody sees.
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

  /// What a login is looked up by: case, width and marks make no difference, nor do letters that look
  /// the same in Latin, Greek and Cyrillic.
  static func key(of text: String) -> String {
    let folded = text.precomposedStringWithCanonicalMapping.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return String(String.UnicodeScalarView(folded.unicodeScalars.map { lookAlikes[$0] ?? $0 }))
  }

  /// Small letters of Greek and Cyrillic, and the dotless i, by the letter of ASCII they are taken
  /// for (the plainest of confusables.txt of Unicode UTS 39).
  private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = [
    "а": "a", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "о": "o", "р": "p",
    "ԛ": "q", "ѕ": "s", "у": "y", "х": "x", "ԝ": "w", "α": "a", "ο": "o", "ρ": "p", "ν": "v",
    "υ": "u", "ι": "i", "κ": "k", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t",
  ]

  /// What a name looks like to who takes digits for letters.
  private static func plain(_ text: String) -> String {
    let letters: [Character: Character] = ["3": "e", "4": "a", "5": "s", "7": "t"]
    return LookAlikes.look(of: String(text.map { letters[$0] ?? $0 }))
  }

  /// What names look like that would speak for the instance.
  private static let reserved = Set(reservedNames.map(LookAlikes.look))

  /// Names that would speak for the instance, and the words of its own addresses, in English and
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

/// Why a text is no ``Username``.
enum InvalidUsername: Error, Equatable, CaseIterable {
  case tooShort
  case tooLong
  /// Something else than letters, digits, dots, underscores and hyphens, or no letter at all.
  case characters
  /// A dot, underscore or hyphen at an end, or two in a row.
  case separators
  /// Letters of more than one script.
  case scripts
  /// A name that would speak for the instance.
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
