import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// `/api/feeds/mapping-days.{atom|json}`: the upcoming and running mapping days.
struct DayFeedRoutes: Sendable {
  let feature: MappingDays

  /// The maximum number of entries.
  private static let maximum = 50

  var endpoints: [Endpoint] {
    [
      endpoint("getMappingDaysAtom", "atom", "application/atom+xml", "an Atom feed"),
      endpoint("getMappingDaysJSONFeed", "json", "application/feed+json", "a JSON Feed"),
    ]
  }

  private func endpoint(_ id: String, _ format: String, _ type: String, _ name: String) -> Endpoint
  {
    Endpoint(
      id, "/api/feeds/mapping-days.\(format)", tag: MappingDays.tag,
      summary: "Mapping days that run or come next, as \(name).",
      parameters: [.language(feature.catalogue.languages)],
      answers: [
        .ok("At most 50 entries.", type, schema: format == "json" ? "feed" : nil)
      ]
    ) { try feed($0, format, type) }
  }

  private func feed(_ request: Request, _ format: String, _ type: String) throws -> Response {
    try feature.catalogue.checkLanguage(request)
    let language = feature.catalogue.language(of: request)
    let days = try feature.database.read { connection in
      try feature.days.all(in: .running, after: nil, limit: Self.maximum, connection)
        + feature.days.all(in: .approved, after: nil, limit: Self.maximum, connection)
    }
    let latest = Array(
      days.sorted { ($0.changedAt, $0.rowid) > ($1.changedAt, $1.rowid) }.prefix(Self.maximum))
    let title = feature.catalogue.text(
      Message("mail.mapping_day.feed", ["name": feature.name]), in: language)
    let body =
      format == "atom"
      ? atom(latest, title, language, request.path) : json(latest, title, language, request.path)
    var response = Response.bytes(
      body, contentType: format == "atom" ? "\(type); charset=utf-8" : type)
    response.etag = EntityTag(hashing: body)
    response.headers.add("Content-Language", language)
    response.headers.merge("Vary", "Accept-Language")
    return response
  }

  /// RFC 4287.
  private func atom(
    _ days: [MappingDay], _ title: String, _ language: String, _ path: String
  ) -> [UInt8] {
    let this = feature.addresses.url(path)
    var xml = XMLText(capacity: 1_024 + 800 * days.count)
    xml.beginFeed(
      id: this, title: title, language: language,
      updatedAt: days.first?.changedAt ?? feature.environment.now().text, author: feature.name)
    xml.link("self", this, "application/atom+xml")
    xml.link("alternate", feature.addresses.url("/mapping-days"), "text/html")
    for day in days {
      xml.raw("<entry>\n")
      xml.element("id", "urn:uuid:\(day.id)")
      xml.element("title", Self.title(day))
      xml.element("published", day.createdAt)
      xml.element("updated", day.changedAt)
      xml.element("summary", day.plan.purpose)
      xml.link("alternate", feature.addresses.url(day.path), "text/html")
      xml.raw("</entry>\n")
    }
    xml.raw("</feed>\n")
    return xml.bytes
  }

  /// The day before the title, because readers of feeds show the time of the entry instead.
  private static func title(_ day: MappingDay) -> String {
    let local = DayTimes.local(day.plan.start, day.plan.zone).replacing("T", with: " ")
    return "\(local) · \(day.plan.title)"
  }

  /// JSON Feed 1.1.
  private func json(
    _ days: [MappingDay], _ title: String, _ language: String, _ path: String
  ) -> [UInt8] {
    let items = days.map { day -> JSONValue in
      [
        "id": .string("urn:uuid:\(day.id)"), "url": .string(feature.addresses.url(day.path)),
        "title": .string(Self.title(day)), "content_text": .string(day.plan.purpose),
        "date_published": .string(day.createdAt), "date_modified": .string(day.changedAt),
      ]
    }
    let feed: JSONValue = [
      "version": "https://jsonfeed.org/version/1.1", "title": .string(title),
      "home_page_url": .string(feature.addresses.url("/mapping-days")),
      "feed_url": .string(feature.addresses.url(path)), "language": .string(language),
      "items": .array(items),
    ]
    return Array(feed.text.utf8)
  }
}
