package import Devices
import Locking
import PrivacyMap
package import Reading
package import Reference
package import Service
import SpatialDatabase
package import WebServer

/// `/places/{id}`: the page of a country, region, town or district. The server writes its figures for readers without
/// scripts and for search engines; scripts then draw them.
package struct PlacePages: Sendable {
  private let frame: PageFrame
  private let store: DeviceStore
  private let statistics: StatisticsRoutes
  private let places: PlaceStore?

  /// Groups of each list.
  private static let maxGroups = 10

  package init(
    frame: PageFrame, store: DeviceStore, statistics: StatisticsRoutes, places: PlaceStore?
  ) {
    self.frame = frame
    self.store = store
    self.statistics = statistics
    self.places = places
  }

  package func add(to router: inout Router) throws {
    let template = try frame.template("place.html")
    router.get("/places/{id}") { request in
      // The figures need reads of the database. A request without a known version would be answered twice.
      if request.headers["If-None-Match"] == nil { try SocketThread.leave() }
      let language = frame.catalogue.language(of: request)
      let find = { try place(request.parameter("id"), language) }
      return try statistics.versions.answer(request, where: { try find() != nil }) {
        guard let place = try find(), let id = place.id else {
          let why = frame.text("error.not_found.place", language)
          return frame.answer(
            template,
            [
              "title": "\(why) – \(frame.settings.name)", "description": HTML(text: why),
              "content": "<h1>\(why)</h1>",
            ], language, .notFound)
        }
        return try page(template, place, id, language)
      }
    }
  }

  private func place(_ text: String, _ language: String) throws -> PlaceStore.Place? {
    guard let id = Int64(text), "\(id)" == text else { return nil }
    return try places?.place(id: id, language: language)
  }

  private func page(
    _ template: PageTemplate, _ place: PlaceStore.Place, _ id: Int64, _ language: String
  ) throws -> Response {
    let kinds = try answer([("group_by", "category")], id, language)
    let operators = try answer([("group_by", "operator")], id, language)
    let name =
      place.hasBorder ? place.name : text("page.card.around", language, ["place": place.name])
    let count = text(
      kinds.total == 1 ? "page.card.devices.one" : "page.card.devices.other", language,
      ["count": "\(kinds.total)"])
    let description = text("page.place.description", language, ["place": name, "count": count])
    let title = text("page.card.place", language, ["place": place.name])
    let path = "/places/\(id)"
    let share = ShareTags(
      title: "\(title) – \(frame.settings.name)", description: description,
      url: frame.addresses.url(path),
      picture: .init(
        url: frame.addresses.url(ShareTags.placePicture(id), Query(), setting: ("lang", language)),
        words: title),
      site: frame.settings.name, language: language)
    let around = [place.region, place.countryName].compactMap { $0 }.filter { $0 != place.name }
    let labels = try store.database.read { connection in
      try Dictionary(
        kinds.largestGroups.compactMap { $0.key }.map { code in
          (
            code,
            try TaxonomyStore().words("categories", code, in: language, connection)?.label ?? code
          )
        }
      ) { first, _ in first }
    }
    let unknown = text("page.place.unknown", language)
    let content: HTML = """
      <h1>\(name)</h1><p>\(around.joined(separator: ", "))</p><p>\(description)</p>
      <h2>\(text("page.place.kinds", language))</h2>
      \(list(kinds.largestGroups) { $0.flatMap { labels[$0] } ?? unknown })
      <h2>\(text("page.place.operators", language))</h2>
      \(list(operators.largestGroups) { $0 ?? unknown })
      """
    return frame.answer(
      template,
      [
        "title": "\(title) – \(frame.settings.name)", "description": HTML(text: description),
        "content": content, "links": frame.links(path, language), "share": share.html,
      ], language, .ok)
  }

  private func list(
    _ groups: [(key: String?, count: Int)], _ label: (String?) -> String
  ) -> HTML {
    let items = groups.map { "<li>\(label($0.key)): \("\($0.count)")</li>" as HTML }
    return "<ul>\(HTML(joining: items))</ul>"
  }

  private func answer(
    _ query: [(String, String)], _ id: Int64, _ language: String
  ) throws -> StatisticsAnswer {
    let today = store.environment.now().day
    let whole = Query(query + [("place", "\(id)"), ("limit", "\(Self.maxGroups)")])
    return try statistics.store.answer(
      statistics.parameters.question(whole, today: today, language: language), today: today)
  }

  private func text(
    _ key: String, _ language: String, _ values: [String: String] = [:]
  ) -> String { frame.text(key, language, values) }
}
