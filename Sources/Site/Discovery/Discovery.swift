package import Devices
package import Operators
package import Reference
package import Service
package import WebServer

/// Addresses that search engines, browsers and other programs look for: `robots.txt`, the site map, the
/// description of the search, and `llms.txt`.
package struct Discovery {
  private let robots: RobotsText
  private let siteMap: SiteMap
  private let search: OpenSearchDescription
  private let introduction: LanguageModelText

  /// `categories` are the codes of categories, each of which has a page. `places` is nil if set-up has not
  /// made the gazetteer.
  package init(
    name: String, store: DeviceStore, addresses: Addresses, versions: AnswerVersions,
    categories: [String], places: PlaceStore?, operators: NamedOperators
  ) {
    robots = RobotsText(addresses: addresses)
    siteMap = SiteMap(
      store: store, addresses: addresses, versions: versions,
      places: SiteMapPlaces(places: places, store: store, versions: versions),
      operators: operators,
      pages: [
        "/", "/about", "/statistics", "/outcomes", "/operators", "/routes", "/diary", "/visits",
        "/walk", "/mapping-days", "/terms",
      ]
        + [LearnAddress.introduction, LearnAddress.glossary, LearnAddress.help]
        + categories.map(LearnAddress.category))
    search = OpenSearchDescription(name: name, addresses: addresses)
    introduction = LanguageModelText(name: name, addresses: addresses)
  }

  package func add(to router: inout Router) {
    robots.add(to: &router)
    siteMap.add(to: &router)
    search.add(to: &router)
    introduction.add(to: &router)
  }
}
