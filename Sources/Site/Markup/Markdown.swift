internal import CCMark
internal import Glibc
import Service

/// CommonMark in one line, such as a sentence with emphasis and `code`, as HTML.
///
/// cmark leaves raw HTML out. Images become their descriptions.
enum Markdown {
  /// - Parameters:
  ///   - text: a sentence or paragraph; its line breaks become spaces.
  ///   - link: the opening tag for the target of a link; nil leaves only the words of the link.
  /// - Returns: HTML without a block around it; empty if there is no memory for it.
  static func inline(_ text: String, link: (_ target: String) -> HTML? = { _ in nil }) -> HTML {
    // As a heading, so that no text begins a list or another block.
    let line = "# " + text.split(whereSeparator: \.isNewline).joined(separator: " ") + " #"
    guard let document = cmark_parse_document(line, line.utf8.count, CMARK_OPT_DEFAULT) else {
      return ""
    }
    defer { cmark_node_free(document) }
    replaceLinks(in: document, link)
    guard let html = cmark_render_html(document, CMARK_OPT_DEFAULT) else { return "" }
    defer { free(html) }
    let inside = String(cString: html).dropFirst("<h1>".count).dropLast("</h1>\n".count)
    return HTML(stringLiteral: String(inside))
  }

  private static func replaceLinks(in document: OpaquePointer, _ link: (String) -> HTML?) {
    let events = cmark_iter_new(document)
    defer { cmark_iter_free(events) }
    while case let event = cmark_iter_next(events), event != CMARK_EVENT_DONE {
      // Only a node that the iterator has left may be removed.
      guard event == CMARK_EVENT_EXIT, let node = cmark_iter_get_node(events) else { continue }
      switch cmark_node_get_type(node) {
      case CMARK_NODE_LINK:
        replace(node, opening: link(String(cString: cmark_node_get_url(node)))?.source)
      case CMARK_NODE_IMAGE: replace(node, opening: nil)
      default: break
      }
    }
  }

  /// Replaces a link by its words between `opening` and `</a>`, or by its words alone.
  private static func replace(_ link: OpaquePointer, opening: String?) {
    let words = cmark_node_new(CMARK_NODE_CUSTOM_INLINE)
    cmark_node_set_on_enter(words, opening ?? "")
    cmark_node_set_on_exit(words, opening == nil ? "" : "</a>")
    while let word = cmark_node_first_child(link) { cmark_node_append_child(words, word) }
    cmark_node_replace(link, words)
    cmark_node_free(link)
  }
}
