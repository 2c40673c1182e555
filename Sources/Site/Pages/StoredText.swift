import JSON
import Service
import WebServer

/// The personal data that is stored, for readers without scripts: the `personal` entries of
/// `terms/stored.json`, each with its content, purpose, legal basis, retention period and recipients; and
/// the data stored in the reader's own browser.
struct StoredText {
  private let entries: [JSONValue]
  private let inBrowser: [JSONValue]
  private let bases: JSONValue?
  private let language: String
  private let labels: [(member: String, label: String)]

  /// - Returns: nil if the file is missing or has no entries.
  init?(files: StaticFiles, language: String, label: (_ key: String) -> String) {
    guard let file = files["terms/stored.json"],
      let stored = try? JSONValue(parsing: file.bytes),
      let entries = stored["personal"]?.arrayValue
    else { return nil }
    self.entries = entries
    self.language = language
    inBrowser = stored["kept"]?.arrayValue ?? []
    bases = stored["bases"]
    labels = ["what", "why", "basis", "long", "seen"].map { ($0, label("terms.stored.\($0)")) }
  }

  /// A heading and a definition list for each entry.
  var html: HTML { HTML(joining: entries.map(entry)) }

  /// A list of the data stored in the browser.
  var kept: HTML {
    let points = inBrowser.map { "<li>\($0[language]?.stringValue ?? "")</li>" as HTML }
    return "<ul class=\"points\">\(HTML(joining: points))</ul>"
  }

  private func entry(_ entry: JSONValue) -> HTML {
    let words = entry[language]
    let basis = entry["basis"]?.stringValue.flatMap { bases?[$0]?[language]?.stringValue }
    let facts = labels.map { member, label in
      let text = member == "basis" ? basis : words?[member]?.stringValue
      return "<div><dt>\(label)</dt><dd>\(text ?? "")</dd></div>" as HTML
    }
    let id = entry["id"]?.stringValue ?? ""
    let title = words?["title"]?.stringValue ?? ""
    return "<h3 id=\"stored-\(id)\">\(title)</h3><dl class=\"stored\">\(HTML(joining: facts))</dl>"
  }
}
