/// A search for places in `data/places.db`.
///
/// The gazetteer is a SQLite file made at set-up, whatever database the instance uses, so the full-text
/// query is always SQLite's. `place_name` has each whole name as one token, `place_word` its words. Both
/// are numbered by population, so the first rows of a match are the largest places.
struct PlaceQuery {
  /// The search terms in FTS5 syntax.
  private let whole: String
  private let words: String

  /// - Returns: nil if `typed` contains no letter or digit.
  init?(_ typed: String) {
    let plain = String(
      typed.unicodeScalars.prefix(100).map { scalar in
        Self.isControl(scalar) ? " " : Character(scalar)
      })
    let parts = plain.split(separator: " ").filter { part in
      part.contains { $0.isLetter || $0.isNumber }
    }
    guard !parts.isEmpty else { return nil }
    whole = Self.quoted(plain.split(separator: " ").joined(separator: " "))
    words = parts.map { Self.quoted(String($0)) }.joined(separator: " AND ") + " *"
  }

  /// The values that ``PlaceStore`` binds before the limit.
  var terms: [String] {
    [
      "name : \(whole)", "alternate : \(whole)", "name : \(whole) *", "alternate : \(whole) *",
      words,
    ]
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isWhitespace
  }
}
