private import CLibXML2
import JSON

/// Text with the markup of HTML, which viewers of maps put into descriptions.
struct HTMLText {
  /// The text as a person reads it.
  private var text = ""
  /// The rows of tables with two cells.
  private var facts: [(name: String, value: String)] = []
  /// Whether this is the text of one cell, and whether a table is inside it.
  private var (isCell, hasTable) = (false, false)

  /// Bytes of the longest text that is read.
  private static let maxLength = 256 << 10
  private static let maxDepth = 60
  private static let maxFacts = 60
  private static let columns = [
    "description", "Description", "popupinfo", "PopupInfo", "POPUPINFO",
  ]
  private static let elements: Set<String> = [
    "a", "b", "body", "br", "center", "div", "em", "font", "h1", "h2", "h3", "h4", "hr", "html",
    "i", "iframe", "img",
    "li", "ol", "p", "span", "strong", "table", "td", "tr", "u", "ul",
  ]
  /// Elements that begin a line of their own.
  private static let lines: Set<String> = [
    "br", "div", "h1", "h2", "h3", "h4", "hr", "li", "ol", "p", "table", "tr", "ul",
  ]
  private static let silent: Set<String> = ["script", "style", "head", "iframe", "title"]

  /// The text without markup, in lines; nil for a text that is not HTML.
  static func plain(_ text: String) -> String? {
    guard isOne(text) || hasEntity(text) else { return nil }
    return HTMLText(text)?.text
  }

  private static let entities = [
    "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&nbsp;", "&#",
  ]

  /// Whether a text without tags has characters as HTML writes them, such as `Stadt &amp; Land`.
  private static func hasEntity(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "&")), text.utf8.count <= maxLength,
      text.utf8.contains(UInt8(ascii: ";")), !text.utf8.contains(UInt8(ascii: "<"))
    else { return false }
    return entities.contains(where: text.contains)
      || text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().contains { part in
        let name = part.prefix { $0.isASCII && $0.isLetter }
        return part[name.endIndex...].first == ";" && accents.contains(where: name.hasSuffix)
          && (4...7).contains(name.count)
      }
  }

  /// The ends of the names of letters with accents: `&eacute;`, `&Uuml;`.
  private static let accents = ["acute", "grave", "circ", "uml", "tilde", "cedil", "slash", "ring"]

  /// Adds the facts of a table in the description as columns, unless the row has these columns already.
  static func addTable(to columns: inout JSONObject) {
    for name in Self.columns {
      guard let text = columns[name]?.stringValue, text.contains("<td") || text.contains("<TD"),
        isOne(text), let read = HTMLText(text)
      else { continue }
      for fact in read.facts where columns[fact.name] == nil {
        columns.members.append((fact.name, .string(fact.value)))
      }
      return
    }
  }

  /// Whether a text contains a tag that descriptions use. “a < b” does not.
  private static func isOne(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "<")), text.utf8.count <= maxLength else { return false }
    var rest = text[...]
    while let start = rest.firstIndex(of: "<") {
      rest = rest[rest.index(after: start)...]
      if rest.first == "/" { rest = rest.dropFirst() }
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      let next = rest[name.endIndex...].first
      if elements.contains(name.lowercased()), let next,
        next == ">" || next == "/" || next.isWhitespace
      {
        return true
      }
    }
    return false
  }

  private init?(_ html: String) {
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue
      | HTML_PARSE_NOWARNING.rawValue | HTML_PARSE_NONET.rawValue
    var bytes = html
    let document = bytes.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        htmlReadMemory($0.baseAddress, Int32($0.count), nil, "UTF-8", Int32(options))
      }
    }
    guard let document else { return nil }
    defer { xmlFreeDoc(document) }
    if let root = xmlDocGetRootElement(document) { add(root, depth: 0) }
    let lines = text.split(separator: "\n").map { line in
      line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private mutating func add(_ first: xmlNodePtr, depth: Int) {
    guard depth < Self.maxDepth else { return }
    var next: xmlNodePtr? = first
    while let node = next {
      next = node.pointee.next
      if node.pointee.type == XML_TEXT_NODE {
        // Line breaks of the source are blanks.
        text += Self.string(node.pointee.content).split(
          omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).joined(separator: " ")
        continue
      }
      guard node.pointee.type == XML_ELEMENT_NODE else { continue }
      let name = Self.string(node.pointee.name).lowercased()
      if Self.silent.contains(name) { continue }
      if name == "tr", isCell { hasTable = true }
      if name == "tr", !isCell { addFact(node) }
      if Self.lines.contains(name) { text += "\n" }
      if name == "td" || name == "th" { text += " " }
      if let children = node.pointee.children { add(children, depth: depth + 1) }
      if Self.lines.contains(name), name != "br" { text += "\n" }
    }
  }

  /// Takes a row of two cells: a name and a value.
  private mutating func addFact(_ row: xmlNodePtr) {
    var cells: [String] = []
    var next = row.pointee.children
    while let cell = next {
      next = cell.pointee.next
      let name = Self.string(cell.pointee.name).lowercased()
      guard cell.pointee.type == XML_ELEMENT_NODE, name == "td" || name == "th" else { continue }
      // A table inside a cell is layout; its rows come later.
      var inner = HTMLText()
      if let children = cell.pointee.children { inner.add(children, depth: 0) }
      guard !inner.hasTable else { return }
      cells.append(
        inner.text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    guard cells.count == 2, facts.count < Self.maxFacts, !cells[0].isEmpty,
      cells[0].utf8.count <= 100, !facts.contains(where: { $0.name == cells[0] })
    else { return }
    facts.append((cells[0], cells[1]))
  }

  /// An empty cell.
  private init() { isCell = true }

  private static func string(_ text: UnsafePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }

  private static func string(_ text: UnsafeMutablePointer<xmlChar>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}
