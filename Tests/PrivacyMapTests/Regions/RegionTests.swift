import Testing

@testable import PrivacyMap

/// Positions inside and on borders.
struct RegionTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func eachPositionAtABorderIsInExactlyOneArea(seed: UInt64) throws {
    let patchwork = try Patchwork(seed: seed)
    var onBorders = 0
    var wrong: [FixedPosition] = []
    for position in patchwork.positions(10_000, seed: seed) {
      let count = patchwork.regions.count { $0.contains(position) }
      if count != (patchwork.whole.contains(position) ? 1 : 0) { wrong.append(position) }
      if count == 1 { onBorders += 1 }
    }
    #expect(wrong == [])
    #expect(onBorders > 6_000)
  }

  /// The rule itself, without cells and with numbers that cannot overflow.
  private func isInside(_ position: FixedPosition, _ shape: RegionShape) -> Bool {
    var isInside = false
    for ring in shape.polygons.joined() {
      for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
        guard (one.latitude <= position.latitude) != (other.latitude <= position.latitude) else {
          continue
        }
        let (low, high) = one.latitude < other.latitude ? (one, other) : (other, one)
        let left =
          Int128(position.longitude - low.longitude) * Int128(high.latitude - low.latitude)
        let right =
          Int128(position.latitude - low.latitude)
          * (Int128(high.longitude) - Int128(low.longitude))
        if left < right { isInside.toggle() }
      }
    }
    return isInside
  }

  @Test func cellsDoNotChangeTheAnswer() throws {
    let patchwork = try Patchwork(seed: 9, bends: 20)
    let positions = patchwork.positions(3_000, seed: 9)
    for region in patchwork.regions.prefix(2) + [patchwork.whole] {
      let wrong = positions.filter { region.contains($0) != isInside($0, region.shape) }
      #expect(wrong == [])
    }
  }

  @Test func boxesAreInsideOrOutsideOnlyIfAllTheirPositionsAre() throws {
    var generator = SeededGenerator(seed: 4)
    let patchwork = try Patchwork(seed: 4, bends: 20)
    let region = patchwork.regions[14]
    let bounds = region.bounds
    var seen: Set<Region.Relation> = []
    var wrong = 0
    for _ in 0..<4_000 {
      let west = Int32.random(
        in: bounds.west - 400_000...bounds.east + 400_000, using: &generator)
      let south = Int32.random(
        in: bounds.south - 400_000...bounds.north + 400_000, using: &generator)
      let size = Int32.random(in: 0...200_000, using: &generator)
      let box = FixedBox(west: west, south: south, east: west + size, north: south + size)
      let relation = region.relation(to: box)
      seen.insert(relation)
      guard relation != .crossed else { continue }
      for _ in 0..<20 {
        let position = FixedPosition(
          longitude: Int32.random(in: box.west...box.east, using: &generator),
          latitude: Int32.random(in: box.south...box.north, using: &generator))
        if region.contains(position) != (relation == .inside) { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(seen.count == 3)
  }

  @Test func holesAndFurtherPolygonsCount() throws {
    func square(_ west: Int32, _ south: Int32, _ side: Int32) -> RegionShape.Ring {
      [(0, 0), (side, 0), (side, side), (0, side)].map {
        FixedPosition(longitude: west + $0.0, latitude: south + $0.1)
      }
    }
    let shape = RegionShape(polygons: [
      [square(0, 0, 1_000), square(400, 400, 100)], [square(2_000, 0, 10)],
    ])
    let region = try #require(Region(shape))
    func contains(_ x: Int32, _ y: Int32) -> Bool {
      region.contains(FixedPosition(longitude: x, latitude: y))
    }
    #expect(contains(0, 0))
    #expect(!contains(1_000, 0))
    #expect(!contains(0, 1_000))
    #expect(!contains(450, 450))
    #expect(contains(500, 450))
    #expect(contains(2_005, 5))
    #expect(!contains(1_500, 5))
  }

  @Test func theSizeIsThatOfTheSphere() throws {
    // One degree at the equator, and the half of the world.
    func box(_ west: Int32, _ south: Int32, _ east: Int32, _ north: Int32) throws -> Region {
      let corners = [(west, south), (east, south), (east, north), (west, north)]
      return try #require(
        Region(
          RegionShape(polygons: [
            [
              corners.map {
                FixedPosition(longitude: $0.0 * 10_000_000, latitude: $0.1 * 10_000_000)
              }
            ]
          ])))
    }
    #expect(abs(try box(10, 0, 11, 1).squareKilometres - 12_364) < 3)
    #expect(abs(try box(0, -90, 180, 90).squareKilometres - 255_033_000) < 200_000)
  }

  @Test func theFormOfFilesIsReadAsWritten() throws {
    let shape = try Patchwork(seed: 5).regions[3].shape
    #expect(RegionShape(bytes: shape.bytes) == shape)
    #expect(RegionShape(bytes: []) == nil)
    #expect(RegionShape(bytes: Array(shape.bytes.dropLast())) == nil)
    #expect(RegionShape(bytes: shape.bytes + [0]) == nil)
    var many = shape.bytes
    many.replaceSubrange(0..<4, with: [255, 255, 255, 255])
    #expect(RegionShape(bytes: many) == nil)
  }
}

/// Regions in filters of the index.
struct RegionFilterTests {
  /// The number of devices that are near the border or inside.
  private func world(_ patchwork: Patchwork) -> (index: PointIndex, points: [IndexedPoint]) {
    var random = RandomWorld(seed: 21, count: 0)
    var builder = PointIndex.Builder(expectedCount: 12_000)
    var points: [IndexedPoint] = []
    for (rowid, position) in patchwork.positions(12_000, seed: 22).enumerated() {
      var point = random.makePoint(rowid: UInt32(rowid))
      point.position = position
      points.append(point)
      builder.append(point)
    }
    return (builder.finish(sequence: 1), points)
  }

  @Test func theIndexAgreesWithTheRule() throws {
    let patchwork = try Patchwork(seed: 20)
    let (index, points) = world(patchwork)
    var sum = 0
    for region in patchwork.regions {
      let filter = PointFilter().narrowed(to: region)
      let expected = points.filter { filter.accepts($0) }.map { Int64($0.rowid) }
      #expect(index.rowids(matching: filter) == expected)
      #expect(index.count(matching: filter) == expected.count)
      sum += expected.count
    }
    #expect(sum == index.count(matching: PointFilter().narrowed(to: patchwork.whole)))
  }

  @Test func otherConditionsNarrowARegion() throws {
    let patchwork = try Patchwork(seed: 20)
    let (index, points) = world(patchwork)
    let region = patchwork.regions[8]
    let middle = (region.bounds.west + region.bounds.east) / 2
    var half = region.bounds
    half.east = middle
    var filter = PointFilter(boxes: [half], statuses: [0, 1]).narrowed(to: region)
    filter.countries = [IndexedPoint.packedCountry("PT")]
    let expected = points.filter { filter.accepts($0) }.map { Int64($0.rowid) }
    #expect(!expected.isEmpty)
    #expect(index.rowids(matching: filter) == expected)
    let nearest = index.nearest(
      to: try Coordinate(longitude: 8.8, latitude: 47.6), matching: filter, limit: 10_000)
    #expect(nearest.map { Int64($0.rowid) }.sorted() == expected)
    var drawn = 0
    for x in 0..<64 {
      for y in 0..<64 {
        let address = try #require(TileAddress(z: 6, x: x, y: y))
        let tile = index.tile(address, matching: filter)
        drawn += tile.devices.count + tile.clusters.reduce(0) { $0 + $1.count }
      }
    }
    #expect(drawn == expected.count)
    let both = filter.narrowed(to: patchwork.regions[9])
    #expect(index.count(matching: both) == 0)
  }
}
