import WebServer

/// The interface as a page for people, made from the same endpoints as the OpenAPI document.
struct DocumentationPage {
  let title: String
  let server: String

  /// A page without script or style of its own, so that it reads anywhere.
  func bytes(of endpoints: [Endpoint]) -> [UInt8] {
    var seen: Set<String> = []
    let tags = endpoints.map(\.tag).filter { seen.insert($0).inserted }
    let sections = tags.map { tag in section(tag, endpoints.filter { $0.tag == tag }) }
    let page: HTML = """
      <!doctype html>
      <html lang="en">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <meta name="color-scheme" content="light dark"><title>\(title): the interface</title></head>
      <body>
      <main>
      <h1>\(title): the interface</h1>
      <p>This page is made from the same declarations as <a href="/api/openapi.json">the OpenAPI \
      document</a>. Answers are JSON in UTF-8; positions are longitude, latitude; times are RFC 3339 \
      in UTC. Errors are RFC 9457 problems that name each field.</p>
      <p>Try: <code>curl '\(server)/api/collections/devices/items?limit=2'</code></p>
      \(HTML(joining: sections))
      </main>
      </body>
      </html>
      """
    return Array(page.source.utf8)
  }

  private func section(_ tag: String, _ endpoints: [Endpoint]) -> HTML {
    let operations = endpoints.map { endpoint -> HTML in
      let rows = endpoint.parameters.map { parameter -> HTML in
        "<dt><code>\(parameter.name)</code> (\(parameter.location.rawValue))</dt>"
          + "<dd>\(parameter.description)</dd>"
      }
      let list: HTML = rows.isEmpty ? "" : "<dl>\(HTML(joining: rows))</dl>"
      return """
        <h3><code>\(endpoint.method.rawValue) \(endpoint.path)</code></h3>
        <p>\(endpoint.summary)</p>\(list)
        """
    }
    return "<h2>\(tag)</h2>\(HTML(joining: operations))"
  }
}

extension HTML {
  static func + (left: HTML, right: HTML) -> HTML { HTML(joining: [left, right]) }
}
