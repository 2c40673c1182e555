package import WebServer

/// The parts shared by all pages: template, texts, links to the other languages.
package struct PageFrame: Sendable {
  package let sources: PageSources
  package let catalogue: Catalogue
  package let settings: InstanceSettings
  package let addresses: Addresses

  package init(
    sources: PageSources, catalogue: Catalogue, settings: InstanceSettings, addresses: Addresses
  ) {
    self.sources = sources
    self.catalogue = catalogue
    self.settings = settings
    self.addresses = addresses
  }

  /// - Throws: ``MissingPage``.
  package func template(_ file: String) throws -> PageTemplate {
    guard let source = sources.pieces(of: file) else { throw MissingPage(file: file) }
    return PageTemplate(
      source,
      fixed: [
        "assets": sources.files.root, "release": sources.files.release,
        "name": HTML(text: settings.name).source,
      ]
    ) { key, language in text(key, language) }
  }

  package func answer(
    _ template: PageTemplate, _ values: [String: HTML], _ language: String, _ status: Status
  ) -> Response {
    let page = template.filled(values.merging(["lang": "\(language)"]) { given, _ in given })
    return Response.html(page, status: status).with("Content-Language", language)
  }

  /// The sentence of a key. `{name}` is the name of the instance, unless `values` has another.
  package func text(
    _ key: String, _ language: String, _ values: [String: String] = [:]
  ) -> String {
    let all = ["name": settings.name].merging(values) { _, given in given }
    return catalogue.text(Message(key, all), in: language)
  }

  /// For search engines: the address of a page in its language, and in the others.
  package func links(_ path: String, _ language: String) -> HTML {
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
