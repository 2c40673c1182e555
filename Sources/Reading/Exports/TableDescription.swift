import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

extension DeviceExports {
  /// The description of the CSV table as CSV on the Web (W3C, “Metadata Vocabulary for Tabular
  /// Data”, 2015); CSV itself has no place for metadata.
  func tableDescription(_ query: Query) throws -> [UInt8] {
    let credits = try store.database.read { try ExportCredits(own: own, for: nil, $0) }
    var json = JSONWriter(capacity: 4_096)
    json.beginObject()
    json.member("@context", "http://www.w3.org/ns/csvw")
    json.member("url", addresses.url("/api/exports/devices.csv", query))
    json.member("dc:title", settings.name)
    json.member("dc:creator", settings.name)
    json.member("dc:created", store.environment.now().text)
    json.member("dc:license", credits.licences)
    json.member("dc:rights", credits.attribution)
    json.key("dc:source")
    json.beginArray()
    for credit in credits.all {
      json.beginObject()
      json.member("dc:title", credit.name)
      json.member("dc:license", credit.licence)
      json.member("dc:rights", credit.attribution)
      if let url = credit.url { json.member("dc:identifier", url) }
      json.endObject()
    }
    json.endArray()
    json.key("dialect")
    json.raw("{\"encoding\":\"utf-8\",\"lineTerminators\":[\"\\r\\n\"],\"header\":true}")
    json.key("tableSchema")
    json.beginObject()
    json.key("columns")
    json.beginArray()
    for column in FlatColumn.all { column.describe(to: &json) }
    json.endArray()
    json.member("primaryKey", "id")
    json.endObject()
    json.endObject()
    return json.bytes
  }
}

extension FlatColumn {
  fileprivate func describe(to json: inout JSONWriter) {
    json.beginObject()
    json.member("name", name)
    json.member("titles", name)
    let type =
      switch kind {
      case .integer: "integer"
      case .number, .degrees: "number"
      case .flag: "boolean"
      case .time: "dateTime"
      case .day: "date"
      case .tags: "json"
      case .text, .list, .credit, .references: "string"
      }
    json.member("datatype", type)
    if kind == .list || kind == .references { json.member("separator", ";") }
    json.endObject()
  }
}
