import JSON
import Service

/// The private feed of a watch: its news, latest first. Entries have no position.
struct WatchFeed {
  struct Entry {
    let id: String
    let title: String
    /// Nil if the device is not on the map.
    let device: String?
    let event: String
    let happenedAt: String
  }

  let title: String
  let name: String
  let language: String
  /// The address of the feed.
  let this: String
  let home: String
  let updatedAt: String
  let entries: [Entry]
  let addresses: Addresses

  /// RFC 4287.
  var atom: [UInt8] {
    var xml = XMLText(capacity: 1_024 + 400 * entries.count)
    xml.beginFeed(
      id: this, title: title, language: language, updatedAt: updatedAt, author: name)
    xml.link("self", this, "application/atom+xml")
    xml.link("alternate", home, "text/html")
    for entry in entries {
      xml.raw("<entry>\n")
      xml.element("id", "urn:uuid:\(entry.id)")
      xml.element("title", entry.title)
      xml.element("updated", entry.happenedAt)
      xml.link("alternate", page(of: entry), "text/html")
      xml.raw("</entry>\n")
    }
    xml.raw("</feed>\n")
    return xml.bytes
  }

  private func page(of entry: Entry) -> String {
    entry.device.map { addresses.url("/devices/\($0)") } ?? home
  }

  /// JSON Feed 1.1.
  var json: [UInt8] {
    let items = entries.map { entry -> JSONValue in
      [
        "id": .string("urn:uuid:\(entry.id)"), "url": .string(page(of: entry)),
        "title": .string(entry.title), "content_text": .string(entry.title),
        "date_published": .string(entry.happenedAt), "tags": [.string(entry.event)],
      ]
    }
    let feed: JSONValue = [
      "version": "https://jsonfeed.org/version/1.1", "title": .string(title),
      "home_page_url": .string(home), "feed_url": .string(this), "language": .string(language),
      "authors": [["name": .string(name), "url": .string(addresses.url("/"))]],
      "items": .array(items),
    ]
    return Array(feed.text.utf8)
  }
}
