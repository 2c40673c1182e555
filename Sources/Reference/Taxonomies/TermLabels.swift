import Service
package import SpatialDatabase

/// Names of the categories and statuses in one language, or in English where that language lacks one.
package struct TermLabels: Labels {
  private var labels: [String: String] = [:]

  package init(in language: String, _ connection: borrowing Connection) throws {
    try connection.forEach(
      """
      SELECT scheme, code, label FROM translation
      WHERE scheme IN ('categories', 'statuses') AND language IN (?, 'en')
      ORDER BY language <> 'en'
      """, [.text(language)]
    ) { labels["\($0.text(0))/\($0.text(1))"] = $0.text(2) }
  }

  package func label(_ scheme: String, _ code: String) -> String {
    labels["\(scheme)/\(code)"] ?? code
  }
}

extension TaxonomyStore {
  /// The label and the definition of a code in a language, or in English; nil if the code is unknown.
  package func words(
    _ scheme: String, _ code: String, in language: String, _ connection: borrowing Connection
  ) throws -> (label: String, definition: String)? {
    try connection.first(
      """
      SELECT label, definition FROM translation
      WHERE scheme = ? AND code = ? AND language IN (?, 'en') ORDER BY language = 'en' LIMIT 1
      """, [.text(scheme), .text(code), .text(language)]
    ) { ($0.text(0), $0.text(1)) }
  }

  /// The English names of categories by code.
  package func categoryNames(_ connection: borrowing Connection) throws -> [String: String] {
    let names = try connection.rows(
      "SELECT code, label FROM translation WHERE scheme = 'categories' AND language = 'en'"
    ) { ($0.text(0), $0.text(1)) }
    return Dictionary(names) { first, _ in first }
  }

  /// The terms of the Data Privacy Vocabulary for a code, as a JSON array; nil if the code is unknown.
  package func dpv(
    _ scheme: String, _ code: String, _ connection: borrowing Connection
  ) throws -> String? {
    try connection.text(
      "SELECT dpv FROM term WHERE scheme = ? AND code = ?", [.text(scheme), .text(code)])
  }

  /// The statement for the terms of a table: code, name, definition, then `more`. Its parameters are the requested
  /// language and the one that replaces missing texts.
  package static func defined(in table: String, _ scheme: String, _ more: String) -> String {
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

  /// The statement for the glossary and the kinds of data: code, name, definition, scheme and further members.
  package static let glossary = defined(
    in: "(SELECT * FROM term WHERE scheme IN ('glossary', 'data'))", "found.scheme",
    "found.scheme, found.more")
}
