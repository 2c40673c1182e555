import Import

/// The formats in which devices can be downloaded.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// CSV (RFC 4180).
  case csv
  /// One feature collection (RFC 7946).
  case geojson
  /// A text sequence of features (RFC 8142).
  case geojsons
  /// One feature per line.
  case geojsonl
  /// A database for GIS programs (OGC 12-128r18).
  case gpkg
  /// Features for GIS programs, and for reading parts of a file over HTTP.
  case flatGeobuf = "fgb"
  /// A table with types for analysis (GeoParquet 1.1).
  case parquet
  /// A workbook (ECMA-376).
  case xlsx
  /// Devices that OpenStreetMap has tags for, as its XML.
  case osm
  /// The same as JSON.
  case osmJSON = "osm.json"

  /// The file extension.
  package var ending: String { rawValue }

  /// The value of `Content-Type`.
  package var mediaType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8; header=present"
    case .geojson: "application/geo+json"
    case .geojsons: "application/geo+json-seq"
    case .geojsonl: "application/x-ndjson"
    case .gpkg: "application/geopackage+sqlite3"
    case .flatGeobuf: "application/flatgeobuf"
    case .parquet: "application/vnd.apache.parquet"
    case .xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    case .osm: "application/vnd.openstreetmap.data+xml"
    case .osmJSON: "application/json"
    }
  }

  /// The description of the format in the OpenAPI document.
  package var title: String {
    switch self {
    case .csv: "a table (CSV)"
    case .geojson: "GeoJSON"
    case .geojsons: "a GeoJSON text sequence"
    case .geojsonl: "newline-delimited GeoJSON"
    case .gpkg: "a GeoPackage"
    case .flatGeobuf: "a FlatGeobuf"
    case .parquet: "GeoParquet"
    case .xlsx: "a spreadsheet (XLSX)"
    case .osm: "OpenStreetMap XML (only categories with OpenStreetMap tags)"
    case .osmJSON: "OpenStreetMap JSON (only categories with OpenStreetMap tags)"
    }
  }

  /// The format as `farol-formats` writes it from a GeoPackage; nil if the server writes it.
  var converted: FormatProgram.Target? {
    switch self {
    case .flatGeobuf: .flatGeobuf
    case .xlsx: .workbook
    default: nil
    }
  }

  /// Whether it is completed before it is sent.
  var isWholeFile: Bool { self == .gpkg || self == .parquet || converted != nil }

  /// Whether it contains only devices that OpenStreetMap has tags for.
  var isOSM: Bool { self == .osm || self == .osmJSON }
}
