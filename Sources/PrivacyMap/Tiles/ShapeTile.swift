private import Glibc

/// A feature of any geometry type in a tile.
package struct TileShape: Sendable {
  /// The feature id.
  package var id: UInt64
  package var geometry: Geometry
  package var properties: [(key: String, value: TileValue)]

  package init(id: UInt64, geometry: Geometry, properties: [(key: String, value: TileValue)]) {
    self.id = id
    self.geometry = geometry
    self.properties = properties
  }
}

/// The value of a ``TileShape`` property.
package enum TileValue: Hashable, Sendable {
  case text(String)
  case number(Double)
  case bool(Bool)
}

/// Encodes points, lines and polygons as a Mapbox Vector Tile 2.1 with one layer.
package enum ShapeTile {
  /// The buffer around a tile for lines and polygons, in tile units, so that no tile edge is
  /// visible: a 32nd of the side of the tile.
  static let margin = 128.0

  /// The bytes of a tile. Empty if no part of the shapes is in it.
  ///
  /// Shapes smaller than one tile unit are left out, except points.
  package static func encode(
    _ shapes: [TileShape], layer name: String, at address: TileAddress
  ) -> [UInt8] {
    var layer = VectorTileLayer(name: name)
    var keys: [String: UInt64] = [:]
    var isEmpty = true
    let grid = ShapeGrid(address)
    for shape in shapes {
      for part in grid.parts(of: shape.geometry) {
        isEmpty = false
        layer.begin(id: shape.id)
        for (name, value) in shape.properties {
          let key = keys[name] ?? layer.key(name)
          keys[name] = key
          layer.tag(key, value.encoded)
        }
        layer.end(part.kind, part.commands)
      }
    }
    guard !isEmpty else { return [] }
    var tile = ProtobufWriter()
    tile.field(VectorTile.Tag.tileLayer, layer.encoded())
    return tile.bytes
  }
}

extension TileAddress {
  /// West, south, east and north of this tile in degrees, including the buffer for shapes.
  package var boxWithMargin: [Double] {
    let margin = ShapeTile.margin / Double(TileContent.extent)
    let side = Double(1 << z)
    func longitude(_ x: Double) -> Double { min(max(x / side * 360 - 180, -180), 180) }
    func latitude(_ y: Double) -> Double {
      // Latitudes beyond the Mercator square are drawn on its edge.
      if y <= 0 { return 90 }
      if y >= side { return -90 }
      return atan(sinh(.pi * (1 - 2 * y / side))) * 180 / .pi
    }
    let (west, north) = (Double(x) - margin, Double(y) - margin)
    return [
      longitude(west), latitude(Double(y) + 1 + margin), longitude(Double(x) + 1 + margin),
      latitude(north),
    ]
  }
}

extension TileValue {
  fileprivate var encoded: VectorTileLayer.Value {
    switch self {
    case .text(let text): .text(text)
    case .number(let number): .double(number)
    case .bool(let flag): .bool(flag)
    }
  }
}

/// Projects shapes to the units of one tile and clips them to it.
private struct ShapeGrid {
  typealias Part = (kind: VectorTileLayer.Kind, commands: TileCommands)

  private let scale: Double
  private let west: Double
  private let north: Double
  private let box = ClipBox(
    low: -ShapeTile.margin, high: Double(TileContent.extent) + ShapeTile.margin)

  init(_ address: TileAddress) {
    scale = Double(1 << address.z) * Double(TileContent.extent)
    west = Double(address.x * TileContent.extent)
    north = Double(address.y * TileContent.extent)
  }

  /// Up to three parts: points, lines and polygons.
  func parts(of geometry: Geometry) -> [Part] {
    var points = TileCommands()
    var lines = TileCommands()
    var polygons = TileCommands()
    var spots: [TilePosition] = []
    add(geometry, &spots, &lines, &polygons)
    if !spots.isEmpty { points.points(spots) }
    let all: [Part] = [(.point, points), (.line, lines), (.polygon, polygons)]
    return all.filter { !$0.commands.isEmpty }
  }

  private func add(
    _ geometry: Geometry, _ spots: inout [TilePosition], _ lines: inout TileCommands,
    _ polygons: inout TileCommands
  ) {
    switch geometry {
    case .point(let position): add(position, to: &spots)
    case .multiPoint(let positions): for position in positions { add(position, to: &spots) }
    case .lineString(let line): add(line: line, to: &lines)
    case .multiLineString(let all): for line in all { add(line: line, to: &lines) }
    case .polygon(let rings): add(rings: rings, to: &polygons)
    case .multiPolygon(let all): for rings in all { add(rings: rings, to: &polygons) }
    case .collection(let parts): for part in parts { add(part, &spots, &lines, &polygons) }
    case .box: break
    }
  }

  private func projected(_ position: Geometry.Position) -> (x: Double, y: Double) {
    let units = FixedPosition.unitsPerDegree
    return (
      WebMercator.x(longitudeUnits: position.x * units) * scale - west,
      WebMercator.y(latitudeUnits: position.y * units) * scale - north
    )
  }

  /// A point is drawn in one tile only, like a device.
  private func add(_ position: Geometry.Position, to spots: inout [TilePosition]) {
    let (x, y) = projected(position)
    let side = Double(TileContent.extent)
    guard x >= 0, x < side, y >= 0, y < side else { return }
    spots.append(TilePosition(x, y))
  }

  private func add(line: [Geometry.Position], to commands: inout TileCommands) {
    for piece in box.clipped(line: line.map(projected)) {
      let positions = TilePosition.distinct(piece)
      if positions.count >= 2 { commands.line(positions) }
    }
  }

