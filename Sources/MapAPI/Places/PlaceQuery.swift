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

  /// The values bound by ``sql(columns:)`` before the limit.
  var terms: [String] {
    [
      "name : \(whole)", "alternate : \(whole)", "name : \(whole) *", "alternate : \(whole) *",
      words,
    ]
  }

  /// Exact names come first, then exact names in another language, then prefixes of both, then words of
  /// name, region and country. Each bonus weighs as much as that many powers of ten of population, so
  /// "lisb" finds Lisbon before Huambo, which was once Nova Lisboa.
  static func sql(columns: String) -> String {
    let tiers = [
      ("place_name", "3.0"), ("place_name", "2.0"), ("place_name", "1.5"), ("place_name", "0.8"),
      ("place_word", "0.0"),
    ].map { table, bonus in
      "SELECT * FROM (SELECT rowid, \(bonus) FROM \(table) WHERE \(table) MATCH ? "
        + "ORDER BY rowid LIMIT 20)"
    }
    return """
      WITH found (rank, bonus) AS (\(tiers.joined(separator: " UNION ALL ")))
      SELECT \(columns)
      FROM (SELECT rank, max(bonus) AS bonus FROM found GROUP BY rank) AS best
      JOIN place ON place.rank = best.rank
      ORDER BY best.bonus + place.weight DESC, place.rank LIMIT ?
      """
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar.properties.isWhitespace
  }
}
