import JSON
import Service
import WebServer

/// The terms and the privacy notice of an instance, for readers without scripts: `terms/en.json` and its
/// translations, with the values of this instance filled in.
///
/// `sections` have a title and a text: paragraphs, and lists between them. The personal data in the
/// database follows the text of the section marked `stored`, the data in the browser the one marked
/// `kept`; both come from `terms/stored.json`.
struct TermsText {
  private let terms: JSONValue
  private let stored: StoredText?
  private let values: [(gap: String, value: String)]

  /// - Returns: nil if the file is missing or is not JSON.
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

  /// Headings, paragraphs and lists, below the page's heading.
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

  /// Fills placeholders in one pass from the left, so that values are not searched for placeholders.
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
