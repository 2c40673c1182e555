import Devices
import JSON
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// The description of the CSV table as CSV on the Web (W3C, “Metadata Vocabulary for Tabular
/// Data”, 2015); CSV itself has no place for metadata.
struct TableDescription {
  let exports: DeviceExports
  let query: Query
  let credits: ExportCredits

  init(_ exports: DeviceExports, _ query: Query) throws {
    self.exports = exports
    self.query = query
    credits = try exports.store.database.read {
      try ExportCredits(own: exports.own, for: nil, $0)
    }
  }

  static let shape = JSONShape<TableDescription>(
    "tableDescription", .text("@context") { _ in "http://www.w3.org/ns/csvw" },
    .text("url") { $0.exports.addresses.url("/api/exports/devices.csv", $0.query) },
    .text("dc:title", \.exports.settings.name), .text("dc:creator", \.exports.settings.name),
    .time("dc:created") { $0.exports.store.environment.now() },
    .text("dc:license", \.credits.licences), .text("dc:rights", \.credits.attribution),
    .list("dc:source", of: source, \.credits.all),
    .object("dialect") { _ in
      ["encoding": "utf-8", "lineTerminators": ["\r\n"], "header": true] as JSONObject
    }, .object("tableSchema", table) { _ in FlatColumn.all })

  private static let source = JSONShape<ExportCredit>(
    nil, .text("dc:title", \.name), .text("dc:license", \.licence),
    .text("dc:rights", \.attribution), .text("dc:identifier", \.url).optional)

  private static let table = JSONShape<[FlatColumn]>(
    nil, .list("columns", of: column, \.self), .text("primaryKey") { _ in "id" })

  private static let column = JSONShape<FlatColumn>(
    nil, .text("name", \.name), .text("titles", \.name), .text("datatype", \.dataType),
    .text("separator") { $0.kind == .list || $0.kind == .references ? ";" : nil }.optional)
}

extension FlatColumn {
  fileprivate var dataType: String {
    switch kind {
    case .integer: "integer"
    case .number, .degrees: "number"
    case .flag: "boolean"
    case .time: "dateTime"
    case .day: "date"
    case .tags, .choices: "json"
    case .address: "anyURI"
    case .text, .list, .credit, .references: "string"
    }
  }
}
