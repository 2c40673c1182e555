/// An HTML page with `{{names}}` to be filled in, cut into pieces once.
struct PageTemplate: Sendable {
  private enum Piece: Sendable {
    case text(String)
    case value(String)
  }

  private let pieces: [Piece]
  private let words: @Sendable (_ key: String, _ language: String) -> String

  /// `fixed` are values that never change; they are written in at once, as they are. `words` finds the
  /// sentence for `{{words KEY}}`.
  init(
    _ source: String, fixed: [String: String],
    words: @escaping @Sendable (_ key: String, _ language: String) -> String = { key, _ in key }
  ) {
    self.words = words
    var pieces: [Piece] = []
    var text = ""
    var rest = Substring(source)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      let name = String(rest[start.upperBound..<end.lowerBound])
      text += rest[..<start.lowerBound]
      if let value = fixed[name] {
        text += value
      } else {
        pieces.append(.text(text))
        pieces.append(.value(name))
        text = ""
      }
      rest = rest[end.upperBound...]
    }
    pieces.append(.text(text + rest))
    self.pieces = pieces
  }

  private static let wordsOf = "words "

  /// The page with `values`, each already ``HTML``; a name without a value is left empty. The words of
  /// the page itself are told in the language of `lang`.
  func filled(_ values: [String: HTML]) -> String {
    pieces.reduce(into: "") { page, piece in
      switch piece {
      case .text(let text): page += text
      case .value(let name):
        if name.hasPrefix(Self.wordsOf) {
          let key = String(name.dropFirst(Self.wordsOf.count))
          let language = values["lang"]?.source ?? Catalogue.defaultLanguage
          page += HTML(text: words(key, language)).source
        } else {
          page += values[name]?.source ?? ""
        }
      }
    }
  }
}

/// Text that is safe to stand in a page: every piece of it was written by the program or escaped.
struct HTML: Sendable, ExpressibleByStringInterpolation {
  let source: String

  /// Text from anywhere, escaped for content and for attribute values in quotes.
  init(text: String) {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    source = escaped
  }

  init(stringLiteral value: String) { source = value }

  init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

  init(joining parts: [HTML]) { source = parts.map(\.source).joined() }

  /// What stands between literals is escaped, unless it is ``HTML`` itself.
  struct Interpolation: StringInterpolationProtocol {
    var source = ""

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ literal: String) { source += literal }

    mutating func appendInterpolation(_ text: String) { source += HTML(text: text).source }

    mutating func appendInterpolation(_ html: HTML) { source += html.source }
  }
}
