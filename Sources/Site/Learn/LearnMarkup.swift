import Service

/// The markup of `seed/learn`: `[words](glossary:code)` links to a glossary term,
/// `[words](categories:code)` to the page of a category, `[words](/path)` to a page of this site;
/// `*words*` is emphasised. Everything outside these forms is plain text.
enum LearnMarkup {
  static func html(_ text: String) -> HTML {
    var html: HTML = ""
    var rest = Substring(text)
    while let place = rest.firstIndex(where: { $0 == "[" || $0 == "*" }) {
      html = "\(html)\(String(rest[..<place]))"
      rest = rest[place...]
      if let (marked, after) = link(rest) ?? emphasis(rest) {
        html = "\(html)\(marked)"
        rest = after
      } else {
        html = "\(html)\(String(rest.removeFirst()))"
      }
    }
    return "\(html)\(String(rest))"
  }

  private static func link(_ text: Substring) -> (HTML, Substring)? {
    guard text.first == "[", let middle = text.firstRange(of: "]("),
      let end = text[middle.upperBound...].firstIndex(of: ")")
    else { return nil }
    let words = String(text[..<middle.lowerBound].dropFirst())
    let target = text[middle.upperBound..<end]
    return (anchor(words, target), text[text.index(after: end)...])
  }

  private static func anchor(_ words: String, _ target: Substring) -> HTML {
    if target.hasPrefix("/"), !target.hasPrefix("//") {
      return "<a href=\"\(String(target))\">\(words)</a>"
    }
    let parts = target.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.last) {
    case ("glossary", let code?):
      return "<a href=\"\(LearnAddress.term(code))\" data-term=\"\(code)\">\(words)</a>"
    case ("categories", let code?): return "<a href=\"\(LearnAddress.category(code))\">\(words)</a>"
    default: return "\(words)"
    }
  }

  private static func emphasis(_ text: Substring) -> (HTML, Substring)? {
    let inside = text.dropFirst()
    guard text.first == "*", let end = inside.firstIndex(of: "*") else { return nil }
    return ("<em>\(String(inside[..<end]))</em>", inside[inside.index(after: end)...])
  }
}

/// The addresses of the learning pages.
enum LearnAddress {
  static let introduction = "/learn"
  static let glossary = "/learn/glossary"

  static func category(_ code: String) -> String { "/learn/\(code)" }
  static func term(_ code: String) -> String { "\(glossary)#term-\(code)" }
}
