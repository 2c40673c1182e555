import Foundation
import JSON
import PrivacyMap
import SpatialDatabase

/// The terms on the learning pages, from the instance's taxonomies, in one language.
struct LearnTerms {
  struct Term {
    let code: String
    let label: String
    let definition: String
    /// The name of a category's icon, such as `alpr`.
    var icon = ""
    /// Codes of the data that a category typically collects.
    var collects: [String] = []
    var sources: [LearnSource] = []
    /// `scheme:code` of the terms that a glossary term explains.
    var see: [String] = []
  }

  let language: String
  let categories: [Term]
  /// In alphabetical order.
  let glossary: [Term]
  private let data: [String: Term]

  init(language: String, _ connection: borrowing Connection) throws {
    self.language = language
    categories = try LearnStore().categories(in: language, connection) { row in
      Term(
        code: row.text(0), label: row.text(1), definition: row.text(2), icon: row.text(3),
        collects: JSONText.codes(row.text(4)))
    }
    let terms = try LearnStore().terms(in: language, connection) { row in
      let more = (try? JSONValue(parsing: row.blob(4))) ?? .null
      return (
        row.text(3),
        Term(
          code: row.text(0), label: row.text(1), definition: row.text(2),
          sources: LearnSource.list(more["sources"]),
          see: (more["see"]?.arrayValue ?? []).compactMap(\.stringValue))
      )
    }
    data = Dictionary(
      terms.filter { $0.0 == Scheme.data.rawValue }.map { ($0.1.code, $0.1) },
      uniquingKeysWith: { first, _ in first })
    glossary = terms.filter { $0.0 == "glossary" }.map { (Self.key($0.1.label), $0.1) }
      .sorted { ($0.0, $0.1.code) < ($1.0, $1.1.code) }.map(\.1)
  }

  func category(_ code: String) -> Term? { categories.first { $0.code == code } }
  func data(_ code: String) -> Term? { data[code] }

  /// The glossary terms by first letter, sorted within each group.
  var letters: [(letter: String, terms: [Term])] {
    var groups: [(letter: String, terms: [Term])] = []
    for term in glossary {
      let letter = Self.key(term.label).prefix(1).uppercased()
      if groups.last?.letter == letter {
        groups[groups.count - 1].terms.append(term)
      } else {
        groups.append((letter, [term]))
      }
    }
    return groups
  }

  /// The sort key of a name: lower case, without accents.
  private static func key(_ label: String) -> String {
    label.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
      .filter { $0.isLetter || $0.isNumber || $0 == " " }
  }
}
