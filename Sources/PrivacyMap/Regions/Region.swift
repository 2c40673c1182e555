private import Glibc
internal import Locking

/// The area inside a border.
///
/// A position on a border belongs to exactly one of two neighbours: a western or southern border belongs to the area,
/// an eastern or northern border does not. Areas that share corners and cover a larger area therefore contain each of
/// its positions once. All comparisons are of whole numbers, so they have no rounding errors.
///
/// The area is divided into cells. Each is inside, outside or crossed by the border, so only positions in crossed cells
/// are compared with lines, and only with lines that run through the same row of cells.
package final class Region: Sendable {
  package let shape: RegionShape
  /// The box around the border.
  package let bounds: FixedBox
  /// The size on a sphere with the surface area of the Earth.
  package let squareKilometres: Double
  private let cells: RegionCells
  /// The lines that run through each row, one row after the other.
  private let lines: [Line]
  /// The index of the first line of each row, and the index after the last row's lines.
  private let starts: [Int]
  /// The blocks of the last segments that were searched.
  let known = Locked<[RegionBlocks]>([])

  /// A line of the border from its southern to its northern end. Horizontal lines do not count.
  private struct Line {
    let south, north: FixedPosition

    init?(_ one: FixedPosition, _ other: FixedPosition) {
      guard one.latitude != other.latitude else { return nil }
      (south, north) = one.latitude < other.latitude ? (one, other) : (other, one)
    }

    /// Whether a ray from the position to the east crosses the line. The northern end does not count, so that a ray
    /// through a corner crosses one of its two lines.
    @inline(__always)
    func isEast(of x: Int32, _ y: Int32) -> Bool {
      guard south.latitude <= y, y < north.latitude else { return false }
      // The products are at most 3.6 × 10⁹ times 1.8 × 10⁹, which fits.
      let across = Int64(north.longitude) &- Int64(south.longitude)
      let height = Int64(north.latitude) &- Int64(south.latitude)
      return (Int64(x) &- Int64(south.longitude)) &* height
        < (Int64(y) &- Int64(south.latitude)) &* across
    }
  }

  /// - Parameter shape: polygons. Nil if none of them has an area.
  package init?(_ shape: RegionShape) {
    let bounds = shape.bounds
    let sides = shape.polygons.joined().flatMap { ring in
      zip(ring, ring.dropFirst() + ring.prefix(1))
    }
    guard !bounds.isEmpty, !sides.isEmpty else { return nil }
    self.shape = shape
    self.bounds = bounds
    squareKilometres = Self.size(of: shape)
    var cells = RegionCells(bounds, lineCount: sides.count)
    for (one, other) in sides { cells.cross(from: one, to: other) }
    let lines = sides.compactMap { Line($0, $1) }
    var rows = [[Line]](repeating: [], count: cells.rows)
    for line in lines {
      let first = cells.row(of: line.south.latitude)
      for row in first...max(first, cells.row(of: line.north.latitude)) { rows[row].append(line) }
    }
    (self.lines, starts) = (
      rows.flatMap { $0 }, rows.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    )
    cells.fill { row, x, y in
      rows[row].reduce(false) { $1.isEast(of: x, y) ? !$0 : $0 }
    }
    self.cells = cells
  }

  /// Whether the position is in the area.
  package func contains(_ position: FixedPosition) -> Bool {
    guard bounds.contains(position) else { return false }
    let (x, y) = (position.longitude, position.latitude)
    let row = cells.row(of: y)
    switch cells.state(row: row, column: cells.column(of: x)) {
    case RegionCells.inside: return true
    case RegionCells.outside: return false
    default:
      return lines.withUnsafeBufferPointer { lines in
        var isInside = false
        for place in starts[row]..<starts[row &+ 1] where lines[place].isEast(of: x, y) {
          isInside.toggle()
        }
        return isInside
      }
    }
  }

  /// The candidates among some points that are in the area, one bit each.
  func passing(
    _ candidates: UInt64, _ longitudes: UnsafeBufferPointer<Int32>,
    _ latitudes: UnsafeBufferPointer<Int32>, _ slots: Range<Int>
  ) -> UInt64 {
    let width = UInt32(bitPattern: bounds.east &- bounds.west)
    let height = UInt32(bitPattern: bounds.north &- bounds.south)
    var passing: UInt64 = 0
    var crossed: UInt64 = 0
    cells.withStates { states in
      for place in 0..<slots.count {
        let x = UInt32(bitPattern: longitudes[slots.lowerBound &+ place] &- bounds.west)
        let y = UInt32(bitPattern: latitudes[slots.lowerBound &+ place] &- bounds.south)
        guard x <= width, y <= height else { continue }
        let state = states[cells.place(x, y)]
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: place)
        if state == RegionCells.inside { passing |= bit }
        if state == RegionCells.crossed { crossed |= bit }
      }
    }
    passing &= candidates
    var rest = crossed & candidates
    while rest != 0 {
      let place = rest.trailingZeroBitCount
      rest &= rest &- 1
      let slot = slots.lowerBound &+ place
      let position = FixedPosition(longitude: longitudes[slot], latitude: latitudes[slot])
      if contains(position) { passing |= 1 &<< UInt64(truncatingIfNeeded: place) }
    }
    return passing
  }

  /// The relation of a box to an area.
  enum Relation {
    case outside, inside, crossed
  }

  /// The relation of the box to the area, as far as whole cells show it: a box that is wholly inside or outside may be
  /// `crossed`.
  func relation(to box: FixedBox) -> Relation {
    guard bounds.overlaps(box) else { return .outside }
    let (inside, outside, all) = cells.count(in: box.intersection(bounds))
    if outside == all { return .outside }
    return inside == all && bounds.contains(box) ? .inside : .crossed
  }

  /// Memory in bytes, including the corners of the shape.
  package var memoryFootprint: Int {
    lines.capacity * MemoryLayout<Line>.stride + starts.capacity * 8 + cells.memoryFootprint
      + shape.polygons.joined().reduce(0) { $0 + $1.capacity * 8 }
  }

  /// The area of polygons on a sphere. The sides are straight on the cylindrical equal-area projection, which for sides
  /// of up to a degree differs from straight ones on a map by less than one in ten thousand.
  private static func size(of shape: RegionShape) -> Double {
    let unit = Double.pi / 180 / FixedPosition.unitsPerDegree
    let radius = Earth.authalicRadius / 1_000
    func area(_ ring: RegionShape.Ring) -> Double {
      let sum = zip(ring, ring.dropFirst() + ring.prefix(1)).reduce(0.0) { sum, side in
        let heights =
          sin(Double(side.0.latitude) * unit) + sin(Double(side.1.latitude) * unit)
        return sum + (Double(side.1.longitude) - Double(side.0.longitude)) * unit * heights / 2
      }
      return abs(sum) * radius * radius
    }
    return shape.polygons.reduce(0) { sum, rings in
      sum + (rings.first.map(area) ?? 0) - rings.dropFirst().reduce(0) { $0 + area($1) }
    }
  }
}

extension Region: Hashable {
  package static func == (one: Region, other: Region) -> Bool {
    one === other || one.bounds == other.bounds && one.shape == other.shape
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bounds)
    hasher.combine(lines.count)
  }
}
