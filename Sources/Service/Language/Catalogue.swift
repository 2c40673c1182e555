package import Foundation
import JSON

/// Farol's sentences in every available language.
package struct Catalogue: Sendable {
  /// The language for requests without a preference.
  package static let defaultLanguage = "en"

  /// Language codes (BCP 47), the default first.
  package let languages: [String]
  private let sentences: [String: [String: String]]

  /// - Parameter sentences: the texts by key, for each language code.
  package init(sentences: [String: [String: String]]) {
    self.sentences = sentences
    let others = sentences.keys.filter { $0 != Self.defaultLanguage }.sorted()
    languages = [Self.defaultLanguage] + others
  }

  /// Reads every `<language>.json` of some folders, each a flat JSON object of texts. A key is in one
  /// folder only.
  ///
  /// - Throws: ``UnreadableCatalogue`` with the name of the file.
  package init(folders: [URL]) throws {
    var sentences: [String: [String: String]] = [:]
    for folder in folders {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "json" }
      for file in files {
        let language = file.deletingPathExtension().lastPathComponent
        try sentences[language, default: [:]].merge(Self.texts(of: file)) { _, _ in
          throw UnreadableCatalogue(file: file.lastPathComponent)
        }
      }
    }
    guard sentences[Self.defaultLanguage] != nil else {
      throw UnreadableCatalogue(file: Self.defaultLanguage + ".json")
    }
    self.init(sentences: sentences)
  }

  private static func texts(of file: URL) throws -> [String: String] {
    let fault = UnreadableCatalogue(file: file.lastPathComponent)
    guard let object = try? JSONValue(parsing: [UInt8](Data(contentsOf: file))).objectValue
    else { throw fault }
    var texts: [String: String] = [:]
    for member in object.members {
      guard let text = member.value.stringValue else { throw fault }
      texts[member.key] = text
    }
    return texts
  }

  /// The sentence in `language`, or in the default language if it is missing there. If it is
  /// missing in both, the key itself (a test ensures that none is missing).
  package func text(_ message: Message, in language: String) -> String {
    let sentence =
      sentences[language]?[message.key] ?? sentences[Self.defaultLanguage]?[message.key]
    guard let sentence else { return message.key }
    return Self.filled(sentence, message.arguments)
  }

  /// Replaces all placeholders in one pass, so that a value is never treated as a placeholder.
  private static func filled(_ sentence: String, _ values: [String: String]) -> String {
    guard !values.isEmpty else { return sentence }
    var text = ""
    var rest = Substring(sentence)
    // Braces are found as bytes: a search among characters would be the slowest part.
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      text += rest[..<start]
      let name = rest[rest.utf8.index(after: start)...]
      guard let end = name.utf8.firstIndex(of: UInt8(ascii: "}")),
        let value = values[String(name[..<end])]
      else {
        text += "{"
        rest = name
        continue
      }
      text += value
      rest = name[name.utf8.index(after: end)...]
    }
    return text + rest
  }

  /// The catalogue with sentences for further languages. ``languages`` stays the same, so pages do not
  /// offer them.
  package func adding(_ more: [String: [String: String]]) -> Catalogue {
    Catalogue(languages: languages, sentences: sentences.merging(more) { $0.merging($1) { $1 } })
  }

  private init(languages: [String], sentences: [String: [String: String]]) {
    self.languages = languages
    self.sentences = sentences
  }

  /// Whether `language` has a text for `key`.
  package func has(_ key: String, in language: String) -> Bool {
    sentences[language]?[key] != nil
  }

  /// The best available language for an `Accept-Language` header (RFC 9110 §12.5.4).
  package func language(accepting header: String?) -> String {
    guard let header, !header.isEmpty else { return Self.defaultLanguage }
    var best = (language: Self.defaultLanguage, weight: -1.0)
    for range in header.prefix(1_000).split(separator: ",") {
      let parts = range.split(separator: ";")
      guard let tag = parts.first?.trimmingCharacters(in: .whitespaces).lowercased() else {
        continue
      }
      let primary = tag.split(separator: "-").first.map(String.init) ?? tag
      let weight =
        parts.dropFirst().lazy
        .map { $0.trimmingCharacters(in: .whitespaces) }
        .first { $0.hasPrefix("q=") }
        .flatMap { Double($0.dropFirst(2)) } ?? 1
      guard weight > 0, weight <= 1, weight > best.weight else { continue }
      if sentences[primary] != nil {
        best = (primary, weight)
      } else if primary == "*" {
        best = (Self.defaultLanguage, weight)
      }
    }
    return best.language
  }
}

/// A language file that is missing, is not a flat JSON object of texts, or repeats a key of another folder.
package struct UnreadableCatalogue: Error, CustomStringConvertible {
  package let file: String
  package var description: String { "\(file): not a JSON object of texts" }
}
