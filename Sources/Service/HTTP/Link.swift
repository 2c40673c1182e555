import JSON

/// A typed link, as in every response of the API (RFC 8288; OGC 17-069r4 §7.4).
package struct Link: Sendable {
  package let href: String
  package let rel: String
  package let type: String
  package let title: String
  /// Whether `href` is a URI template (RFC 6570).
  package let isTemplate: Bool

  package init(
    _ rel: String, _ href: String, type: String, title: String, isTemplate: Bool = false
  ) {
    self.href = href
    self.rel = rel
    self.type = type
    self.title = title
    self.isTemplate = isTemplate
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("href", href)
    json.member("rel", rel)
    json.member("type", type)
    json.member("title", title)
    if isTemplate {
      json.key("templated")
      json.bool(true)
    }
    json.endObject()
  }

  /// The value of a `Link` header.
  package var headerValue: String { "<\(href)>; rel=\"\(rel)\"; type=\"\(type)\"" }
}

extension JSONWriter {
  /// The member `links`.
  package mutating func links(_ links: [Link]) {
    key("links")
    beginArray()
    for link in links { link.write(to: &self) }
    endArray()
  }
}
