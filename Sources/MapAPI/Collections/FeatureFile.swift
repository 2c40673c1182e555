import CQL2
import Import
import JSON
import PrivacyMap
import WebServer

/// A file of features, read from its start as often as needed.
protocol FeatureFile {
  /// Whether its values are texts that may stand for numbers.
  var isLoose: Bool { get }

  /// Hands on every feature in order, those that cannot be read with their fault.
  ///
  /// - Throws: ``InvalidInput`` or ``ImportFailure`` where the file is none of features.
  func forEachFeature(_ body: (SourceFeature) throws -> Void) throws
}

/// A feature as its file gives it.
struct SourceFeature {
  /// Counted from 1.
  var number: Int
  var key: String?
  /// Degrees, longitude first; nil where the file gives none.
  var geometry: Geometry?
  var properties: JSONObject
  /// Why it cannot be read.
  var fault: SourceFault?
}

/// Why a feature is left out.
enum SourceFault: String, Error, Sendable {
  /// The row is no feature.
  case unreadable
  /// The geometry is none.
  case geometry
  /// A position lies beyond the Earth.
  case position

  /// The geometry that `read` reads, all of whose positions are on Earth.
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

/// GeoJSON in any of its spellings, and CSV with places in columns.
struct TextFeatureFile: FeatureFile {
  private let reader: ImportReader
  let isLoose: Bool

  /// Columns that hold a place in CSV, in lower case, in the order in which they are looked for.
  private static let longitudes = ["longitude", "lon", "lng", "long", "x"]
  private static let latitudes = ["latitude", "lat", "y"]
  private static let texts = ["wkt", "geometry", "geom", "the_geom"]

  /// - Throws: ``ImportFailure`` where the file is no list, ``InvalidInput`` where it is one of
  ///   another kind.
  init(_ source: ByteSource) throws {
    reader = ImportReader(source)
    switch try reader.format() {
    case .geoJSON: isLoose = false
    case .csv: isLoose = true
    case .osmXML, .osmJSON, .json:
      throw InvalidInput(
        [("file", Message("error.collection.format"))], status: .unprocessableContent)
    }
  }

  func forEachFeature(_ body: (SourceFeature) throws -> Void) throws {
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

  /// The id of a feature, which the reader puts among its columns.
  private static func takeKey(_ properties: inout JSONObject) -> String? {
    guard let id = properties["@id"] else { return nil }
    properties.members.removeAll { $0.key == "@id" }
    switch id {
    case .string(let text): return text
    case .integer(let number): return "\(number)"
    default: return nil
    }
  }

  private static func geometry(_ value: JSONValue?) throws(SourceFault) -> Geometry? {
    guard let value, !value.isNull else { return nil }
    return try SourceFault.checked { () throws(InvalidFilter) in try Geometry(geoJSON: value) }
  }

  /// Which columns of a table hold places.
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

    /// Takes the place out of a row.
    func geometry(_ row: inout JSONObject) throws(SourceFault) -> Geometry? {
      // An empty field says nothing.
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