  private func add(rings: [[Geometry.Position]], to commands: inout TileCommands) {
    for (place, ring) in rings.enumerated() {
      var positions = TilePosition.distinct(box.clipped(ring: ring.map(projected)))
      if positions.count > 1, positions.first == positions.last { positions.removeLast() }
      let area = TilePosition.doubledArea(positions)
      if positions.count < 3 || area == 0 {
        // If the outline is too small to be visible, so are its holes.
        if place == 0 { return }
        continue
      }
      // Outlines run clockwise on the screen, holes counterclockwise (version 2.1, §4.3.4.4).
      if (area > 0) != (place == 0) { positions.reverse() }
      commands.ring(positions)
    }
  }
}

/// A position in whole tile units.
struct TilePosition: Equatable {
  let x, y: Int32

  init(_ x: Double, _ y: Double) {
    // Clipped shapes lie within a few thousand units of the tile.
    self.x = Int32(clamping: Int(x.rounded()))
    self.y = Int32(clamping: Int(y.rounded()))
  }

  /// The positions without consecutive duplicates.
  static func distinct(_ places: [(x: Double, y: Double)]) -> [TilePosition] {
    var positions: [TilePosition] = []
    for place in places {
      let position = TilePosition(place.x, place.y)
      if position != positions.last { positions.append(position) }
    }
    return positions
  }

  /// Twice the area of a ring, positive if it runs clockwise with y pointing down.
  static func doubledArea(_ ring: [TilePosition]) -> Int {
    guard var last = ring.last else { return 0 }
    var sum = 0
    for position in ring {
      sum += Int(last.x) * Int(position.y) - Int(position.x) * Int(last.y)
      last = position
    }
    return sum
  }
}

/// A square for clipping shapes.
struct ClipBox {
  typealias Place = (x: Double, y: Double)

  let low, high: Double

  /// The parts of a line inside the square (Liang and Barsky 1984).
  func clipped(line: [Place]) -> [[Place]] {
    var pieces: [[Place]] = []
    var piece: [Place] = []
    for (from, to) in zip(line, line.dropFirst()) {
      guard let (start, end) = visible(from, to) else {
        if !piece.isEmpty { pieces.append(piece) }
        piece = []
        continue
      }
      if piece.isEmpty { piece.append(start) }
      piece.append(end)
      if end != to {
        pieces.append(piece)
        piece = []
      }
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  private func visible(_ from: Place, _ to: Place) -> (Place, Place)? {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    var (start, end) = (0.0, 1.0)
    for (step, distance) in [
      (-dx, from.x - low), (dx, high - from.x), (-dy, from.y - low), (dy, high - from.y),
    ] {
      if step == 0 {
        if distance < 0 { return nil }
        continue
      }
      let share = distance / step
      if step < 0 { start = max(start, share) } else { end = min(end, share) }
      if start > end { return nil }
    }
    return (
      start == 0 ? from : (from.x + start * dx, from.y + start * dy),
      end == 1 ? to : (from.x + end * dx, from.y + end * dy)
    )
  }

  /// The part of a ring inside the square, clipped edge by edge (Sutherland and Hodgman 1974).
  func clipped(ring: [Place]) -> [Place] {
    if ring.allSatisfy({ $0.x >= low && $0.x <= high && $0.y >= low && $0.y <= high }) {
      return ring
    }
    var places = ring
    places = cut(places, isInside: { $0.x >= low }) { at($0, $1, x: low) }
    places = cut(places, isInside: { $0.x <= high }) { at($0, $1, x: high) }
    places = cut(places, isInside: { $0.y >= low }) { at($0, $1, y: low) }
    return cut(places, isInside: { $0.y <= high }) { at($0, $1, y: high) }
  }

  private func cut(
    _ ring: [Place], isInside: (Place) -> Bool, crossing: (Place, Place) -> Place
  ) -> [Place] {
    guard var last = ring.last else { return [] }
    var kept: [Place] = []
    for place in ring {
      if isInside(place) != isInside(last) { kept.append(crossing(last, place)) }
      if isInside(place) { kept.append(place) }
      last = place
    }
    return kept
  }

  private func at(_ from: Place, _ to: Place, x: Double) -> Place {
    (x, from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x))
  }

  private func at(_ from: Place, _ to: Place, y: Double) -> Place {
    (from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y), y)
  }
}

/// Builds the geometry of a feature (Vector Tile 2.1, §4.3): commands with relative positions.
struct TileCommands {
  private enum Command: UInt64 {
    case moveTo = 1
    case lineTo = 2
    case closePath = 7
  }

  private var writer = ProtobufWriter()
  private var pen = (x: Int32(0), y: Int32(0))

  var bytes: [UInt8] { writer.bytes }
  var isEmpty: Bool { writer.bytes.isEmpty }

  mutating func points(_ positions: [TilePosition]) {
    command(.moveTo, positions.count)
    positions.forEach { step(to: $0) }
  }

  mutating func line(_ positions: [TilePosition]) {
    guard let first = positions.first else { return }
    command(.moveTo, 1)
    step(to: first)
    command(.lineTo, positions.count - 1)
    positions.dropFirst().forEach { step(to: $0) }
  }

  /// A ring without the repeated first position.
  mutating func ring(_ positions: [TilePosition]) {
    line(positions)
    command(.closePath, 1)
  }

  private mutating func command(_ command: Command, _ count: Int) {
    writer.varint(UInt64(count) << 3 | command.rawValue)
  }

  private mutating func step(to position: TilePosition) {
    writer.varint(ProtobufWriter.zigzag(position.x &- pen.x))
    writer.varint(ProtobufWriter.zigzag(position.y &- pen.y))
    pen = (position.x, position.y)
  }
}
