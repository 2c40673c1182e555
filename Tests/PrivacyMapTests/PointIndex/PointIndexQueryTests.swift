import Testing

@testable import PrivacyMap

/// Every query compared with the plain list of points, before and after changes and merges.
@Suite struct PointIndexQueryTests {
  /// Worlds as loaded, with a few changes, with many, and built by changes alone.
  static let worlds = {
    var worlds: [RandomWorld] = []
    for (seed, count, commits) in [(1, 2_500, 0), (2, 1_500, 12), (3, 700, 90), (4, 0, 60)] {
      var world = RandomWorld(seed: UInt64(seed), count: count, mergeFloor: 100)
      for commit in 0..<commits { world.change(commit % 7 == 0 ? 40 : 3) }
      worlds.append(world)
    }
    return worlds
  }()

  @Test func `a count is the number of matching devices`() {
    for var world in Self.worlds {
      for _ in 0..<60 {
        let filter = world.filter()
        #expect(world.index.count(matching: filter) == world.matching(filter).count)
      }
    }
  }

  @Test func `pages in the order of adding list every device once with the exact total`() {
    for var world in Self.worlds {
      for limit in [1, 7, 500] {
        let filter = world.filter()
        let expected = world.matching(filter).map(\.rowid)
        var found: [UInt32] = []
        var last: UInt32?
        for _ in 0..<40 {
          let page = world.index.rowids(matching: filter, after: last, limit: limit)
          #expect(page.total == expected.count)
          #expect(page.listings.map { UInt32(truncatingIfNeeded: $0.key) } == page.rowids)
          #expect(
            page.listings.map(\.operatorRow) == page.rowids.map { world.points[$0]?.operatorRow })
          #expect(page.listings == page.rowids.map { world.index.listing(ofRowid: $0) })
          found += page.rowids
          guard let end = page.rowids.last else { break }
          last = end
        }
        #expect(found == Array(expected.prefix(40 * limit)))
      }
    }
  }

  @Test func `a page starts after its given row`() {
    for var world in Self.worlds {
      for _ in 0..<30 {
        let filter = world.filter()
        let row = UInt32.random(in: 0...21_000, using: &world.generator)
        let expected = world.matching(filter).map(\.rowid).filter { $0 > row }.prefix(10)
        let page = world.index.rowids(matching: filter, after: row, limit: 10)
        #expect(page.rowids == Array(expected))
      }
    }
  }

  @Test func `reading all rows at once gives the rows of all pages`() {
    for var world in Self.worlds {
      let filter = world.filter()
      let expected = world.matching(filter).map { Int64($0.rowid) }
      #expect(world.index.rowids(matching: filter) == expected)
    }
  }

  @Test func `after the last rowid the page is empty`() {
    let world = RandomWorld(seed: 5, count: 100)
    let all = PointFilter()
    #expect(world.index.rowids(matching: all, after: .max, limit: 5).rowids.isEmpty)
    #expect(world.index.rowids(matching: all, after: 3 * 99, limit: 5).rowids.isEmpty)
    #expect(world.index.rowids(matching: all, after: 3 * 99 - 1, limit: 5).rowids == [3 * 99])
  }

  @Test func `a page of no rows still has its total`() {
    let world = RandomWorld(seed: 6, count: 50)
    let page = world.index.rowids(matching: PointFilter(), limit: 0)
    #expect(page == PointPage(rowids: [], total: 50))
  }

  @Test func `counts by whole profile add up to the count`() {
    for var world in Self.worlds {
      let filter = world.filter()
      let counts = world.index.profileCounts(matching: filter)
      let expected = Dictionary(grouping: world.matching(filter), by: \.profile)
      #expect(counts.count == expected.count)
      #expect(counts.allSatisfy { $0.count == expected[$0.profile]?.count })
    }
  }

  @Test func `every device is visited once and found by its row`() {
    for world in Self.worlds {
      var visited: [UInt32: IndexedPoint] = [:]
      world.index.forEach { point in
        #expect(visited.updateValue(point, forKey: point.rowid) == nil)
      }
      #expect(visited == world.points)
      for rowid in 0...300 as ClosedRange<UInt32> {
        #expect(world.index.point(rowid: rowid) == world.points[rowid])
      }
    }
  }
}
