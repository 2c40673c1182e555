import Testing

@testable import PrivacyMap

@Suite struct FixedPositionTests {
  @Test(arguments: [
    (0.0, 0.0, 0, 0), (180, 90, 1_800_000_000, 900_000_000),
    (-180, -90, -1_800_000_000, -900_000_000), (-8.6291053, 41.1579438, -86_291_053, 411_579_438),
    (0.000_000_04, -0.000_000_06, 0, -1),
  ])
  func `degrees are rounded to the nearest unit`(
    longitude: Double, latitude: Double, x: Int32, y: Int32
  ) throws {
    let expected = FixedPosition(longitude: x, latitude: y)
    #expect(FixedPosition(longitude: longitude, latitude: latitude) == expected)
    #expect(
      FixedPosition(try Coordinate(longitude: longitude, latitude: latitude)) == expected)
  }

  @Test(arguments: [
    (180.000_000_1, 0.0), (-180.000_000_1, 0), (0, 90.000_000_1), (0, -90.000_000_1), (.nan, 0),
    (0, .nan), (.infinity, 0), (0, -.infinity), (1e300, 0),
  ])
  func `invalid degrees give no position`(longitude: Double, latitude: Double) {
    #expect(FixedPosition(longitude: longitude, latitude: latitude) == nil)
  }

  @Test func `seven decimals survive conversion in both directions`() throws {
    var generator = SeededGenerator(seed: 41)
    for _ in 0..<2_000 {
      let units = Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator)
      let position = FixedPosition(longitude: units, latitude: units / 2)
      let back = try #require(
        FixedPosition(
          longitude: position.longitudeDegrees, latitude: position.latitudeDegrees))
      #expect(back == position)
    }
  }

  @Test func `a box edge in degrees is inclusive`() {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<500 {
      let units = Int32.random(in: -1_700_000_000...1_700_000_000, using: &generator)
      let degrees = Double(units) / 10_000_000
      let box = FixedBox.degrees(west: degrees, south: -90, east: degrees, north: 90)
      #expect(box.west == units)
      #expect(box.east == units)
    }
  }

  @Test func `an edge between two units excludes the outer one`() {
    let box = FixedBox.degrees(
      west: 1.000_000_05, south: -2.000_000_05, east: 3.000_000_05, north: 4.000_000_05)
    #expect(
      box == FixedBox(west: 10_000_001, south: -20_000_000, east: 30_000_000, north: 40_000_000))
  }

  @Test func `a box outside the world is empty`() {
    let box = FixedBox.degrees(west: 190, south: -90, east: 1e300, north: 90)
    #expect(!box.overlaps(.world))
    #expect(!box.contains(FixedPosition(longitude: 1_800_000_000, latitude: 0)))
  }

  @Test func `an edge that is not a number gives an empty box`() {
    #expect(FixedBox.degrees(west: .nan, south: 0, east: 1, north: 1).isEmpty)
    #expect(FixedBox.degrees(west: 0, south: 0, east: 1, north: .nan).isEmpty)
  }

  @Test func `a box across the antimeridian becomes two that meet there`() throws {
    let halves = FixedBox.halves(
      of: try BoundingBox(west: 170, south: -10, east: -170, north: 10))
    #expect(
      halves == [
        FixedBox(
          west: 1_700_000_000, south: -100_000_000, east: 1_800_000_000, north: 100_000_000),
        FixedBox(
          west: -1_800_000_000, south: -100_000_000, east: -1_700_000_000, north: 100_000_000),
      ])
  }

  @Test func `boxes that share an edge overlap, one unit apart they do not`() {
    let box = FixedBox(west: 0, south: 0, east: 10, north: 10)
    #expect(box.overlaps(FixedBox(west: 10, south: 10, east: 20, north: 20)))
    #expect(!box.overlaps(FixedBox(west: 11, south: 0, east: 20, north: 10)))
    #expect(!box.overlaps(FixedBox(west: 0, south: 11, east: 10, north: 20)))
    #expect(!box.overlaps(FixedBox(west: -20, south: 0, east: -1, north: 10)))
    #expect(!box.overlaps(FixedBox(west: 0, south: -20, east: 10, north: -1)))
    #expect(box.contains(FixedPosition(longitude: 10, latitude: 0)))
    #expect(!box.contains(FixedPosition(longitude: 11, latitude: 0)))
  }
}
