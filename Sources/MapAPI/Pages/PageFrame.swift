import WebServer

/// The parts shared by all pages: template, texts, links to the other languages.
struct PageFrame: Sendable {
  let files: StaticFiles
  let catalogue: Catalogue
  let settings: InstanceSettings
  let addresses: Addresses

  /// - Throws: ``MissingPage``.
  func template(_ file: String) throws -> PageTemplate {
    guard let source = PageSource(files: files).page(file) else { throw MissingPage(file: file) }
    return PageTemplate(
      source, fixed: ["assets": files.root, "name": HTML(text: settings.name).source]
    ) { key, language in text(key, language) }
  }

  func answer(
    _ template: PageTemplate, _ values: [String: HTML], _ language: String, _ status: Status
  ) -> Response {
    let page = template.filled(values.merging(["lang": "\(language)"]) { given, _ in given })
    var response = Response.html(page, status: status)
    response.headers.add("Content-Language", language)
    return response
  }

  func text(_ key: String, _ language: String) -> String {
    catalogue.text(Message(key, ["name": settings.name]), in: language)
  }

  /// For search engines: the address of a page in its language, and in the others.
  func links(_ path: String, _ language: String) -> HTML {
    let page = addresses.url(path)
    let others = catalogue.languages.map { other in
      "\n<link rel=\"alternate\" hreflang=\"\(other)\" href=\"\(page)?lang=\(other)\">" as HTML
    }
    return """
      <link rel="canonical" href="\(page)?lang=\(language)">\(HTML(joining: others))
      <link rel="alternate" hreflang="x-default" href="\(page)">
      """
  }
}

/// A file of the web front that is missing.
struct MissingPage: Error, CustomStringConvertible {
  let file: String
  var description: String { "public/\(file) is missing" }
}
