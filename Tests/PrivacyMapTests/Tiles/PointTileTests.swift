import Testing

@testable import PrivacyMap

@Suite struct PointTileTests {
  private let profile = DeviceProfile(
    category: 0, status: 0, setting: 0, operatorKind: 0, precision: 0, data: 0, choices: 0)

  /// An index of devices at these places, in units; rows count from 1, with the given categories.
  private func index(_ places: [(x: Int32, y: Int32, category: UInt8)]) -> PointIndex {
    var builder = PointIndex.Builder()
    for (row, place) in places.enumerated() {
      var profile = profile
      profile.category = place.category
      builder.append(
        IndexedPoint(
          rowid: UInt32(row + 1), id: DeviceID(high: 0, low: UInt64(row)),
          position: FixedPosition(longitude: place.x, latitude: place.y), profile: profile))
    }
    return builder.finish(sequence: 0)
  }

  private func tile(_ z: Int, _ x: Int, _ y: Int) throws -> TileAddress {
    try #require(TileAddress(z: z, x: x, y: y))
  }

  /// The tile south-east of the point where the equator meets the prime meridian.
  private func corner(_ z: Int) throws -> TileAddress { try tile(z, (1 << z) / 2, (1 << z) / 2) }

  @Test func `all tiles of a zoom together draw every matching device once`() throws {
    for var world in PointIndexQueryTests.worlds {
      for z in [0, 1, 3, 4] {
        let filter = world.filter()
        let expected = world.matching(filter)
        var count = 0
        var rows: [UInt32] = []
        for x in 0..<1 << z {
          for y in 0..<1 << z {
            let content = world.index.tile(try tile(z, x, y), matching: filter)
            count += content.clusters.reduce(content.devices.count) { $0 + $1.count }
            rows += content.devices.map(\.rowid)
          }
        }
        #expect(count == expected.count)
        #expect(Set(rows).count == rows.count)
        #expect(Set(rows).isSubset(of: expected.map(\.rowid)))
      }
    }
  }

  @Test func `at every zoom the tiles with devices hold all of them`() throws {
    for world in PointIndexQueryTests.worlds.suffix(2) {
      for z in 5...22 {
        let tiles = Set(
          try world.points.values.compactMap { point in
            TileAddress(
              z: z,
              containing: try Coordinate(
                longitude: point.position.longitudeDegrees,
                latitude: point.position.latitudeDegrees))
          })
        let drawn = tiles.reduce(0) { sum, tile in
          let content = world.index.tile(tile, matching: PointFilter())
          return content.clusters.reduce(sum + content.devices.count) { $0 + $1.count }
        }
        #expect(drawn == world.points.count)
      }
    }
  }

