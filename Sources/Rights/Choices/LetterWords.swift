import JSON

/// The words of letters in languages that the pages do not have: `seed/letters/words.json`.
struct LetterWords: Sendable {
  /// Sentences by key, for each language; see ``Catalogue/adding(_:)``.
  let sentences: [String: [String: String]]
  private let json: JSONValue

  init(_ json: JSONValue) {
    self.json = json
    var sentences: [String: [String: String]] = [:]
    for language in json.objectValue?.members ?? [] {
      for sentence in language.value["sentences"]?.objectValue?.members ?? [] {
        sentences[language.key, default: [:]][sentence.key] = sentence.value.stringValue
      }
    }
    self.sentences = sentences
  }

  /// The label of a code of a taxonomy; nil if the taxonomy itself has the language.
  func label(_ scheme: String, _ code: String, in language: String) -> String? {
    json[language]?[scheme]?[code]?.stringValue
  }

  /// The name of a country; nil if the gazetteer itself has the language.
  func country(_ code: String, in language: String) -> String? {
    json[language]?["countries"]?[code]?.stringValue
  }
}
