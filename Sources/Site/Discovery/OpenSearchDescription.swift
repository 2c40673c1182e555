import Service
import WebServer

/// `/opensearch.xml`: lets a browser search this map from its address bar (OpenSearch 1.1).
struct OpenSearchDescription {
  /// The name of the instance.
  let name: String
  let addresses: Addresses

  static let path = "/opensearch.xml"
  /// The longest permitted `ShortName`, in characters.
  private static let maxNameLength = 16

  func add(to router: inout Router) {
    router.get(Self.path) { _ in
      return Response(
        headers: ["Content-Type": "application/opensearchdescription+xml"],
        body: .bytes(text.bytes)
      )
      .with("Cache-Control", "public, max-age=86400")
    }
  }

  private var text: XMLText {
    var xml = XMLText()
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSearchDescription")
    xml.attribute("xmlns", "http://a9.com/-/spec/opensearch/1.1/")
    xml.raw(">\n")
    xml.element("ShortName", String(name.prefix(Self.maxNameLength)))
    xml.element("Description", "Devices on the map of \(name)")
    xml.element("InputEncoding", "UTF-8")
    xml.element("Image", addresses.url("/favicon.svg"))
    search("text/html", in: "/", &xml)
    search("application/geo+json", in: "/api/collections/devices/items", &xml)
    xml.raw("</OpenSearchDescription>\n")
    return xml
  }

  private func search(_ mediaType: String, in path: String, _ xml: inout XMLText) {
    xml.raw("<Url")
    xml.attribute("type", mediaType)
    xml.attribute("template", addresses.url(path) + "?q={searchTerms}")
    xml.raw("/>\n")
  }
}
