/// How places are looked for in `data/places.db`.
///
/// The gazetteer is a SQLite file made at set-up whatever database the instance runs on, so its
/// full-text query is SQLite's own. `place_name` has every whole name as one token, `place_word` its
/// words; both are numbered by population, so the first rows of a match are the largest places.
struct PlaceQuery {
  /// The query's words as FTS5 wants them.
  private let whole: String
  private let words: String

  /// - Returns: nil when nothing in `typed` can be looked for.
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

  /// What ``sql(columns:)`` binds before the limit.
  var terms: [String] {
    [
      "name : \(whole)", "alternate : \(whole)", "name : \(whole) *", "alternate : \(whole) *",
      words,
    ]
  }

  /// An exact name first, then an exact name in another language, then the beginnings of both, then
  /// words of name, region and country; each bonus weighs as much as that many powers of ten of
  /// population, so "lisb" finds Lisbon before Huambo, which was once Nova Lisboa.
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
