import Testing

@testable import PrivacyMap

@Suite struct TileAddressTests {
  @Test(arguments: [(0, 0, 0), (1, 1, 1), (22, 4_194_303, 0), (22, 0, 4_194_303)])
  func `the first and last tile of a zoom exist`(z: Int, x: Int, y: Int) {
    #expect(TileAddress(z: z, x: x, y: y) != nil)
  }

  @Test(arguments: [
    (-1, 0, 0), (23, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0), (3, 8, 0), (3, 0, 8), (3, 0, -1),
    (22, 4_194_304, 0), (Int.max, 0, 0), (5, .max, 0), (5, 0, .min),
  ])
  func `tiles one step past the last do not exist`(z: Int, x: Int, y: Int) {
    #expect(TileAddress(z: z, x: x, y: y) == nil)
  }

  @Test func `the one tile of zoom 0 covers the world with its poles`() throws {
    let tile = try #require(TileAddress(z: 0, x: 0, y: 0))
    #expect(tile.box == .world)
  }

  @Test(arguments: [1, 2, 3, 7])
  func `the tiles of a zoom cover the world without gap or overlap`(z: Int) throws {
    let side = 1 << z
    for part in 0..<side {
      let tile = try #require(TileAddress(z: z, x: part, y: part)).box
      if part == 0 {
        #expect(tile.west == FixedBox.world.west)
        #expect(tile.north == FixedBox.world.north)
      } else {
        let before = try #require(TileAddress(z: z, x: part - 1, y: part - 1)).box
        #expect(tile.west == before.east + 1)
        #expect(tile.north == before.south - 1)
      }
      if part == side - 1 {
        #expect(tile.east == FixedBox.world.east)
        #expect(tile.south == FixedBox.world.south)
      }
    }
  }

  @Test func `four tiles of the next zoom form a tile`() throws {
    var generator = SeededGenerator(seed: 61)
    for _ in 0..<300 {
      let z = Int.random(in: 0..<22, using: &generator)
      let x = Int.random(in: 0..<1 << z, using: &generator)
      let y = Int.random(in: 0..<1 << z, using: &generator)
      let tile = try #require(TileAddress(z: z, x: x, y: y)).box
      let northWest = try #require(TileAddress(z: z + 1, x: 2 * x, y: 2 * y)).box
      let southEast = try #require(TileAddress(z: z + 1, x: 2 * x + 1, y: 2 * y + 1)).box
      #expect(tile.west == northWest.west)
      #expect(tile.north == northWest.north)
      #expect(tile.east == southEast.east)
      #expect(tile.south == southEast.south)
    }
  }

  /// Columns and rows from the formulas of OpenStreetMap's wiki, "Slippy map tilenames".
  @Test(arguments: [
    (-8.6291, 41.1579, 12, 1_949, 1_533), (-73.9857, 40.7484, 15, 9_649, 12_315),
    (139.6917, 35.6895, 10, 909, 403), (-46.6333, -23.5505, 8, 94, 145),
  ])
  func `a town is in the tile of the standard formula`(
    longitude: Double, latitude: Double, z: Int, x: Int, y: Int
  ) throws {
    let place = try Coordinate(longitude: longitude, latitude: latitude)
    #expect(TileAddress(z: z, containing: place) == TileAddress(z: z, x: x, y: y))
  }

  @Test func `a corner belongs to the tile south-east of it`() throws {
    let corner = try Coordinate(longitude: 0, latitude: 0)
    #expect(TileAddress(z: 1, containing: corner) == TileAddress(z: 1, x: 1, y: 1))
    let northWest = try Coordinate(longitude: -0.000_000_1, latitude: 0.000_000_1)
    #expect(TileAddress(z: 1, containing: northWest) == TileAddress(z: 1, x: 0, y: 0))
  }

  @Test func `the poles and the antimeridian are in the last tiles`() throws {
    let last = (1 << 22) - 1
    #expect(
      TileAddress(z: 22, containing: try Coordinate(longitude: 180, latitude: -90))
        == TileAddress(z: 22, x: last, y: last))
    #expect(
      TileAddress(z: 22, containing: try Coordinate(longitude: -180, latitude: 90))
        == TileAddress(z: 22, x: 0, y: 0))
    #expect(TileAddress(z: 23, containing: try Coordinate(longitude: 0, latitude: 0)) == nil)
  }

  @Test func `every position is drawn inside its tile`() throws {
    var generator = SeededGenerator(seed: 62)
    for _ in 0..<500 {
      let place = try Coordinate(
        longitude: .random(in: -180...180, using: &generator),
        latitude: .random(in: -90...90, using: &generator))
      let z = Int.random(in: 0...22, using: &generator)
      let tile = try #require(TileAddress(z: z, containing: place))
      let position = FixedPosition(place)
      #expect(tile.box.contains(position))
      let grid = TileGrid(tile)
      let cell = grid.cell(longitude: position.longitude, latitude: position.latitude)
      let units = grid.units(
        longitude: Double(position.longitude), latitude: Double(position.latitude), cell: cell)
      #expect((0..<4_096).contains(units.x))
      #expect((0..<4_096).contains(units.y))
      #expect(units.y / 512 * 8 + units.x / 512 == cell)
    }
  }
}
