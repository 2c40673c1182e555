import CQL2
package import Import
package import JSON
package import PrivacyMap
import Service
import WebServer

/// A file of features that can be read from the start repeatedly.
package protocol FeatureFile {
  /// Whether all values are texts that may represent numbers.
  var isLoose: Bool { get }

  /// The types of properties that the file itself declares, by name.
  var kinds: [String: CollectionProperty.Kind] { get }

  /// Passes every feature in order. Features that cannot be read carry a fault.
  ///
  /// - Throws: ``InvalidInput`` or ``ImportFailure`` if the file contains no features.
  func forEachFeature(_ body: (SourceFeature) throws -> Void) throws
}

extension FeatureFile {
  package var kinds: [String: CollectionProperty.Kind] { [:] }
}

/// A feature as read from its file.
package struct SourceFeature {
  /// Counted from 1.
  package var number: Int
  package var key: String?
  /// Degrees, longitude first; nil for a feature without one.
  package var geometry: Geometry?
  package var properties: JSONObject
  /// The reason why it cannot be read.
  package var fault: SourceFault?
}

/// The reason why a feature is skipped.
package enum SourceFault: String, Error, Sendable {
  /// The row is not a feature.
  case unreadable
  /// The geometry is invalid.
  case geometry
  /// A position is outside the valid range of coordinates.
  case position

  /// The geometry that `read` returns, if all of its positions are valid.
  static func checked(
    _ read: () throws(InvalidFilter) -> Geometry
  ) throws(SourceFault) -> Geometry {
    let geometry: Geometry
    do throws(InvalidFilter) { geometry = try read() } catch { throw .geometry }
    let isOnEarth = geometry.positions.allSatisfy { abs($0.x) <= 180 && abs($0.y) <= 90 }
    guard isOnEarth else { throw .position }
    return geometry
  }
}

/// GeoJSON in all its variants, and CSV with coordinates in columns.
package struct TextFeatureFile: FeatureFile {
  private let reader: ImportReader
  package let isLoose: Bool

  /// CSV columns with coordinates, in lower case, in order of precedence.
  private static let longitudes = ["longitude", "lon", "lng", "long", "x"]
  private static let latitudes = ["latitude", "lat", "y"]
  private static let texts = ["wkt", "geometry", "geom", "the_geom"]

  /// - Throws: ``ImportFailure`` if the file is not a list, ``InvalidInput`` if it is a list of an
  ///   unsupported format.
  package init(_ source: ByteSource) throws {
    reader = ImportReader(source)
    switch try reader.format() {
    case .geoJSON: isLoose = false
    case .csv: isLoose = true
    case .esriJSON, .osmXML, .osmJSON, .json:
      throw InvalidInput.refused("file", "error.collection.format")
    }
  }

  package func forEachFeature(_ body: (SourceFeature) throws -> Void) throws {
    var columns: PlaceColumns?
    try reader.forEachRow { row in
      var feature = SourceFeature(number: row.number, properties: row.columns)
      do throws(SourceFault) {
        if row.fault != nil { throw .unreadable }
        if isLoose {
          let known = columns ?? PlaceColumns(row.columns)
          columns = known
          feature.geometry = try known.geometry(&feature.properties)
        } else {
          feature.key = Self.takeKey(&feature.properties)
          feature.geometry = try Self.geometry(row.geometry)
        }
      } catch { feature.fault = error }
      try body(feature)
    }
  }

  /// Removes and returns the id of a feature, which the reader stores as a column.
  private static func takeKey(_ properties: inout JSONObject) -> String? {
    guard let id = properties["@id"] else { return nil }
    // The reader splits the id of a converted element of OpenStreetMap.
    let type = properties["@type"]?.stringValue
    properties.members.removeAll { $0.key == "@id" || type != nil && $0.key == "@type" }
    switch id {
    case .integer(let number) where type != nil: return "\(type ?? "")/\(number)"
    case .string(let text): return text
    case .integer(let number): return "\(number)"
    default: return nil
    }
  }

  private static func geometry(_ value: JSONValue?) throws(SourceFault) -> Geometry? {
    guard let value, !value.isNull else { return nil }
    return try SourceFault.checked { () throws(InvalidFilter) in try Geometry(geoJSON: value) }
  }

  /// The columns of a table that contain coordinates.
  private struct PlaceColumns {
    let longitude, latitude, text: String?

    init(_ row: JSONObject) {
      let names = Dictionary(
        row.members.map { ($0.key.lowercased(), $0.key) }, uniquingKeysWith: { first, _ in first })
      func first(_ wanted: [String]) -> String? { wanted.lazy.compactMap { names[$0] }.first }
      longitude = first(longitudes)
      latitude = first(latitudes)
      text = first(texts)
    }

    /// Removes the coordinates from a row and returns them.
    func geometry(_ row: inout JSONObject) throws(SourceFault) -> Geometry? {
      // Treat empty fields as missing.
      for place in row.members.indices where row.members[place].value.stringValue?.isEmpty == true {
        row.members[place].value = .null
      }
      if let longitude, let latitude {
        let (x, y) = (row[longitude] ?? .null, row[latitude] ?? .null)
        row.members.removeAll { $0.key == longitude || $0.key == latitude }
        if x.isNull && y.isNull { return nil }
        guard let x = Self.degrees(x), let y = Self.degrees(y) else { throw .geometry }
        return try SourceFault.checked { .point(Geometry.Position(x, y)) }
      }
      guard let text, let value = row[text]?.stringValue else { return nil }
      row.members.removeAll { $0.key == text }
      return try SourceFault.checked { () throws(InvalidFilter) in
        try Geometry(wellKnownText: value)
      }
    }

    private static func degrees(_ value: JSONValue) -> Double? {
      guard let text = value.stringValue else { return value.numberValue }
      return try? JSONValue(parsing: Array(text.utf8)).numberValue
    }
  }
}
