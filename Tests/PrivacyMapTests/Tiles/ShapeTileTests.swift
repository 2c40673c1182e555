import Testing

@testable import PrivacyMap

/// Lines and polygons in vector tiles.
@Suite struct ShapeTileTests {
  private func position(_ x: Double, _ y: Double) -> Geometry.Position { .init(x, y) }

  private func square(_ low: Double, _ high: Double) -> [Geometry.Position] {
    [(low, low), (high, low), (high, high), (low, high), (low, low)].map { position($0.0, $0.1) }
  }

  private func features(
    _ geometry: Geometry, z: Int = 0, x: Int = 0, y: Int = 0,
    properties: [(key: String, value: TileValue)] = []
  ) throws -> [VectorTileReader.Feature] {
    let address = try #require(TileAddress(z: z, x: x, y: y))
    let shape = TileShape(id: 7, geometry: geometry, properties: properties)
    let tile = ShapeTile.encode([shape], layer: "layer", at: address)
    return try VectorTileReader.layers(tile)["layer"]?.features ?? []
  }

  @Test func `a line keeps its positions and its properties`() throws {
    let line = Geometry.lineString([position(-90, 0), position(0, 0), position(90, 0)])
    let found = try features(
      line, properties: [("name", .text("a")), ("width", .number(2.5)), ("paved", .bool(true))])
    #expect(found.count == 1 && found[0].type == 2 && found[0].id == 7)
    #expect(found[0].paths == [[[1_024, 2_048], [2_048, 2_048], [3_072, 2_048]]])
    #expect(
      found[0].properties == ["name": .text("a"), "width": .double(2.5), "paved": .bool(true)])
  }

  @Test func `an outline runs clockwise on the screen and a hole the other way`() throws {
    for isTurned in [false, true] {
      let rings = [square(-60, 60), square(-20, 20)].map { isTurned ? $0.reversed() : $0 }
      let found = try features(.polygon(rings))
      #expect(found.count == 1 && found[0].type == 3 && found[0].rings == 2)
      let areas = found[0].paths.map { ring in
        TilePosition.doubledArea(ring.map { TilePosition(Double($0[0]), Double($0[1])) })
      }
      #expect(areas[0] > 0 && areas[1] < 0)
    }
  }

  @Test func `shapes are clipped slightly outside their tile`() throws {
    let world = Geometry.polygon([square(-80, 80)])
    let found = try features(world, z: 3, x: 4, y: 3)
    #expect(found.count == 1)
    let numbers = found[0].paths.flatMap { $0 }.flatMap { $0 }
    #expect(numbers.min() == -128 && numbers.max() == 4_096 + 128)
  }

  @Test func `a line that leaves its tile and returns becomes two parts`() throws {
    // Out of the north-western quarter to the east and back again.
    let line = Geometry.lineString(
      [position(-90, 20), position(90, 30), position(90, 50), position(-90, 60)])
    let found = try features(line, z: 1, x: 0, y: 0)
    #expect(found.count == 1 && found[0].paths.count == 2)
  }

  @Test func `a shape outside, or smaller than a unit, is left out`() throws {
    #expect(try features(.polygon([square(1, 2)]), z: 2, x: 0, y: 0).isEmpty)
    #expect(try features(.polygon([square(1, 1.000_1)])).isEmpty)
    #expect(try features(.lineString([position(1, 1), position(1.000_1, 1)])).isEmpty)
    #expect(try !features(.polygon([square(1, 1.5)])).isEmpty)
  }

  @Test func `a hole too small to be seen is left out, its outline is not`() throws {
    let found = try features(.polygon([square(-60, 60), square(1, 1.000_1)]))
    #expect(found.first?.rings == 1)
  }

  @Test func `a point is drawn in one tile only`() throws {
    for x in 0...1 {
      for y in 0...1 {
        let found = try features(.point(position(0, 0)), z: 1, x: x, y: y)
        #expect(found.count == (x == 1 && y == 1 ? 1 : 0))
      }
    }
  }

  @Test func `a collection gives one feature of each geometry type`() throws {
    let found = try features(
      .collection([
        .point(position(1, 1)), .lineString([position(0, 0), position(50, 50)]),
        .polygon([square(10, 30)]), .multiLineString([[position(5, 5), position(60, 5)]]),
      ]))
    #expect(found.map(\.type) == [1, 2, 3])
    #expect(found[1].paths.count == 2)
  }

  @Test func `the poles are drawn on the edge`() throws {
    let found = try features(.lineString([position(0, -90), position(0, 90)]))
    #expect(found.first?.paths == [[[2_048, 4_096], [2_048, 0]]])
  }

  @Test(arguments: [(0, 0, 0), (1, 1, 0), (3, 4, 3), (22, 0, 0), (22, 4_194_303, 4_194_303)])
  func `the box of a tile with its buffer contains the tile`(z: Int, x: Int, y: Int) throws {
    let address = try #require(TileAddress(z: z, x: x, y: y))
    let box = address.boxWithMargin
    let tile = address.box
    #expect(box[0] <= Double(tile.west) / FixedPosition.unitsPerDegree)
    #expect(box[1] <= Double(tile.south) / FixedPosition.unitsPerDegree)
    #expect(box[2] >= Double(tile.east) / FixedPosition.unitsPerDegree)
    #expect(box[3] >= Double(tile.north) / FixedPosition.unitsPerDegree)
    #expect(abs(box[0]) <= 180 && abs(box[2]) <= 180 && abs(box[1]) <= 90 && abs(box[3]) <= 90)
  }
}
