import Foundation
import JSON
import Service

/// The letter templates of `seed/letters`, and how they are filled in (docs/reference/rights.md, “Letters”).
struct LetterBook: Sendable {
  /// One entry of the index.
  struct Letter: Sendable {
    let code: String
    let right: String?
    /// `request`, `reminder` or `complaint`.
    let kind: String
    let required: [String]
    let optional: [String]
    /// Letters that it may follow; nil for a request.
    let after: [String]?

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
  let languages: [String]
  private let placeholders: [String: JSONValue]
  /// By `regime/language/code`.
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
    var templates: [String: String] = [:]
    for regime in (index["regimes"]?.arrayValue ?? []).compactMap(\.stringValue) {
      for language in languages {
        for code in letters.keys {
          let name = "\(regime)/\(language)/\(code)"
          let file = directory.appendingPathComponent("\(name).txt")
          guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw InvalidSeed(file: "\(name).txt")
          }
          templates[name] = text
        }
      }
    }
    self.templates = templates
    guard !templates.isEmpty else { throw InvalidSeed(file: "index.json") }
  }

  /// The source of a placeholder's value: `device`, `ledger`, `rights` or `person`.
  func source(of placeholder: String) -> String? { placeholders[placeholder]?["from"]?.stringValue }

  /// Every placeholder that a person may fill in.
  var ofPerson: [String] { placeholders.keys.filter { source(of: $0) == "person" }.sorted() }

  /// The label of a placeholder.
  func label(of placeholder: String, in language: String) -> String {
    placeholders[placeholder]?[language]?.stringValue ?? placeholder
  }

  /// Fills in a letter.
  ///
  /// - Returns: nil if the regime has no such letter in the language.
  func fill(
    _ code: String, under regime: String, in language: String, with values: [String: String]
  ) -> Filled? {
    guard let letter = letters[code], let template = templates["\(regime)/\(language)/\(code)"]
    else { return nil }
    var values = values.mapValues(Self.oneLine)
    var missing: [String] = []
    for name in letter.required where values[name]?.isEmpty ?? true {
      if let fallback = placeholders[name]?["fallback"]?[language]?.stringValue {
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
      code: code, right: json["right"]?.stringValue, kind: kind,
      required: names("required") ?? [], optional: names("optional") ?? [], after: names("after"))
  }
}
