import Service
import SpatialDatabase

/// Reads the taxonomies for the learning pages.
struct LearnStore: Sendable {
  /// Categories: code, name, definition, icon and the data that they collect.
  func categories<T>(
    in language: String, _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(
      Self.words(of: "category", "'categories'", "found.icon, found.collects"),
      [.text(language), .text(Catalogue.defaultLanguage)], decode: decode)
  }

  /// Terms of the glossary and kinds of data: code, name, definition, scheme and further members.
  func terms<T>(
    in language: String, _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(
      Self.words(
        of: "(SELECT * FROM term WHERE scheme IN ('glossary', 'data'))", "found.scheme",
        "found.scheme, found.more"),
      [.text(language), .text(Catalogue.defaultLanguage)], decode: decode)
  }

  /// Code, name and definition in the requested language, or in English if they are missing there.
  private static func words(of table: String, _ scheme: String, _ more: String) -> String {
    """
    SELECT found.code, COALESCE(asked.label, english.label, found.code),
      COALESCE(asked.definition, english.definition, ''), \(more)
    FROM \(table) AS found
    LEFT JOIN translation AS asked ON asked.scheme = \(scheme) AND asked.code = found.code
      AND asked.language = ?
    LEFT JOIN translation AS english ON english.scheme = \(scheme)
      AND english.code = found.code AND english.language = ?
    ORDER BY found.position
    """
  }
}
