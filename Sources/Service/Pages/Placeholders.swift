/// The pieces of a text with placeholders `{{name}}`.
enum Placeholders {
  enum Piece: Sendable {
    case text(String)
    /// The text between the braces.
    case placeholder(String)
  }

  /// Divides `source` at its placeholders. Braces that are not closed are text.
  static func pieces(of source: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(source)
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      pieces.append(.text(String(rest[..<start.lowerBound])))
      pieces.append(.placeholder(String(rest[start.upperBound..<end.lowerBound])))
      rest = rest[end.upperBound...]
    }
    return pieces + [.text(String(rest))]
  }
}
