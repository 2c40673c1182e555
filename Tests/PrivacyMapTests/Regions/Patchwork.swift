@testable import PrivacyMap

/// Areas that cover a rectangle without gaps: a grid whose inner corners are moved at random, and whose sides have further
/// corners that both neighbours share.
struct Patchwork {
  static let side = 6
  private static let spacing: Int32 = 1_000_000

  let regions: [Region]
  /// The border around all of them.
  let whole: Region
  /// All corners of borders.
  let corners: [FixedPosition]
  /// The two ends of each line.
  let lines: [(FixedPosition, FixedPosition)]

  /// - Parameters:
  ///   - seed: the seed of the positions of corners.
  ///   - bends: the number of corners within a side.
  ///   - origin: the south-western corner.
  /// - Throws: ``NoArea``.
  init(
    seed: UInt64, bends: Int = 4,
    at origin: FixedPosition = FixedPosition(longitude: 85_000_000, latitude: 473_000_000)
  )
    throws
  {
    var generator = SeededGenerator(seed: seed)
    var nodes: [[FixedPosition]] = []
    for row in 0...Self.side {
      nodes.append(
        (0...Self.side).map { column in
          let isInner = (1..<Self.side).contains(row) && (1..<Self.side).contains(column)
          let reach: Int32 = isInner ? 300_000 : 0
          return FixedPosition(
            longitude: origin.longitude + Int32(column) * Self.spacing
              + Int32.random(in: -reach...reach, using: &generator),
            latitude: origin.latitude + Int32(row) * Self.spacing
              + Int32.random(in: -reach...reach, using: &generator))
        })
    }
    func side(_ one: FixedPosition, _ other: FixedPosition) -> [FixedPosition] {
      var points = [one]
      for bend in 0..<bends {
        let share = (Double(bend) + 1) / (Double(bends) + 1)
        func between(_ a: Int32, _ b: Int32) -> Int32 {
          a + Int32((Double(b) - Double(a)) * share)
            + Int32.random(in: -60_000...60_000, using: &generator)
        }
        points.append(
          FixedPosition(
            longitude: between(one.longitude, other.longitude),
            latitude: between(one.latitude, other.latitude)))
      }
      return points
    }
    // The corners of each side, without its last.
    let eastward = (0...Self.side).map { row in
      (0..<Self.side).map { side(nodes[row][$0], nodes[row][$0 + 1]) }
    }
    let northward = (0..<Self.side).map { row in
      (0...Self.side).map { side(nodes[row][$0], nodes[row + 1][$0]) }
    }
    func back(_ side: [FixedPosition], _ end: FixedPosition) -> [FixedPosition] {
      Array((side.dropFirst() + [end]).reversed())
    }
    var regions: [Region] = []
    var lines: [(FixedPosition, FixedPosition)] = []
    for row in 0..<Self.side {
      for column in 0..<Self.side {
        let ring =
          eastward[row][column] + northward[row][column + 1]
          + back(eastward[row + 1][column], nodes[row + 1][column + 1])
          + back(northward[row][column], nodes[row + 1][column])
        let shape = RegionShape(polygons: [[ring]])
        guard let region = Region(shape) else { throw NoArea() }
        regions.append(region)
        lines += zip(ring, ring.dropFirst() + ring.prefix(1))
      }
    }
    let last = Self.side
    let outline =
      eastward[0].flatMap { $0 } + northward.flatMap { $0[last] }
      + (0..<last).reversed().flatMap { back(eastward[last][$0], nodes[last][$0 + 1]) }
      + (0..<last).reversed().flatMap { back(northward[$0][0], nodes[$0 + 1][0]) }
    guard let whole = Region(RegionShape(polygons: [[outline]])) else { throw NoArea() }
    (self.regions, self.whole, self.lines) = (regions, whole, lines)
    corners = lines.map(\.0)
  }

  struct NoArea: Error {}

  /// Positions on corners, on lines, next to them and between.
  func positions(_ count: Int, seed: UInt64) -> [FixedPosition] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      if number % 4 == 0 { return corners[Int.random(in: corners.indices, using: &generator)] }
      let line = lines[Int.random(in: lines.indices, using: &generator)]
      let share = Double.random(in: 0...1, using: &generator)
      let near: Int32 = number % 4 == 3 ? 200_000 : number % 4 == 2 ? 1 : 0
      func between(_ a: Int32, _ b: Int32) -> Int32 {
        a + Int32((Double(b) - Double(a)) * share)
          + Int32.random(in: -near...near, using: &generator)
      }
      return FixedPosition(
        longitude: between(line.0.longitude, line.1.longitude),
        latitude: between(line.0.latitude, line.1.latitude))
    }
  }
}
