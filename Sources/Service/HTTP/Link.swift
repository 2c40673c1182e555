package import JSON
package import WebServer

/// A typed link, as in every response of the API (RFC 8288; OGC 17-069r4 §7.4).
package struct Link: Sendable {
  package let href: String
  package let rel: String
  package let type: String
  package let title: String
  /// Whether `href` is a URI template (RFC 6570).
  package let isTemplate: Bool
  /// For a POST: the members to add to the body of the request that the response answers.
  package let body: JSONObject?

  package init(
    _ rel: String, _ href: String, type: String, title: String, isTemplate: Bool = false,
    posting body: JSONObject? = nil
  ) {
    self.body = body
    self.href = href
    self.rel = rel
    self.type = type
    self.title = title
    self.isTemplate = isTemplate
  }

  package static let shape = JSONShape<Link>(
    "link", .text("href", \.href), .text("rel", \.rel), .text("type", \.type),
    .text("title", \.title), .flag("templated") { $0.isTemplate ? true : nil }.optional,
    // As in STAC API: the same body again, with these members.
    .text("method") { $0.body == nil ? nil : "POST" }.optional,
    .object("body") { $0.body }.optional, .flag("merge") { $0.body == nil ? nil : true }.optional)

  /// The value of a `Link` header. Nil for a very long one, and for a link of another method.
  package var headerField: String? {
    let value = "<\(href)>; rel=\"\(rel)\"; type=\"\(type)\""
    return body == nil && value.utf8.count <= Self.maxHeaderLength ? value : nil
  }

  /// The length of a `Link` header, in bytes, up to which it is sent. The address of a long filter
  /// would exceed the memory for the head of the response, and the limits of proxies.
  private static let maxHeaderLength = 4_096

  /// Adds the links as `Link` headers, except very long links and links of another method. The body of the response has
  /// all of them.
  package static func add(_ links: [Link], to response: inout Response) {
    for value in links.lazy.compactMap(\.headerField) { response.headers.add("Link", value) }
  }
}

extension JSONWriter {
  /// The member `links`.
  package mutating func links(_ links: [Link]) {
    key("links")
    beginArray()
    for link in links { Link.shape.write(link, to: &self) }
    endArray()
  }
}