  @Test func `clusters equal a plain sum over their cell`() throws {
    for var world in PointIndexQueryTests.worlds {
      for (z, x, y) in [(0, 0, 0), (2, 3, 2), (4, 7, 5), (6, 31, 31), (9, 511, 279)] {
        let filter = world.filter()
        let address = try tile(z, x, y)
        let grid = TileGrid(address)
        let inside = world.matching(filter).filter { address.box.contains($0.position) }
        let cells = Dictionary(grouping: inside) {
          grid.cell(longitude: $0.position.longitude, latitude: $0.position.latitude)
        }
        let content = world.index.tile(address, matching: filter)
        let expected = cells.filter { $0.value.count > 1 }
          .map { cluster(of: $0.value, cell: $0.key, grid) }.sorted { $0.id < $1.id }
        #expect(content.clusters == expected)
        #expect(
          content.devices.map(\.rowid)
            == cells.values.filter { $0.count == 1 }.map { $0[0].rowid }.sorted())
      }
    }
  }

  private func cluster(of members: [IndexedPoint], cell: Int, _ grid: TileGrid) -> TileCluster {
    let spot = grid.units(
      longitude: members.reduce(0) { $0 + Double($1.position.longitude) } / Double(members.count),
      latitude: members.reduce(0) { $0 + Double($1.position.latitude) } / Double(members.count),
      cell: cell)
    let leading = Dictionary(grouping: members, by: \.profile.category)
      .map { CategoryCount(category: $0.key, count: $0.value.count) }
      .sorted { ($1.count, $0.category) < ($0.count, $1.category) }.prefix(3)
    let box = members.reduce(into: FixedBox.nothing) { $0.formUnion(FixedBox($1.position)) }
    return TileCluster(
      id: grid.identifier(ofCell: cell), count: members.count, x: spot.x, y: spot.y, box: box,
      isStack: Set(members.map(\.position)).count == 1, leading: Array(leading))
  }

  @Test func `a single device has all the values of its symbol`() throws {
    var point = IndexedPoint(
      rowid: 9, id: DeviceID(high: 5, low: 6),
      position: FixedPosition(longitude: 900_000_000, latitude: 0), profile: profile,
      bearing: 45)
    point.profile.category = 3
    point.profile.status = 1
    point.profile.precision = 2
    var index = PointIndex()
    index.apply([.put(point)], sequence: 1)
    let content = index.tile(try tile(0, 0, 0), matching: PointFilter())
    #expect(
      content
        == TileContent(
          clusters: [],
          devices: [
            TileDevice(
              rowid: 9, id: DeviceID(high: 5, low: 6), x: 3_072, y: 2_048, category: 3, status: 1,
              precision: 2, bearing: 45)
          ]))
  }

  @Test func `a cell shows single devices up to the limit of its zoom, then clusters`()
    throws
  {
    for (z, maximum) in [(0, 1), (11, 1), (12, 4), (13, 4), (14, 8), (15, 8)] {
      // In a row from a corner of tiles eastwards, well inside one cell.
      let places = (0...maximum).map { (x: Int32($0 * 100), y: Int32(-10), category: UInt8(0)) }
      let corner = try corner(z)
      let few = index(places.dropLast()).tile(corner, matching: PointFilter())
      let many = index(places).tile(corner, matching: PointFilter())
      #expect(few.clusters.reduce(few.devices.count) { $0 + $1.count } == maximum)
      #expect(many.clusters.map(\.count) == [maximum + 1])
      #expect(many.clusters.map(\.isStack) == [false])
      #expect(many.devices.isEmpty)
    }
  }

  @Test func `from zoom 16 on a dense group is drawn one by one`() throws {
    let places = (0..<200).map { (x: Int32($0 * 100), y: Int32(-10), category: UInt8(0)) }
    let content = index(places).tile(try tile(16, 32_768, 32_768), matching: PointFilter())
    #expect(content.devices.count == 200)
    #expect(content.clusters.isEmpty)
  }

  @Test(arguments: [0, 8, 12, 14, 16, 22])
  func `devices at one position are a stack at every zoom`(z: Int) throws {
    let content = index([(7, -7, 1), (7, -7, 2), (7, -7, 2)])
      .tile(try corner(z), matching: PointFilter())
    #expect(content.devices.isEmpty)
    let stack = try #require(content.clusters.first)
    #expect(content.clusters.count == 1)
    #expect(stack.count == 3)
    #expect(stack.isStack)
    #expect(stack.box == FixedBox(FixedPosition(longitude: 7, latitude: -7)))
    #expect(
      stack.leading == [
        CategoryCount(category: 2, count: 2), CategoryCount(category: 1, count: 1),
      ])
  }

  @Test func `devices in one unit of the tile form a stack at the highest zoom only`()
    throws
  {
    // Three units are 3 cm: one unit of a tile at zoom 16 is 15 cm.
    let index = index([(1, -7, 0), (4, -7, 0)])
    for (z, isStack) in [(14, false), (15, false), (16, true)] {
      let content = index.tile(try corner(z), matching: PointFilter())
      #expect(content.clusters.map(\.count) == [2])
      #expect(content.clusters.map(\.isStack) == [isStack])
      #expect(content.clusters.map(\.box.east) == [4])
    }
  }

  @Test func `the box of a cluster that is not a stack has an extent`() throws {
    for world in PointIndexQueryTests.worlds {
      for cluster in world.index.tile(try tile(2, 1, 1), matching: PointFilter()).clusters
      where !cluster.isStack {
        let filter = PointFilter(boxes: [cluster.box])
        #expect(world.index.count(matching: filter) >= cluster.count)
        #expect(!cluster.box.isPoint)
      }
    }
  }

  @Test func `devices nearer to a pole than the map are drawn on its edge`() throws {
    let index = index([(0, 900_000_000, 0), (0, -900_000_000, 1)])
    let north = index.tile(try tile(3, 4, 0), matching: PointFilter())
    let south = index.tile(try tile(3, 4, 7), matching: PointFilter())
    #expect(north.devices.map(\.y) == [0])
    #expect(south.devices.map(\.y) == [4_095])
    #expect(north.devices.map(\.category) == [0])
    #expect(south.devices.map(\.category) == [1])
  }

  @Test func `a box outside the tile leaves it empty`() throws {
    let index = index([(10, -10, 0)])
    let box = FixedBox(west: -20, south: -20, east: -1, north: 0)
    let filter = PointFilter(boxes: [box])
    #expect(index.tile(try tile(1, 1, 1), matching: filter).isEmpty)
    #expect(!index.tile(try tile(1, 1, 1), matching: PointFilter()).isEmpty)
  }

  @Test func `features have unique ids that are exact in JavaScript`() throws {
    for world in PointIndexQueryTests.worlds {
      for (z, x, y) in [(0, 0, 0), (9, 511, 279), (12, 2_048, 2_048), (16, 32_768, 32_768)] {
        let content = world.index.tile(try tile(z, x, y), matching: PointFilter())
        #expect(Set(content.clusters.map(\.id)).count == content.clusters.count)
        #expect(content.clusters.allSatisfy { $0.id < 1 << 52 })
      }
    }
  }
}
