import Service

/// The markup of `seed/learn`: CommonMark in one line. `[words](glossary:code)` links to a glossary term,
/// `[words](categories:code)` to the page of a category, `[words](/path)` to a page of this site; no
/// other link remains.
enum LearnMarkup {
  static func html(_ text: String) -> HTML { Markdown.inline(text, link: opening(of:)) }

  private static func opening(of target: String) -> HTML? {
    // Browsers read a backslash as a slash, and two slashes as the start of another site.
    if target.hasPrefix("//") || target.hasPrefix("/\\") { return nil }
    if target.hasPrefix("/") { return "<a href=\"\(target)\">" }
    let parts = target.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.last) {
    case ("glossary", let code?):
      return "<a href=\"\(LearnAddress.term(code))\" data-term=\"\(code)\">"
    case ("categories", let code?): return "<a href=\"\(LearnAddress.category(code))\">"
    default: return nil
    }
  }
}

/// The addresses of the learning pages.
enum LearnAddress {
  static let introduction = "/learn"
  static let glossary = "/learn/glossary"
  static let help = "/help"

  static func category(_ code: String) -> String { "/learn/\(code)" }
  static func term(_ code: String) -> String { "\(glossary)#term-\(code)" }
}
