import Service
import WebServer

/// `/robots.txt` (RFC 9309): the addresses that search engines should leave out, and the site map.
///
/// Pages of one person and forms have nothing to find. Data of the API, tiles and exports would cost both
/// sides much; the catalogue describes them.
struct RobotsText {
  let addresses: Addresses

  static let path = "/robots.txt"

  /// The longest matching path decides. Previews of links are pictures below `/api/cards`.
  private static let allowed = ["/api/cards/", "/api/catalogue", "/api/docs"]
  private static let disallowed = [
    "/account", "/admin", "/api/", "/basemap/", "/choices", "/confirm", "/data-requests",
    "/devices/*/edit", "/devices/*/history", "/devices/*/statement", "/embed", "/moderation",
    "/operator$", "/operator/", "/operators/register", "/people/", "/recover", "/reply",
    "/report", "/reset", "/sign-in", "/sign-up", "/street-graphs/", "/streets/",
  ]

  func add(to router: inout Router) {
    router.get(Self.path) { _ in
      return Response.text(text).with("Cache-Control", "public, max-age=86400")
    }
  }

  private var text: String {
    let lines =
      ["User-agent: *"] + Self.allowed.map { "Allow: \($0)" }
      + Self.disallowed.map { "Disallow: \($0)" }
      + ["", "Sitemap: \(addresses.url(SiteMap.path))"]
    return lines.map { $0 + "\n" }.joined()
  }
}
