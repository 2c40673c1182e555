import Foundation
import JSON
import Service

/// The letter templates of `seed/letters`, and how they are filled in (docs/reference/rights.md, “Letters”).
struct LetterBook: Sendable {
  /// One entry of the index.
  struct Letter: Sendable {
    let code: String
    /// `request`, `reminder` or `complaint`.
    let kind: String
    let required: [String]
    let optional: [String]
    /// Letters that it may follow; nil for a request.
    let after: [String]?
    /// The families of templates that have this letter.
    let families: Set<String>

    var placeholders: [String] { required + optional }
  }

  /// A filled-in letter.
  struct Filled: Sendable {
    let subject: String
    var body: String
    /// Required placeholders without a value.
    let missing: [String]
  }

  let letters: [String: Letter]
  /// All languages of letters.
  let languages: [String]
  /// The languages of each family of templates, that is of a regime or of several similar ones.
  private let languagesOfFamily: [String: [String]]
  /// The languages of each family in which no lawyer has checked the letters yet.
  private let unreviewed: [String: [String]]
  /// The words of languages that only letters have.
  let words: LetterWords
  private let placeholders: [String: JSONValue]
  /// By `family/language/code`.
  private let templates: [String: String]

  /// - Throws: ``InvalidSeed`` with the name of the file.
  init(directory: URL) throws {
    let index = try SeedFile.json("index.json", in: directory)
    letters = SeedFile.byCode(index["letters"]).compactMapValues { Letter($0) }
    languages = (index["languages"]?.arrayValue ?? []).compactMap(\.stringValue)
    var placeholders: [String: JSONValue] = [:]
    for member in index["placeholders"]?.objectValue?.members ?? [] {
      placeholders[member.key] = member.value
    }
    self.placeholders = placeholders
    words = LetterWords(try SeedFile.json("words.json", in: directory))
    var templates: [String: String] = [:]
    let languagesOfFamily = Self.languages(index["regimes"])
    for (family, languages) in languagesOfFamily {
      for letter in letters.values where letter.families.contains(family) {
        for language in languages {
          let name = "\(family)/\(language)/\(letter.code)"
          let file = directory.appendingPathComponent("\(name).txt")
          guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw InvalidSeed(file: "\(name).txt")
          }
          templates[name] = text
        }
      }
    }
    self.languagesOfFamily = languagesOfFamily
    unreviewed = Self.languages(index["unreviewed"])
    self.templates = templates
    guard !templates.isEmpty else { throw InvalidSeed(file: "index.json") }
  }

  /// The languages in which the letters of a family are written.
  func languages(of family: String) -> [String] { languagesOfFamily[family] ?? [] }

  /// Whether no lawyer has checked the letters of a family in a language yet.
  func isUnreviewed(_ family: String, in language: String) -> Bool {
    unreviewed[family]?.contains(language) ?? false
  }

  /// Languages by family.
  private static func languages(_ families: JSONValue?) -> [String: [String]] {
    var found: [String: [String]] = [:]
    for family in families?.objectValue?.members ?? [] {
      found[family.key] = (family.value.arrayValue ?? []).compactMap(\.stringValue)
    }
    return found
  }

  /// The source of a placeholder's value: `device`, `ledger`, `rights` or `person`.
  func source(of placeholder: String) -> String? { placeholders[placeholder]?["from"]?.stringValue }

  /// Every placeholder that a person may fill in.
  var ofPerson: [String] { placeholders.keys.filter { source(of: $0) == "person" }.sorted() }

  /// The label of a placeholder.
  func label(of placeholder: String, in language: String) -> String {
    placeholders[placeholder]?[language]?.stringValue
      ?? placeholders[placeholder]?[Catalogue.defaultLanguage]?.stringValue ?? placeholder
  }

  /// Fills in a letter of a family of templates, see ``RightsBook/family(of:)``.
  ///
  /// - Returns: nil if the family has no such letter in the language.
  func fill(
    _ code: String, under family: String, in language: String, with values: [String: String]
  ) -> Filled? {
    guard let letter = letters[code], let template = templates["\(family)/\(language)/\(code)"]
    else { return nil }
    var values = values.mapValues(Self.oneLine)
    var missing: [String] = []
    for name in letter.required where values[name]?.isEmpty ?? true {
      let own = placeholders[name]?["fallbacks"]?[family] ?? placeholders[name]?["fallback"]
      if let fallback = own?[language]?.stringValue {
        values[name] = fallback
      } else {
        missing.append(name)
        values[name] = "[\(label(of: name, in: language))]"
      }
    }
    let lines = template.split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.dropFirst().compactMap { Self.put(values, into: $0, mayGo: true) }
    return Filled(
      subject: Self.put(values, into: lines.first ?? "", mayGo: false) ?? "",
      body: Self.joined(kept), missing: missing)
  }

  /// Replaces each run of white space, including line ends, with one space.
  private static func oneLine(_ value: String) -> String {
    value.split { $0.isWhitespace }.joined(separator: " ")
  }

  /// Joins lines. Removes empty lines at the start and the end, and merges consecutive ones.
  private static func joined(_ lines: [String]) -> String {
    var result: [String] = []
    for line in lines where !(line.isEmpty && result.last?.isEmpty ?? true) { result.append(line) }
    while result.last?.isEmpty == true { result.removeLast() }
    return result.joined(separator: "\n") + "\n"
  }

  /// Replaces placeholders in braces with values. Braces within values are not replaced again.
  ///
  /// - Returns: nil if a placeholder has no value and the line may be omitted.
  private static func put(
    _ values: [String: String], into line: Substring, mayGo: Bool
  ) -> String? {
    var result = ""
    var rest = line
    while let open = rest.firstIndex(of: "{") {
      result += rest[..<open]
      let after = rest.index(after: open)
      guard let close = rest[after...].firstIndex(of: "}") else {
        rest = rest[open...]
        break
      }
      let value = values[String(rest[after..<close])] ?? ""
      if value.isEmpty && mayGo { return nil }
      result += value
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension LetterBook.Letter {
  init?(_ json: JSONValue) {
    guard let code = json["code"]?.stringValue, let kind = json["kind"]?.stringValue else {
      return nil
    }
    func names(_ member: String) -> [String]? {
      json[member]?.arrayValue?.compactMap(\.stringValue)
    }
    self.init(
      code: code, kind: kind,
      required: names("required") ?? [], optional: names("optional") ?? [], after: names("after"),
      families: Set((json["articles"]?.objectValue?.members ?? []).map(\.key)))
  }
}
