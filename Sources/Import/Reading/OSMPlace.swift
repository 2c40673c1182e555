import JSON
import WrittenValues

/// The position of an OpenStreetMap element.
enum OSMPlace {
  /// The members of an element that become columns with `@` before their names. Only Farol's own files have the members
  /// from `device` on: the id of the device, the credit of its record and the kind of its operator.
  static let members = [
    "id", "version", "timestamp", "device", "source", "licence", "attribution", "source_url",
    "operator_kind",
  ]

  /// Makes a relation of enforcement a row of its device, the node with the role `device`: it states the rule that the
  /// device enforces, and is not itself a device.
  ///
  /// - Returns: false for another relation.
  static func rename(_ columns: inout JSONObject, to device: JSONValue) -> Bool {
    guard columns["type"]?.stringValue == "enforcement" else { return false }
    columns["@relation"] = columns["@id"]
    columns["@type"] = "node"
    columns["@id"] = device
    columns["@version"] = nil
    columns["@timestamp"] = nil
    return true
  }

  static func place(
    type: String, longitude: Double?, latitude: Double?,
    center: (longitude: Double, latitude: Double)?, bounds: (longitude: Double, latitude: Double)?
  ) -> SourcePlace {
    if let longitude, let latitude { return .point(longitude: longitude, latitude: latitude) }
    if let place = center ?? bounds {
      return .pointOnShape(longitude: place.longitude, latitude: place.latitude)
    }
    return .unusable(
      RowFault(
        code: "no_place",
        detail: type == "node"
          ? "The node has no lat and lon."
          : "The \(type) has no centre; Overpass gives it with “out center”."))
  }

  static func position(
    _ longitude: JSONValue?, _ latitude: JSONValue?
  ) -> (longitude: Double, latitude: Double)? {
    guard let longitude = longitude?.numberValue, let latitude = latitude?.numberValue else {
      return nil
    }
    return (longitude, latitude)
  }

  /// The centre of Overpass's `bounds`.
  static func middle(_ bounds: JSONValue) -> (longitude: Double, latitude: Double)? {
    middle(
      west: bounds["minlon"]?.numberValue, south: bounds["minlat"]?.numberValue,
      east: bounds["maxlon"]?.numberValue, north: bounds["maxlat"]?.numberValue)
  }

  static func middle(
    west: Double?, south: Double?, east: Double?, north: Double?
  ) -> (longitude: Double, latitude: Double)? {
    guard let west, let south, let east, let north else { return nil }
    return ((west + east) / 2, (south + north) / 2)
  }

  /// The middle of the shape that Overpass's `out geom` adds: `geometry` of a way, or of the members of
  /// a relation.
  static func middleOfShape(_ element: JSONValue) -> (longitude: Double, latitude: Double)? {
    var box = PlaceBounds()
    for part in [element] + (element["members"]?.arrayValue ?? []) {
      for place in part["geometry"]?.arrayValue ?? [part] {
        if let found = position(place["lon"], place["lat"]) {
          box.add(found.longitude, found.latitude)
        }
      }
    }
    return box.middle
  }
}

/// The smallest box around places.
struct PlaceBounds {
  private var box: (west: Double, south: Double, east: Double, north: Double)?

  mutating func add(_ longitude: Double, _ latitude: Double) {
    let old = box ?? (longitude, latitude, longitude, latitude)
    box = (
      min(old.west, longitude), min(old.south, latitude), max(old.east, longitude),
      max(old.north, latitude)
    )
  }

  var middle: (longitude: Double, latitude: Double)? {
    box.flatMap { OSMPlace.middle(west: $0.west, south: $0.south, east: $0.east, north: $0.north) }
  }
}

/// The places of the nodes that a file contains before its ways.
struct OSMNodePlaces {
  /// About 60 MB. A larger file, such as the extract of a country, is filtered before an import.
  static let maximum = 2_000_000

  /// Longitude and latitude in units of 10⁻⁷ degree, the precision of OpenStreetMap.
  private var places: [Int64: SIMD2<Int32>] = [:]

  /// Ignores a place that is not on Earth, and further places once the maximum is reached.
  mutating func add(_ id: Int64, _ longitude: Double, _ latitude: Double) {
    guard places.count < Self.maximum, abs(longitude) <= 180, abs(latitude) <= 90 else { return }
    places[id] = SIMD2(
      Int32((longitude * 1e7).rounded()), Int32((latitude * 1e7).rounded()))
  }

  subscript(id: Int64) -> (longitude: Double, latitude: Double)? {
    places[id].map { (Double($0.x) / 1e7, Double($0.y) / 1e7) }
  }
}
