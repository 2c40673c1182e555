package import Foundation
import JSON
import Service

/// The texts of `seed/learn`: the introduction, the help and a page for each category, in every language.
package struct LearnTexts: Sendable {
  let introduction: LearnArticle
  /// The use of the map, step by step.
  let help: LearnArticle
  /// By category code.
  let categories: [String: LearnArticle]

  /// Reads `introduction.json`, `help.json` and every file of `categories`.
  ///
  /// - Throws: ``InvalidLearnText`` with the name of the file.
  package init(directory: URL) throws {
    introduction = try Self.article(directory.appendingPathComponent("introduction.json"))
    help = try Self.article(directory.appendingPathComponent("help.json"))
    let folder = directory.appendingPathComponent("categories")
    var categories: [String: LearnArticle] = [:]
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil) where file.pathExtension == "json"
    {
      categories[file.deletingPathExtension().lastPathComponent] = try Self.article(file)
    }
    self.categories = categories
  }

  private static func article(_ file: URL) throws -> LearnArticle {
    guard let json = try? JSONValue(parsing: [UInt8](Data(contentsOf: file))),
      let article = LearnArticle(json)
    else { throw InvalidLearnText(file: file.lastPathComponent) }
    return article
  }
}

/// One page of `seed/learn`, with its sources.
struct LearnArticle: Sendable {
  let sources: [LearnSource]
  private let texts: [String: LearnText]

  /// - Returns: nil without an English text, which is the fallback for other languages.
  init?(_ json: JSONValue) {
    sources = LearnSource.list(json["sources"])
    var texts: [String: LearnText] = [:]
    for member in json.objectValue?.members ?? [] where member.key.utf8.count == 2 {
      texts[member.key] = LearnText(member.value)
    }
    guard texts[Catalogue.defaultLanguage]?.sections.isEmpty == false else { return nil }
    self.texts = texts
  }

  /// The text in `language`, or in English if it is missing there.
  func text(in language: String) -> LearnText {
    texts[language] ?? texts[Catalogue.defaultLanguage] ?? LearnText(.null)
  }
}

/// A text in one language.
struct LearnText: Sendable {
  /// A paragraph, or a list of points between paragraphs.
  enum Part: Sendable {
    case paragraph(String)
    case points([String])
  }

  struct Section: Sendable {
    let id: String
    /// Nil if the page provides the heading.
    let title: String?
    let parts: [Part]
    /// The description of the picture of a section of the help, in words.
    let picture: String?
  }

  let title: String?
  let lead: String?
  let sections: [Section]

  /// Either `{"title", "lead", "sections": [{"id", "title", "text": […]}]}` or `{"id": […], …}`.
  init(_ json: JSONValue) {
    title = json["title"]?.stringValue
    lead = json["lead"]?.stringValue
    if let sections = json["sections"]?.arrayValue {
      self.sections = sections.map { section in
        Section(
          id: section["id"]?.stringValue ?? "", title: section["title"]?.stringValue,
          parts: Self.parts(section["text"]), picture: section["picture"]?.stringValue)
      }
    } else {
      sections = (json.objectValue?.members ?? []).map { member in
        Section(id: member.key, title: nil, parts: Self.parts(member.value), picture: nil)
      }
    }
  }

  private static func parts(_ json: JSONValue?) -> [Part] {
    (json?.arrayValue ?? []).map { part in
      part.arrayValue.map { .points($0.compactMap(\.stringValue)) }
        ?? .paragraph(part.stringValue ?? "")
    }
  }
}

/// A source of a text.
struct LearnSource: Sendable {
  let url: String
  private let source: JSONValue

  static func list(_ json: JSONValue?) -> [LearnSource] {
    (json?.arrayValue ?? []).compactMap { source in
      guard source["title"]?.stringValue != nil, let url = source["url"]?.stringValue,
        url.hasPrefix("https://")
      else { return nil }
      return LearnSource(url: url, source: source)
    }
  }

  /// The title in `language`, or in English if it is missing there.
  func title(in language: String) -> (words: String, language: String) {
    if let words = source[language]?.stringValue { return (words, language) }
    return (source["title"]?.stringValue ?? url, Catalogue.defaultLanguage)
  }
}

/// A file of `seed/learn` that cannot be read.
struct InvalidLearnText: Error, CustomStringConvertible {
  let file: String
  var description: String { "seed/learn, \(file): not an article with an English text" }
}
