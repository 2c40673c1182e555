/// A geometry (OGC 06-103r4) in degrees, longitude first (CRS84), without heights.
package indirect enum Geometry: Equatable, Sendable {
  case point(Position)
  /// Two positions or more.
  case lineString([Position])
  /// Rings, each closed and of four positions or more: the outline, then its holes.
  case polygon([[Position]])
  case multiPoint([Position])
  case multiLineString([[Position]])
  case multiPolygon([[[Position]]])
  case collection([Geometry])
  /// West, south, east, north. If west is greater than east, the box crosses the antimeridian.
  case box(west: Double, south: Double, east: Double, north: Double)

  package struct Position: Equatable, Sendable {
    package var x, y: Double

    package init(_ x: Double, _ y: Double) {
      (self.x, self.y) = (x, y)
    }
  }

  /// All positions, including the corners of a box.
  package var positions: [Position] {
    switch self {
    case .point(let position): [position]
    case .lineString(let line), .multiPoint(let line): line
    case .polygon(let lines), .multiLineString(let lines): lines.flatMap(\.self)
    case .multiPolygon(let polygons): polygons.flatMap { $0.flatMap(\.self) }
    case .collection(let parts): parts.flatMap(\.positions)
    case .box(let west, let south, let east, let north):
      [Position(west, south), Position(east, north)]
    }
  }

  /// The same geometry with every position transformed.
  package func map(_ move: (Position) -> Position) -> Geometry {
    switch self {
    case .point(let position): return .point(move(position))
    case .lineString(let line): return .lineString(line.map(move))
    case .multiPoint(let points): return .multiPoint(points.map(move))
    case .polygon(let rings): return .polygon(rings.map { $0.map(move) })
    case .multiLineString(let lines): return .multiLineString(lines.map { $0.map(move) })
    case .multiPolygon(let polygons):
      return .multiPolygon(polygons.map { $0.map { $0.map(move) } })
    case .collection(let parts): return .collection(parts.map { $0.map(move) })
    case .box(let west, let south, let east, let north):
      let (low, high) = (move(Position(west, south)), move(Position(east, north)))
      return .box(west: low.x, south: low.y, east: high.x, north: high.y)
    }
  }

  /// The overall west, south, east and north, ignoring the antimeridian. Nil for an empty geometry.
  package var bounds: (west: Double, south: Double, east: Double, north: Double)? {
    let all = positions
    guard let first = all.first else { return nil }
    return all.dropFirst().reduce((first.x, first.y, first.x, first.y)) { box, position in
      (
        min(box.0, position.x), min(box.1, position.y), max(box.2, position.x),
        max(box.3, position.y)
      )
    }
  }

  /// The reason why the geometry is invalid. Nil for a valid geometry.
  ///
  /// - Returns: a description of the fault in English, for developers.
  package var fault: String? {
    for position in positions
    where !(position.x.isFinite && position.y.isFinite) {
      return "a coordinate is no number"
    }
    switch self {
    case .point, .multiPoint: return nil
    case .lineString(let line): return Self.fault(ofLine: line)
    case .multiLineString(let lines): return lines.lazy.compactMap(Self.fault(ofLine:)).first
    case .polygon(let rings): return Self.fault(ofRings: rings)
    case .multiPolygon(let polygons): return polygons.lazy.compactMap(Self.fault(ofRings:)).first
    case .collection(let parts): return parts.lazy.compactMap(\.fault).first
    case .box(_, let south, _, let north):
      return south <= north ? nil : "the south of a box lies north of its north"
    }
  }

  private static func fault(ofLine line: [Position]) -> String? {
    line.count >= 2 ? nil : "a line has fewer than two positions"
  }

  private static func fault(ofRings rings: [[Position]]) -> String? {
    if rings.isEmpty { return "a polygon has no ring" }
    for ring in rings {
      if ring.count < 4 { return "a ring has fewer than four positions" }
      if ring.first != ring.last { return "a ring does not end where it begins" }
    }
    return nil
  }

  /// Little-endian well-known binary (OGC 06-103r4). A box becomes a polygon.
  package var wellKnownBinary: [UInt8] {
    var bytes: [UInt8] = []
    func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
    func add(_ position: Position) {
      for value in [position.x, position.y] {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
      }
    }
    func add(line: [Position]) {
      add(UInt32(clamping: line.count))
      line.forEach(add)
    }
    func begin(_ type: UInt32, _ count: Int? = nil) {
      bytes.append(1)
      add(type)
      if let count { add(UInt32(clamping: count)) }
    }
    switch self {
    case .point(let position):
      begin(1)
      add(position)
    case .lineString(let line):
      begin(2)
      add(line: line)
    case .polygon(let rings):
      begin(3, rings.count)
      rings.forEach { add(line: $0) }
    case .multiPoint(let points):
      begin(4, points.count)
      for point in points { bytes += Geometry.point(point).wellKnownBinary }
    case .multiLineString(let lines):
      begin(5, lines.count)
      for line in lines { bytes += Geometry.lineString(line).wellKnownBinary }
    case .multiPolygon(let polygons):
      begin(6, polygons.count)
      for rings in polygons { bytes += Geometry.polygon(rings).wellKnownBinary }
    case .collection(let parts):
      begin(7, parts.count)
      for part in parts { bytes += part.wellKnownBinary }
    case .box(let west, let south, let east, let north):
      let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)]
      return Geometry.polygon([corners.map { Position($0.0, $0.1) }]).wellKnownBinary
    }
    return bytes
  }
}
