import JSON
import WebServer

/// The terms and the privacy notice of an instance, for readers without scripts: `terms/en.json` and
/// its translations, with what this instance has in their gaps.
///
/// `sections` hold a title and a text: paragraphs, and lists of points between them. Behind the text of
/// the one that is `stored` comes what the database holds about people, and of the one that is `kept`
/// what stays in the browser: `terms/stored.json`.
struct TermsText {
  private let terms: JSONValue
  private let stored: StoredText?
  private let values: [(gap: String, value: String)]

  /// - Returns: nil when there is no such file, or no JSON in it.
  init?(
    files: StaticFiles, language: String, settings: InstanceSettings, noContact: String,
    label: (_ key: String) -> String
  ) {
    guard let file = files["terms/\(language).json"],
      let terms = try? JSONValue(parsing: file.bytes)
    else { return nil }
    self.terms = terms
    stored = StoredText(files: files, language: language, label: label)
    var contact = settings.contact ?? noContact
    if contact.hasPrefix("mailto:") { contact.removeFirst("mailto:".count) }
    values = [
      ("{name}", settings.name), ("{contact}", contact), ("{licence}", settings.licence),
    ]
  }

  /// Headings, paragraphs and lists, below the page's own heading.
  var html: HTML {
    let sections = terms["sections"]?.arrayValue ?? []
    return HTML(joining: [paragraph(terms["lead"])] + sections.map(section))
  }

  private func section(_ section: JSONValue) -> HTML {
    let id = section["id"]?.stringValue ?? ""
    let title = filled(section["title"]?.stringValue ?? "")
    let text = (section["text"]?.arrayValue ?? []).map { part in
      part.arrayValue.map(list) ?? paragraph(part)
    }
    let entries = section["stored"] == nil ? nil : stored?.html
    let kept = section["kept"] == nil ? nil : stored?.kept
    return
      "<h2 id=\"terms-\(id)\">\(title)</h2>\(HTML(joining: text))\(kept ?? "")\(entries ?? "")"
  }

  private func list(_ points: [JSONValue]) -> HTML {
    let items = points.map { "<li>\(filled($0.stringValue ?? ""))</li>" as HTML }
    return "<ul class=\"points\">\(HTML(joining: items))</ul>"
  }

  private func paragraph(_ text: JSONValue?) -> HTML {
    "<p>\(filled(text?.stringValue ?? ""))</p>"
  }

  /// One gap after another from the left, so that nothing in a value is taken for a gap.
  private func filled(_ text: String) -> String {
    var filled = ""
    var rest = Substring(text)
    while let place = rest.firstIndex(of: "{") {
      filled += rest[..<place]
      rest = rest[place...]
      if let (gap, value) = values.first(where: { rest.hasPrefix($0.gap) }) {
        filled += value
        rest.removeFirst(gap.count)
      } else {
        filled.append(rest.removeFirst())
      }
    }
    return filled + rest
  }
}
