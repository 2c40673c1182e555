import Testing

@testable import PrivacyMap

/// Counts, steps and grids, compared with the plain list of points.
@Suite struct PointCountsTests {
  private static let groupings: [PointGrouping] = [
    .category, .status, .setting, .operatorKind, .precision, .zone, .legalBasis, .source, .data,
    .choices, .country, .operatorRow(except: [1, 2]), .dueDay([0...5, 20...40]),
  ]

  @Test func `groups by one or two properties add up the matching devices`() {
    for var world in PointIndexQueryTests.worlds {
      for first in Self.groupings {
        let filter = world.filter()
        let points = world.matching(filter)
        let second = world.pick(Self.groupings)
        let profiles = world.index.profileCounts(matching: filter)
        for groupings in [[first], [first, second], [second, first]] {
          let expected = Self.expected(points, groupings)
          #expect(world.index.counts(by: groupings, matching: filter) == expected)
          #expect(world.index.counts(by: groupings, matching: filter, of: profiles) == expected)
        }
      }
    }
  }

  @Test func `statements of devices are counted over all matches`() {
    for var world in PointIndexQueryTests.worlds {
      let filter = world.filter()
      let points = world.matching(filter)
      let disclosure = Disclosure(
        of: world.index.profileCounts(matching: filter), choices: 0b1010)
      #expect(disclosure.total == points.count)
      #expect(disclosure.operatorKnown == points.count { $0.profile.facts.contains(.operator) })
      #expect(disclosure.retentionKnown == points.count { $0.profile.facts.contains(.retention) })
      #expect(disclosure.choiceOffered == points.count { $0.profile.choices & 0b1010 != 0 })
    }
  }

  @Test func `without a property all matching devices are one group`() {
    for var world in PointIndexQueryTests.worlds {
      let filter = world.filter()
      let count = world.matching(filter).count
      let expected = count == 0 ? [:] : [PointGroup(): count]
      #expect(world.index.counts(by: [], matching: filter) == expected)
    }
  }

  @Test func `steps count additions and endings in and before each interval`() {
    for var world in PointIndexQueryTests.worlds {
      for starts in [[10, 20, 21, 50], [1], [60], [-400, 5, 70_000]] {
        let end = (starts.last ?? 0) + 5
        let filter = world.filter()
        let groupings = [world.pick(Self.groupings)]
        let points = world.matching(filter)
        let groups = Array(Self.expected(points, groupings).keys)
        let steps = world.index.steps(
          of: groups, by: groupings, starts: starts, end: end, matching: filter)
        for (group, steps) in zip(groups, steps) {
          let own = points.filter { Self.groups(of: $0, groupings).contains(group) }
          #expect(steps == Self.steps(own, starts: starts, end: end))
        }
      }
    }
  }

  @Test func `the standing count is all additions minus all endings`() {
    var steps = PointSteps(count: 3)
    steps.addedBefore = 5
    steps.endedBefore = 1
    steps.added = [2, 0, 1]
    steps.ended = [0, 3, 0]
    #expect(steps.standing == [6, 3, 4])
    #expect(PointSteps(sum: [steps, steps], count: 3).standing == [12, 6, 8])
    #expect(PointSteps(sum: [], count: 2).standing == [0, 0])
  }

