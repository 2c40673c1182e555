import JSON
import Service

/// One page of a feed, in either format.
struct FeedPage {
  let title: String
  /// The name of the instance.
  let name: String
  let language: String
  /// The address of the first page, which identifies the feed.
  let first: String
  let this: String
  let next: String?
  let home: String
  let updatedAt: String
  /// The licence of contributions to this instance.
  let licence: String
  let entries: [FeedEntry]
  let addresses: Addresses
  /// A sentence about the change of a device.
  let summary: (FeedEntry) -> String

  /// RFC 4287, with the place of each entry in GeoRSS-Simple (OGC 17-002r1).
  var atom: [UInt8] {
    var xml = XMLText(capacity: 1_024 + 1_200 * entries.count)
    xml.beginFeed(
      id: first, title: title, language: language, updatedAt: updatedAt, author: name,
      isPlaced: true)
    xml.raw("<generator")
    xml.attribute("version", Farol.version)
    xml.raw(">Farol</generator>\n")
    xml.element("rights", licence)
    xml.link("self", this, "application/atom+xml")
    xml.link("first", first, "application/atom+xml")
    if let next { xml.link("next", next, "application/atom+xml") }
    xml.link("alternate", home, "text/html")
    for entry in entries { write(entry, &xml) }
    xml.raw("</feed>\n")
    return xml.bytes
  }

  private func write(_ entry: FeedEntry, _ xml: inout XMLText) {
    xml.raw("<entry>\n")
    xml.element("id", "urn:uuid:\(entry.id)")
    xml.element("title", entry.name)
    xml.element("published", entry.createdAt)
    xml.element("updated", entry.updatedAt)
    xml.element("summary", summary(entry))
    xml.raw("<category")
    xml.attribute("term", entry.category)
    xml.raw("/>\n")
    xml.element("rights", entry.licence ?? licence)
    xml.link("alternate", page(of: entry), "text/html")
    xml.link("alternate", feature(of: entry), "application/geo+json")
    let (latitude, longitude) = (entry.latitude, entry.longitude)
    xml.element(
      "georss:point", "\(CSVText.degrees(latitude)) \(CSVText.degrees(longitude))")
    xml.raw("</entry>\n")
  }

  private func page(of entry: FeedEntry) -> String { addresses.url("/devices/\(entry.id)") }

  private func feature(of entry: FeedEntry) -> String {
    addresses.url("/api/collections/devices/items/\(entry.id)")
  }

  /// JSON Feed 1.1; data without a standard member is in `_farol` of each item.
  var json: [UInt8] {
    var json = JSONWriter(capacity: 1_024 + 700 * entries.count)
    json.beginObject()
    json.member("version", "https://jsonfeed.org/version/1.1")
    json.member("title", title)
    json.member("home_page_url", home)
    json.member("feed_url", first)
    if let next { json.member("next_url", next) }
    json.member("language", language)
    json.key("authors")
    json.beginArray()
    json.beginObject()
    json.member("name", name)
    json.member("url", home)
    json.endObject()
    json.endArray()
    json.key("items")
    json.beginArray()
    for entry in entries { write(entry, &json) }
    json.endArray()
    json.endObject()
    return json.bytes
  }

  private func write(_ entry: FeedEntry, _ json: inout JSONWriter) {
    json.beginObject()
    json.member("id", "urn:uuid:\(entry.id)")
    json.member("url", page(of: entry))
    json.member("title", entry.name)
    json.member("content_text", summary(entry))
    json.member("date_published", entry.createdAt)
    json.member("date_modified", entry.updatedAt)
    json.key("tags")
    json.strings([entry.category, entry.status])
    json.key("_farol")
    json.beginObject()
    json.member("about", addresses.url("/api/docs"))
    json.member("feature", feature(of: entry))
    json.member("licence", entry.licence ?? licence)
    json.key("geometry")
    json.beginObject()
    json.member("type", "Point")
    json.key("coordinates")
    json.beginArray()
    json.coordinate(entry.longitude)
    json.coordinate(entry.latitude)
    json.endArray()
    json.endObject()
    json.endObject()
    json.endObject()
  }
}
