/// An HTML page with placeholders `{{name}}`.
package struct PageTemplate: Sendable {
  private let pieces: [Placeholders.Piece]
  private let words: @Sendable (_ key: String, _ language: String) -> String

  /// `fixed` values never change; they are inserted at once and not escaped. `words` finds the sentence
  /// for `{{words KEY}}`.
  init(
    _ source: [Placeholders.Piece], fixed: [String: String],
    words: @escaping @Sendable (_ key: String, _ language: String) -> String = { key, _ in key }
  ) {
    self.words = words
    pieces = source.map { piece in
      guard case .placeholder(let name) = piece, let value = fixed[name] else { return piece }
      return .text(value)
    }
  }

  private static let wordsOf = "words "

  /// The page with `values` inserted; a placeholder without a value is left empty. The page's own texts
  /// are in the language of `lang`.
  package func filled(_ values: [String: HTML]) -> String {
    pieces.reduce(into: "") { page, piece in
      switch piece {
      case .text(let text): page += text
      case .placeholder(let name):
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

/// HTML that is safe to include in a page: every part was written by the program or escaped.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  package let source: String

  /// Escapes any text, for content and for quoted attribute values.
  package init(text: String) {
    // Most texts have nothing to escape.
    guard text.utf8.contains(where: { Self.escape(of: $0) != nil }) else {
      source = text
      return
    }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.utf8.count + 32)
    for byte in text.utf8 {
      if let escape = Self.escape(of: byte) {
        escape.withUTF8Buffer { escaped.append(contentsOf: $0) }
      } else {
        escaped.append(byte)
      }
    }
    source = String(decoding: escaped, as: UTF8.self)
  }

  private static func escape(of byte: UInt8) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }

  package init(stringLiteral value: String) { source = value }

  package init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

  package init(joining parts: [HTML]) { source = parts.map(\.source).joined() }

  /// Interpolated values are escaped, unless they are ``HTML`` themselves.
  package struct Interpolation: StringInterpolationProtocol {
    package var source = ""

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { source += literal }

    package mutating func appendInterpolation(_ text: String) { source += HTML(text: text).source }

    package mutating func appendInterpolation(_ html: HTML) { source += html.source }
  }
}