  @Test func `the first day is that of the earliest matching device`() {
    for var world in PointIndexQueryTests.worlds {
      let filter = world.filter()
      #expect(
        world.index.firstAddedDay(matching: filter) == world.matching(filter).map(\.addedDay).min())
    }
  }

  @Test(arguments: [0, 4, 11, 12, 14, 15, 17])
  func `each device is counted in the tile of its point, or as coarser`(zoom: Int) throws {
    for var world in PointIndexQueryTests.worlds {
      let filter = world.filter()
      var expected: [[UInt32]: Int] = [:]
      var coarser = 0
      for point in world.matching(filter) {
        let precision = Precision.allCases[Int(point.profile.precision)]
        guard precision.finestGridZoom >= zoom else {
          coarser += 1
          continue
        }
        let place = try Coordinate(
          longitude: point.position.longitudeDegrees, latitude: point.position.latitudeDegrees)
        let tile = try #require(TileAddress(z: zoom, containing: place))
        expected[[UInt32(tile.x), UInt32(tile.y)], default: 0] += 1
      }
      let grid = world.index.grid(zoom: zoom, precisions: Precision.allCases, matching: filter)
      #expect(grid.coarser == coarser)
      #expect(grid.cells.count == expected.count)
      #expect(grid.cells.allSatisfy { expected[[$0.x, $0.y]] == $0.count })
    }
  }

  @Test(arguments: [(Precision.area, 11), (.kilometre, 14), (.hundredMetres, 17), (.exact, 17)])
  func `no grid cell is narrower than nine tenths of its precision cell, up to 60°`(
    precision: Precision, finest: Int
  ) {
    #expect(precision.finestGridZoom == finest)
    let width = 2 * Double.pi * Earth.mercatorRadius / Double(1 << finest) / 2
    #expect(width >= 0.9 * (precision.cellSize ?? 0))
  }

  @Test func `a grid has as many cells as its boxes touch`() {
    #expect(PointIndex.gridCellCount(zoom: 3, boxes: nil) == 64)
    let spot = FixedBox(west: 1, south: 1, east: 1, north: 1)
    #expect(PointIndex.gridCellCount(zoom: 17, boxes: [spot]) == 1)
    let cross = FixedBox(west: -1, south: -1, east: 1, north: 1)
    #expect(PointIndex.gridCellCount(zoom: 17, boxes: [cross, spot]) == 5)
    #expect(PointIndex.gridCellCount(zoom: 17, boxes: []) == 0)
  }

  @Test func `a set of rows contains exactly the inserted rows`() {
    let rows = RowSet([0, 63, 64, 1_000_000])
    #expect([0, 63, 64, 1_000_000].allSatisfy { rows.contains($0) })
    #expect(![1, 62, 65, 999_999, 1_000_001, UInt32.max].contains { rows.contains($0) })
  }

  @Test func `keys keep their number however many there are`() {
    var generator = SeededGenerator(seed: 71)
    let keys = (0..<5_000).map { _ in generator.next() % 4_000 }
    var numbers = KeyNumbers()
    for key in keys {
      let number = numbers.number(of: key)
      #expect(numbers.keys[number] == key)
    }
    #expect(Set(numbers.keys) == Set(keys))
    #expect(numbers.keys.count == Set(keys).count)
    #expect(numbers.known(4_001) == nil)
  }

  private static func steps(_ points: [IndexedPoint], starts: [Int], end: Int) -> PointSteps {
    var steps = PointSteps(count: starts.count)
    func place(_ day: UInt16) -> Int? {
      guard day > 0, Int(day) < end else { return nil }
      return (starts.lastIndex { $0 <= Int(day) } ?? -1)
    }
    for point in points {
      if let place = place(point.addedDay) {
        if place < 0 { steps.addedBefore += 1 } else { steps.added[place] += 1 }
      }
      if let place = place(point.confirmedDay), place >= 0 { steps.confirmed[place] += 1 }
      if let place = place(point.endedDay) {
        if place < 0 { steps.endedBefore += 1 } else { steps.ended[place] += 1 }
      }
    }
    return steps
  }

  private static func expected(
    _ points: [IndexedPoint], _ groupings: [PointGrouping]
  ) -> [PointGroup: Int] {
    var counts: [PointGroup: Int] = [:]
    for point in points {
      for group in groups(of: point, groupings) { counts[group, default: 0] += 1 }
    }
    return counts
  }

  private static func groups(
    of point: IndexedPoint, _ groupings: [PointGrouping]
  ) -> [PointGroup] {
    let codes = groupings.map { self.codes(of: point, $0) } + [[0]]
    return codes[0].flatMap { first in codes[1].map { PointGroup(first, $0) } }
  }

  private static func codes(of point: IndexedPoint, _ grouping: PointGrouping) -> [UInt32] {
    let profile = point.profile
    func known(_ code: some BinaryInteger) -> [UInt32] {
      [code == 0 ? PointGroup.unknown : UInt32(code)]
    }
    func bits(_ bits: UInt32) -> [UInt32] {
      bits == 0 ? [PointGroup.unknown] : (0..<32).filter { bits >> $0 & 1 == 1 }
    }
    return switch grouping {
    case .category: [UInt32(profile.category)]
    case .status: [UInt32(profile.status)]
    case .operatorKind: [UInt32(profile.operatorKind)]
    case .precision: [UInt32(profile.precision)]
    case .setting: known(profile.setting)
    case .zone: known(profile.zone)
    case .legalBasis: known(profile.legalBasis)
    case .source: known(profile.source)
    case .data: bits(profile.data)
    case .choices: bits(profile.choices)
    case .country: known(point.country)
    case .operatorRow(let except):
      except.contains(point.profile.category) ? [PointGroup.unknown] : known(point.operatorRow)
    case .dueDay(let ranges):
      [ranges.firstIndex { $0.contains(point.dueDay) }.map { UInt32($0) } ?? PointGroup.unknown]
    }
  }
}
