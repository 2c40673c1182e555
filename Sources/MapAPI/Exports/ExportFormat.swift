/// The forms in which the devices can be taken.
package enum ExportFormat: String, CaseIterable, Sendable {
  /// A table (RFC 4180).
  case csv
  /// One collection of features (RFC 7946).
  case geojson
  /// A text sequence of features (RFC 8142).
  case geojsons
  /// One feature a line.
  case geojsonl
  /// A database for geographic programs (OGC 12-128r18).
  case gpkg
  /// What has a meaning in OpenStreetMap, as its XML.
  case osm
  /// The same as JSON.
  case osmJSON = "osm.json"

  /// The ending of a file.
  package var ending: String { rawValue }

  /// The whole Content-Type.
  var mediaType: String {
    switch self {
    case .csv: "text/csv; charset=utf-8; header=present"
    case .geojson: "application/geo+json"
    case .geojsons: "application/geo+json-seq"
    case .geojsonl: "application/x-ndjson"
    case .gpkg: "application/geopackage+sqlite3"
    case .osm: "application/vnd.openstreetmap.data+xml"
    case .osmJSON: "application/json"
    }
  }

  /// What it is, for the interface's document.
  var title: String {
    switch self {
    case .csv: "a table (CSV)"
    case .geojson: "GeoJSON"
    case .geojsons: "a GeoJSON text sequence"
    case .geojsonl: "newline-delimited GeoJSON"
    case .gpkg: "a GeoPackage"
    case .osm: "OpenStreetMap XML, those that have a meaning there"
    case .osmJSON: "OpenStreetMap JSON, those that have a meaning there"
    }
  }

  /// Whether it holds only what has a meaning in OpenStreetMap.
  var isOSM: Bool { self == .osm || self == .osmJSON }
}
