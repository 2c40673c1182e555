import Testing

@testable import PrivacyMap

@Suite struct PointNearnessTests {
  /// The same result, computed from every device.
  private func expected(
    _ world: RandomWorld, _ place: Coordinate, _ filter: PointFilter
  ) -> [NearPoint] {
    let origin = DistanceOrigin(FixedPosition(place))
    return world.matching(filter)
      .map { NearPoint(metres: origin.metres(to: $0.position), rowid: $0.rowid) }.sorted()
  }

  @Test func `the nearest devices come first, from any position`() throws {
    for var world in PointIndexQueryTests.worlds {
      let places = [
        (0, 0), (179.9999, -16), (-180, 0), (180, 5), (0, 90), (13, -90), (-8.6, 41.1), (77, 89.99),
        (100, -62), (-150, 80),
      ]
      for (longitude, latitude) in places {
        let place = try Coordinate(longitude: longitude, latitude: latitude)
        for filter in [PointFilter(), world.filter()] {
          let found = world.index.nearest(to: place, matching: filter, limit: 25)
          #expect(found == Array(expected(world, place, filter).prefix(25)))
        }
      }
    }
  }

  @Test func `pages continue after the last one, also among equal distances`() throws {
    for world in PointIndexQueryTests.worlds {
      let place = try Coordinate(longitude: -8.6, latitude: 41.1)
      let filter = PointFilter(statuses: [0, 1, 2])
      var found: [NearPoint] = []
      while true {
        let page = world.index.nearest(to: place, matching: filter, after: found.last, limit: 97)
        if page.isEmpty { break }
        found += page
      }
      #expect(found == expected(world, place, filter))
    }
  }

  @Test func `a radius includes points at its distance and none beyond`() throws {
    let world = RandomWorld(seed: 9, count: 1_000)
    let place = try Coordinate(longitude: 0.01, latitude: 0)
    let all = expected(world, place, PointFilter())
    let radius = all[40].metres
    let inside = all.filter { $0.metres <= radius }
    #expect(
      world.index.nearest(to: place, matching: PointFilter(), within: radius, limit: 900) == inside)
    #expect(
      world.index.nearest(to: place, matching: PointFilter(), within: radius.nextDown, limit: 900)
        == all.filter { $0.metres < radius })
  }

  @Test func `distances agree with those between coordinates`() throws {
    var generator = SeededGenerator(seed: 10)
    for _ in 0..<200 {
      let one = try Coordinate(
        longitude: .random(in: -180...180, using: &generator),
        latitude: .random(in: -90...90, using: &generator))
      let other = try Coordinate(
        longitude: .random(in: -180...180, using: &generator),
        latitude: .random(in: -90...90, using: &generator))
      let metres = DistanceOrigin(FixedPosition(one)).metres(to: FixedPosition(other))
      // Both places are rounded to the nearest unit, a centimetre at most.
      #expect(abs(metres - one.distance(to: other)) < 0.05)
    }
  }

  @Test func `no point of a box is nearer than the box`() {
    var generator = SeededGenerator(seed: 11)
    func position() -> FixedPosition {
      FixedPosition(
        longitude: Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator),
        latitude: Int32.random(in: -900_000_000...900_000_000, using: &generator))
    }
    for _ in 0..<400 {
      let origin = DistanceOrigin(position())
      var box = FixedBox(position())
      box.formUnion(FixedBox(position()))
      let least = origin.minMetres(to: box)
      for _ in 0..<20 {
        let inside = FixedPosition(
          longitude: Int32.random(in: box.west...box.east, using: &generator),
          latitude: Int32.random(in: box.south...box.north, using: &generator))
        #expect(origin.metres(to: inside) >= least)
      }
    }
  }

  @Test func `without matches there are no nearest devices`() throws {
    let world = RandomWorld(seed: 12, count: 20_000)
    let place = try Coordinate(longitude: 0, latitude: 0)
    #expect(
      world.index.nearest(to: place, matching: PointFilter(categories: [200]), limit: 3).isEmpty)
    #expect(world.index.nearest(to: place, matching: PointFilter(), limit: 0).isEmpty)
    #expect(PointIndex().nearest(to: place, matching: PointFilter(), limit: 3).isEmpty)
  }
}
