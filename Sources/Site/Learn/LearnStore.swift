import Reference
import Service
import SpatialDatabase

/// Reads the taxonomies for the learning pages.
struct LearnStore: Sendable {
  /// Categories: code, name, definition, icon and the data that they collect.
  func categories<T>(
    in language: String, _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(
      TaxonomyStore.defined(in: "category", "'categories'", "found.icon, found.collects"),
      [.text(language), .text(Catalogue.defaultLanguage)], decode: decode)
  }

  /// Terms of the glossary and kinds of data: code, name, definition, scheme and further members.
  func terms<T>(
    in language: String, _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(
      TaxonomyStore.glossary, [.text(language), .text(Catalogue.defaultLanguage)], decode: decode)
  }
}
