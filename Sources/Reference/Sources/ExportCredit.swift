package import JSON

/// The author of a record, and its terms of use.
package struct ExportCredit: Equatable, Sendable {
  package let name: String
  package let licence: String
  package let attribution: String
  package let url: String?

  package init(name: String, licence: String, attribution: String, url: String?) {
    self.name = name
    self.licence = licence
    self.attribution = attribution
    self.url = url
  }

  /// `{"name", "licence", "attribution", "url"}`.
  package func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("licence", licence)
    json.member("attribution", attribution)
    json.key("url")
    if let url { json.string(url) } else { json.null() }
    json.endObject()
  }
}
