/// The tokens of CQL2 text (21-065r2, Annex B).
struct Token: Equatable {
  enum Kind: Equatable {
    /// A name or a keyword, as written.
    case word(String)
    /// A name in double quotes, which is never a keyword.
    case name(String)
    case text(String)
    case number(String)
    case sign(String)
    case end
  }

  let kind: Kind
  /// Byte offset from the start of the filter.
  let offset: Int

  /// An unquoted word in capitals, for comparison with keywords.
  var keyword: String? {
    guard case .word(let word) = kind else { return nil }
    return String(decoding: word.utf8.map { (97...122).contains($0) ? $0 - 32 : $0 }, as: UTF8.self)
  }

  /// The token as shown in an error message.
  var shown: String {
    switch kind {
    case .word(let text), .number(let text), .sign(let text): String(text.prefix(40))
    case .name(let text): "\"\(text.prefix(40))\""
    case .text(let text): "'\(text.prefix(40))'"
    case .end: ""
    }
  }
}

struct Lexer {
  private let scalars: [Unicode.Scalar]
  /// Whether a backslash before a quote makes it a part of the text.
  private let escapes: Bool
  private var index = 0
  private var offset = 0

  private init(_ text: String, escapes: Bool) {
    scalars = Array(text.unicodeScalars)
    self.escapes = escapes
  }

  /// All tokens, the last of them ``Token/Kind/end``.
  static func tokens(of text: String, escapes: Bool = true) throws(InvalidFilter) -> [Token] {
    var lexer = Lexer(text, escapes: escapes)
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private var here: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }
  private var ahead: Unicode.Scalar? { index + 1 < scalars.count ? scalars[index + 1] : nil }

  private mutating func take() -> Unicode.Scalar? {
    guard let scalar = here else { return nil }
    index += 1
    offset += UTF8.width(scalar)
    return scalar
  }

  private mutating func next() throws(InvalidFilter) -> Token {
    while let scalar = here, [" ", "\t", "\n", "\r"].contains(scalar) { _ = take() }
    let start = offset
    guard let scalar = here else { return Token(kind: .end, offset: start) }
    if scalar == "'" { return Token(kind: .text(try quoted("'")), offset: start) }
    if scalar == "\"" { return Token(kind: .name(try quoted("\"")), offset: start) }
    if Self.isDigit(scalar) || scalar == "." && ahead.map(Self.isDigit) == true {
      return Token(kind: .number(number()), offset: start)
    }
    if Self.beginsName(scalar) { return Token(kind: .word(name()), offset: start) }
    if let sign = sign() { return Token(kind: .sign(sign), offset: start) }
    throw InvalidFilter(.expected("expression", found: String(scalar)), at: start)
  }

  /// The text between quotes. A quote inside is doubled or, in CQL2, follows a backslash.
  private mutating func quoted(_ quote: Unicode.Scalar) throws(InvalidFilter) -> String {
    let start = offset
    _ = take()
    var text = String.UnicodeScalarView()
    while let scalar = take() {
      if scalar == quote {
        guard here == quote else { return String(text) }
        _ = take()
        text.append(quote)
      } else if escapes, scalar == "\\", here == quote {
        _ = take()
        text.append(quote)
      } else {
        text.append(scalar)
      }
    }
    throw InvalidFilter(.unclosed, at: start)
  }

  private mutating func number() -> String {
    var text = String.UnicodeScalarView()
    func isExponent(_ scalar: Unicode.Scalar) -> Bool { scalar == "e" || scalar == "E" }
    while let scalar = here {
      let isSign = scalar == "+" || scalar == "-"
      guard
        Self.isDigit(scalar) || scalar == "." || isExponent(scalar)
          || isSign && text.last.map(isExponent) == true
      else { break }
      text.append(scalar)
      _ = take()
    }
    return String(text)
  }

  private mutating func name() -> String {
    var text = String.UnicodeScalarView()
    while let scalar = here, Self.continuesName(scalar) {
      text.append(scalar)
      _ = take()
    }
    return String(text)
  }

  private mutating func sign() -> String? {
    guard let first = here else { return nil }
    if let second = ahead {
      let both = "\(first)\(second)"
      if ["<>", "<=", ">="].contains(both) {
        _ = take()
        _ = take()
        return both
      }
    }
    guard "=<>()[],+-*/%^".unicodeScalars.contains(first) else { return nil }
    _ = take()
    return String(first)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3A, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF,
      0x370...0x37D, 0x37F...0x1FFE, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF,
      0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
      true
    default: false
    }
  }

  private static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    beginsName(scalar) || isDigit(scalar) || scalar == "."
      || (0x300...0x36F).contains(scalar.value) || (0x203F...0x2040).contains(scalar.value)
  }
}
