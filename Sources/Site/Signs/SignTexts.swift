package import Foundation
import JSON
import Service

/// The texts of signs in every language that a sign can have, from `seed/signs/signs.json`.
///
/// People read a sign where it hangs, so it has more languages than the pages: the languages of the letters.
package struct SignTexts: Sendable {
  /// The words of one language.
  struct Words: Sendable {
    let title, what, data, who, unknown, rights, rightsText, scan: String
    /// With the placeholder `{date}`.
    let asOf: String
    /// With the placeholder `{name}`, the name of the instance.
    let made: String
    /// By status. A device in another state has no sign.
    let statuses: [String: String]
    /// Labels in a language that the taxonomies do not have, by code.
    let categories, dataTerms: [String: String]
  }

  private let words: [String: Words]
  /// Language codes (BCP 47), in alphabetical order.
  package let languages: [String]

  /// - Throws: ``InvalidSeed``.
  package init(directory: URL) throws {
    let name = "signs.json"
    guard
      let languages = try SeedFile.json(name, in: directory)["languages"]?.objectValue
    else { throw InvalidSeed(file: name) }
    var words: [String: Words] = [:]
    for member in languages.members {
      guard let read = Self.words(member.value) else { throw InvalidSeed(file: name) }
      words[member.key] = read
    }
    guard words[Catalogue.defaultLanguage] != nil else { throw InvalidSeed(file: name) }
    self.words = words
    self.languages = words.keys.sorted()
  }

  private static func words(_ json: JSONValue) -> Words? {
    func text(_ name: String) -> String? { json[name]?.stringValue }
    guard let title = text("title"), let what = text("what"), let data = text("data"),
      let who = text("who"), let unknown = text("unknown"), let rights = text("rights"),
      let rightsText = text("rights_text"), let scan = text("scan"), let asOf = text("as_of"),
      let made = text("made"), let statuses = json["status"].map(texts), !statuses.isEmpty
    else { return nil }
    return Words(
      title: title, what: what, data: data, who: who, unknown: unknown, rights: rights,
      rightsText: rightsText, scan: scan, asOf: asOf, made: made, statuses: statuses,
      categories: json["categories"].map(texts) ?? [:],
      dataTerms: json["data_terms"].map(texts) ?? [:])
  }

  private static func texts(_ json: JSONValue) -> [String: String] {
    var found: [String: String] = [:]
    for member in json.objectValue?.members ?? [] { found[member.key] = member.value.stringValue }
    return found
  }

  /// Nil for a language without texts.
  func words(in language: String) -> Words? { words[language] }
}
