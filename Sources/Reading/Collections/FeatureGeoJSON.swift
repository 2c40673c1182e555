import Filters
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Writes features of further collections as GeoJSON (RFC 7946).
struct FeatureGeoJSON {
  let collection: FurtherCollection
  let system: CoordinateSystem

  /// The columns that ``write(_:to:)`` reads, in this order.
  static let columns = "feature.key, ST_AsBinary(feature.geometry), feature.properties"

  func write(_ row: Row, to json: inout JSONWriter, links: [Link] = []) {
    json.beginObject()
    json.member("type", "Feature")
    json.member("id", row.text(0))
    json.key("geometry")
    if let shape = row.optionalBlob(1).flatMap({ Geometry(wellKnownBinary: $0) }) {
      write(shape, to: &json)
    } else {
      json.null()
    }
    json.member("properties", .object(Self.properties(row.text(2), of: collection)))
    if !links.isEmpty { json.links(links) }
    json.endObject()
  }

  /// The properties of a feature by name.
  static func properties(_ kept: String, of collection: FurtherCollection) -> JSONObject {
    let values = (try? JSONValue(parsing: Array(kept.utf8)).objectValue) ?? JSONObject()
    var properties = JSONObject()
    for (place, property) in collection.properties.enumerated() {
      properties.members.append((property.name, values["\(place)"] ?? .null))
    }
    return properties
  }

  private func write(_ shape: Geometry, to json: inout JSONWriter) {
    json.beginObject()
    json.member("type", shape.geoJSONType)
    if case .collection(let parts) = shape {
      json.key("geometries")
      json.beginArray()
      for part in parts { write(part, to: &json) }
      json.endArray()
    } else {
      json.key("coordinates")
      writeCoordinates(of: shape, to: &json)
    }
    json.endObject()
  }

  private func writeCoordinates(of shape: Geometry, to json: inout JSONWriter) {
    switch shape {
    case .point(let position): write(position, to: &json)
    case .lineString(let line), .multiPoint(let line): write(line, to: &json)
    case .polygon(let lines), .multiLineString(let lines): write(lines, to: &json)
    case .multiPolygon(let polygons):
      json.beginArray()
      for rings in polygons { write(rings, to: &json) }
      json.endArray()
    case .collection, .box: json.null()
    }
  }

  private func write(_ lines: [[Geometry.Position]], to json: inout JSONWriter) {
    json.beginArray()
    for line in lines { write(line, to: &json) }
    json.endArray()
  }

  private func write(_ line: [Geometry.Position], to json: inout JSONWriter) {
    json.beginArray()
    for position in line { write(position, to: &json) }
    json.endArray()
  }

  private func write(_ position: Geometry.Position, to json: inout JSONWriter) {
    system.write(longitude: position.x, latitude: position.y, to: &json)
  }
}

extension Geometry {
  /// The name of its type (RFC 7946 §1.4).
  var geoJSONType: String {
    switch self {
    case .point: "Point"
    case .lineString: "LineString"
    case .polygon, .box: "Polygon"
    case .multiPoint: "MultiPoint"
    case .multiLineString: "MultiLineString"
    case .multiPolygon: "MultiPolygon"
    case .collection: "GeometryCollection"
    }
  }
}
