import Foundation
import JSON
import WebServer

/// One JSON response, formatted as a web page.
struct ResourcePage {
  let value: JSONValue
  let path: String
  let query: Query
  let labels: any Labels
  let words: (_ key: String) -> String

  var title: String {
    if let title = value["title"]?.stringValue { return title }
    if isFeature { return featureTitle }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    if name == "items", !FeatureTable.isOfDevices(path) { return words("resource.features") }
    return ["items", "collections", "conformance", "tiles"].contains(name)
      ? words("resource.\(name)") : name
  }

  var lead: String { value["description"]?.stringValue ?? "" }

  var content: HTML {
    let text: HTML = lead.isEmpty ? "" : "<p class=\"lead\">\(lead)</p>"
    return """
      <nav class="learn-way"><a href="/api?f=html">\(words("docs.title"))</a></nav>
      <h1>\(title)</h1>\(text)\(main)\(links)
      """
  }

  private var featureTitle: String {
    if let name = value["properties"]?["name"]?.stringValue, !name.isEmpty { return name }
    return FeatureTable.isOfDevices(path)
      ? words("resource.device") : value["id"]?.stringValue ?? words("resource.feature")
  }

  private var isFeature: Bool { value["type"]?.stringValue == "Feature" }

  private var main: HTML {
    if let features = value["features"]?.arrayValue { return list(features) }
    if isFeature { return feature }
    if let collections = value["collections"]?.arrayValue {
      return HTML(joining: collections.map(collection))
    }
    return members(of: value, without: ["title", "description", "links"], depth: 0)
  }

  // Features

  private func list(_ features: [JSONValue]) -> HTML {
    let table = FeatureTable(features: features, path: path, labels: labels, words: words)
    return "\(count)\(table.content)\(pages)"
  }

  private var count: HTML {
    let matched = value["numberMatched"]?.intValue ?? 0
    let returned = value["numberReturned"]?.intValue ?? 0
    let text = words("resource.count")
      .replacing("{matched}", with: "\(matched)").replacing("{returned}", with: "\(returned)")
    return "<p>\(text)</p>"
  }

  private var pages: HTML {
    var parts: [HTML] = []
    let first = words("resource.first")
    if query["cursor"] != nil {
      parts.append(
        "<a class=\"button\" href=\"\(address(without: ["cursor"], "html"))\">\(first)</a>")
    }
    if let next = relation("next")?["href"]?.stringValue {
      parts.append(
        "<a class=\"button\" rel=\"next\" href=\"\(next)&f=html\">\(words("resource.next"))</a>")
    }
    return "<nav class=\"resource-pages\">\(HTML(joining: parts))</nav>"
  }

  /// This address in another format, with the same query except for some parameters.
  private func address(without less: Set<String>, _ format: String) -> String {
    let pairs = query.pairs.filter { !less.contains($0.name) }.map { ($0.name, $0.value) }
    return Addresses(base: "").url(path, Query(pairs), setting: ("f", format))
  }

  private var feature: HTML {
    let id = value["id"]?.stringValue ?? ""
    let properties = value["properties"] ?? .null
    let page: HTML =
      FeatureTable.isOfDevices(path)
      ? "<p><a class=\"button\" href=\"/devices/\(id)\">\(words("resource.page"))</a></p>" : ""
    return "\(page)\(place)\(members(of: properties, without: [], depth: 0))"
  }

  /// The place of a feature: its position, or the type of its geometry; a dash for no place.
  private var place: HTML {
    let geometry = value["geometry"]
    let position = geometry?["coordinates"]?.arrayValue?.compactMap(\.numberValue) ?? []
    let isPoint = position.count == 2
    let label = words(isPoint ? "resource.position" : "resource.shape")
    let text =
      isPoint
      ? position.map { "\($0)" }.joined(separator: ", ") : geometry?["type"]?.stringValue ?? "–"
    return "<dl class=\"docs-list\"><div><dt>\(label)</dt><dd>\(text)</dd></div></dl>"
  }

  // Other resources

  private func collection(_ value: JSONValue) -> HTML {
    let id = value["id"]?.stringValue ?? ""
    let items = words(id == "devices" ? "resource.items" : "resource.features")
    return """
      <section><h2><a href="/api/collections/\(id)?f=html">\(value["title"]?.stringValue ?? id)</a>\
      </h2><p>\(value["description"]?.stringValue ?? "")</p>
      <p><a class="button" href="/api/collections/\(id)/items?f=html">\(items)</a>\
      </p></section>
      """
  }

  /// The members of an object; levels below the third are left to the JSON.
  private func members(of value: JSONValue, without left: Set<String>, depth: Int) -> HTML {
    let members = (value.objectValue?.members ?? []).filter { !left.contains($0.key) }
    guard !members.isEmpty else { return "" }
    let rows = members.map { member in
      """
      <div><dt><code>\(member.key)</code></dt>\
      <dd>\(shown(member.value, depth: depth + 1))</dd></div>
      """ as HTML
    }
    return "<dl class=\"docs-list\">\(HTML(joining: rows))</dl>"
  }

  private func shown(_ value: JSONValue, depth: Int) -> HTML {
    if let text = value.stringValue { return linked(text) }
    if let scalar = value.scalarText { return "\(scalar)" }
    guard depth < 4 else { return "…" }
    if let items = value.arrayValue {
      guard !items.isEmpty else { return "–" }
      if items.allSatisfy({ $0.numberValue != nil }) {
        return "\(items.compactMap(\.numberValue).map { "\($0)" }.joined(separator: ", "))"
      }
      let list = items.map { "<li>\(shown($0, depth: depth + 1))</li>" as HTML }
      return "<ul>\(HTML(joining: list))</ul>"
    }
    return value.objectValue == nil ? "–" : members(of: value, without: [], depth: depth)
  }

  /// A text; a web address becomes a link.
  private func linked(_ text: String) -> HTML {
    guard text.hasPrefix("https://") || text.hasPrefix("http://"),
      !text.contains(where: { $0.isWhitespace || $0 == "{" })
    else { return "\(text)" }
    return "<a href=\"\(text)\" rel=\"noopener noreferrer\">\(text)</a>"
  }

  // Links

  private func relation(_ name: String) -> JSONValue? {
    value["links"]?.arrayValue?.first { $0["rel"]?.stringValue == name }
  }

  private var links: HTML {
    let items = (value["links"]?.arrayValue ?? []).compactMap { link -> HTML? in
      guard let href = link["href"]?.stringValue, link["templated"]?.boolValue != true else {
        return nil
      }
      let title = link["title"]?.stringValue ?? href
      let type = link["type"]?.stringValue ?? ""
      return """
        <li><a href="\(href)">\(title)</a> <span class="docs-kind">\(type)</span></li>
        """
    }
    return """
      <section><h2>\(words("resource.links"))</h2><ul class="points" lang="en">
      <li><a href="\(address(without: [], "json"))">This as JSON</a></li>\(HTML(joining: items))</ul></section>
      """
  }
}
