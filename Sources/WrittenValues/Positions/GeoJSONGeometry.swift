import Glibc
package import JSON

/// Computes a point on a GeoJSON geometry (RFC 7946 §3.1).
package enum GeoJSONGeometry {
  private typealias Position = (x: Double, y: Double)

  package static func place(_ geometry: JSONValue) -> SourcePlace {
    guard let type = geometry["type"]?.stringValue else {
      return geometry.isNull
        ? .none : .unusable(RowFault(code: "no_place", detail: "The geometry has no type."))
    }
    if type == "GeometryCollection" { return collection(geometry["geometries"]) }
    let coordinates = geometry["coordinates"] ?? .null
    let found: Position? =
      switch type {
      case "Point": position(coordinates)
      case "MultiPoint": coordinates.arrayValue?.lazy.compactMap(position).first
      case "LineString": halfWay([line(coordinates)])
      case "MultiLineString": halfWay(coordinates.arrayValue?.map(line) ?? [])
      case "Polygon": inside([rings(coordinates)])
      case "MultiPolygon": inside(coordinates.arrayValue?.map(rings) ?? [])
      default: nil
      }
    guard let found else {
      return .unusable(
        RowFault(
          code: "no_place",
          detail: "The geometry (\(CleanText.excerpt(type))) holds no usable position."))
    }
    return type == "Point"
      ? .point(longitude: found.x, latitude: found.y)
      : .pointOnShape(longitude: found.x, latitude: found.y)
  }

  private static func collection(_ geometries: JSONValue?) -> SourcePlace {
    for geometry in geometries?.arrayValue ?? [] where geometry["type"] != "GeometryCollection" {
      switch place(geometry) {
      case .point(let longitude, let latitude), .pointOnShape(let longitude, let latitude):
        return .pointOnShape(longitude: longitude, latitude: latitude)
      case .none, .unusable: continue
      }
    }
    return .unusable(
      RowFault(code: "no_place", detail: "The geometry collection holds no usable position."))
  }

  private static func position(_ value: JSONValue) -> Position? {
    guard let x = value[0].flatMap(number), let y = value[1].flatMap(number) else { return nil }
    return (x, y)
  }

  /// Some programs write numbers as texts.
  private static func number(_ value: JSONValue) -> Double? {
    value.numberValue ?? value.stringValue.flatMap { PlainNumber.read($0) }
  }

  private static func line(_ value: JSONValue) -> [Position] {
    value.arrayValue?.compactMap(position) ?? []
  }

  private static func rings(_ value: JSONValue) -> [[Position]] {
    value.arrayValue?.map(line).filter { $0.count >= 3 } ?? []
  }

  /// Lines whose longitudes go on counting beyond the antimeridian, so that 181 follows 179: of the two ways between
  /// two positions, a line takes the shorter one. Nil if no line crosses it.
  private static func unwrapped(_ lines: [[Position]]) -> [[Position]]? {
    func crosses(_ line: [Position]) -> Bool {
      line.allSatisfy { abs($0.x) <= 180 }
        && zip(line, line.dropFirst()).contains { abs($1.x - $0.x) > 180 }
    }
    guard lines.contains(where: crosses) else { return nil }
    return lines.map { line in
      guard crosses(line) else { return line }
      var turn = 0.0
      return line.indices.map { index in
        if index > 0 {
          let step = line[index].x - line[index - 1].x
          turn += step > 180 ? -360 : step < -180 ? 360 : 0
        }
        return (line[index].x + turn, line[index].y)
      }
    }
  }

  /// A longitude from -180 to 180 again.
  private static func wrapped(_ found: Position) -> Position {
    (found.x - (found.x / 360).rounded() * 360, found.y)
  }

  /// A degree of longitude is shorter than a degree of latitude by the cosine of the latitude.
  private static func length(_ from: Position, _ to: Position) -> Double {
    let scale = cos((from.y + to.y) / 2 * .pi / 180)
    return hypot((to.x - from.x) * scale, to.y - from.y)
  }

  private static func length(_ line: [Position]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { $0 + length($1.0, $1.1) }
  }

  /// The midpoint of the longest line.
  private static func halfWay(_ lines: [[Position]]) -> Position? {
    if let moved = unwrapped(lines) { return halfWay(moved).map(wrapped) }
    guard let longest = lines.max(by: { length($0) < length($1) }) else { return nil }
    var rest = length(longest) / 2
    for (from, to) in zip(longest, longest.dropFirst()) {
      let step = length(from, to)
      if step >= rest, step > 0 {
        let share = rest / step
        return (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
      }
      rest -= step
    }
    return longest.first
  }

  /// A point inside the largest polygon. Each polygon has an outer ring and holes.
  private static func inside(_ polygons: [[[Position]]]) -> Position? {
    let largest = polygons.max {
      area($0.first ?? []) < area($1.first ?? [])
    }
    guard let rings = largest, let outer = rings.first else { return nil }
    if let moved = unwrapped(rings) { return inside([moved]).map(wrapped) }
    guard let south = outer.map(\.y).min(), let north = outer.map(\.y).max() else { return nil }
    // The middle parallel first. A polygon that is narrow there may be wider elsewhere.
    for share in [0.5, 0.375, 0.625, 0.25, 0.75, 0.4375] {
      if let found = widestMiddle(rings, at: south + (north - south) * share) { return found }
    }
    return outer.first
  }

  /// The midpoint of the widest inner segment on a parallel, by the even-odd rule.
  private static func widestMiddle(_ rings: [[Position]], at y: Double) -> Position? {
    var crossings: [Double] = []
    for ring in rings {
      for (from, to) in zip(ring, ring.dropFirst() + ring.prefix(1))
      where (from.y <= y) != (to.y <= y) {
        crossings.append(from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x))
      }
    }
    crossings.sort()
    var widest: (west: Double, east: Double)?
    for start in stride(from: 0, to: crossings.count - 1, by: 2) {
      let stretch = (west: crossings[start], east: crossings[start + 1])
      if stretch.east - stretch.west > (widest.map { $0.east - $0.west } ?? 0) { widest = stretch }
    }
    return widest.map { (($0.west + $0.east) / 2, y) }
  }

  /// Twice the absolute area of the ring in square degrees, only for comparisons.
  private static func area(_ ring: [Position]) -> Double {
    abs(
      zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0) {
        $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y
      })
  }
}
