import Testing

@testable import PrivacyMap

@Suite struct PointIndexChangeTests {
  private func point(_ rowid: UInt32, category: UInt8 = 0, longitude: Int32 = 0) -> IndexedPoint {
    IndexedPoint(
      rowid: rowid, id: DeviceID(high: 1, low: UInt64(rowid)),
      position: FixedPosition(longitude: longitude, latitude: 0),
      profile: DeviceProfile(
        category: category, status: 0, setting: 0, operatorKind: 0, precision: 0, data: 0,
        choices: 0))
  }

  @Test func `a new index is empty and gives results`() {
    let index = PointIndex(sequence: 7)
    #expect(index.sequence == 7)
    #expect(index.count == 0)
    #expect(index.count(matching: PointFilter()) == 0)
    #expect(index.rowids(matching: PointFilter(), limit: 10).rowids.isEmpty)
    #expect(index.point(rowid: 1) == nil)
  }

  @Test func `an empty builder makes an empty index`() {
    let index = PointIndex.Builder(expectedCount: 10).finish(sequence: 3)
    #expect(index.count == 0)
    #expect(index.sequence == 3)
  }

  @Test func `the sequence is that of the last change, even without a public change`() {
    var index = PointIndex()
    index.apply([.put(point(1))], sequence: 5)
    index.apply([], sequence: 9)
    #expect(index.sequence == 9)
    #expect(index.count == 1)
  }

  @Test func `the last of several changes to a row in one commit applies`() {
    var index = PointIndex()
    index.apply(
      [.put(point(1)), .put(point(2)), .remove(rowid: 2), .put(point(1, category: 4))], sequence: 1)
    #expect(index.count == 1)
    #expect(index.point(rowid: 1)?.profile.category == 4)
    index.apply([.remove(rowid: 1), .put(point(1, category: 5))], sequence: 2)
    #expect(index.point(rowid: 1)?.profile.category == 5)
    #expect(index.counts(by: [.category], matching: PointFilter()) == [PointGroup(5): 1])
  }

  @Test func `removing a missing row changes nothing`() {
    var index = PointIndex()
    index.apply([.put(point(1))], sequence: 1)
    index.apply([.remove(rowid: 2), .remove(rowid: .max)], sequence: 2)
    index.apply([.remove(rowid: 1)], sequence: 3)
    index.apply([.remove(rowid: 1)], sequence: 4)
    #expect(index.count == 0)
  }

  @Test func `the smallest and the largest possible rowid are found`() {
    var index = PointIndex()
    index.apply([.put(point(0)), .put(point(.max))], sequence: 1)
    #expect(index.rowids(matching: PointFilter(), limit: 5).rowids == [0, .max])
    #expect(index.rowids(matching: PointFilter(), after: 0, limit: 5).rowids == [.max])
    #expect(index.rowids(matching: PointFilter(), after: .max, limit: 5).rowids.isEmpty)
    #expect(index.point(rowid: .max)?.rowid == .max)
  }

  @Test func `a copy keeps the content of its original`() {
    var world = RandomWorld(seed: 21, count: 500, mergeFloor: 50)
    let before = world.points
    let snapshot = world.index
    for _ in 0..<60 { world.change(5) }
    var seen: [UInt32: IndexedPoint] = [:]
    snapshot.forEach { seen[$0.rowid] = $0 }
    #expect(seen == before)
    #expect(snapshot.sequence == 0)
    #expect(world.index.sequence == 60)
  }

  @Test func `changes are spread over few segments and merged in the end`() {
    var world = RandomWorld(seed: 22, count: 1_000, mergeFloor: 200)
    var maximum = 0
    for _ in 0..<400 {
      world.change(1)
      maximum = max(maximum, world.index.segments.count)
      let changed = world.index.segments.dropFirst().reduce(0) { $0 + $1.segment.count }
      #expect(changed <= 200)
    }
    #expect(maximum > 1)
    #expect(maximum <= 7)
    #expect(world.index.count == world.points.count)
  }

  @Test func `unused profiles are removed at a merge`() {
    var index = PointIndex(sequence: 0, mergeFloor: 10)
    for category in 0..<200 as Range<UInt8> {
      index.apply([.put(point(1, category: category))], sequence: 1)
      if index.isOutgrown { index.merge() }
    }
    #expect(index.dictionary.profiles.count <= 22)
    #expect(index.counts(by: [.category], matching: PointFilter()) == [PointGroup(199): 1])
  }

  @Test func `a merged copy with later changes is equal to the index`() {
    var world = RandomWorld(seed: 24, count: 300)
    for _ in 0..<20 { world.change(4) }
    var copy = world.index
    copy.merge()
    #expect(copy.segments.count == 1)
    #expect(Set(copy.points) == Set(world.index.points))
    let later: [PointChange] = [
      .put(point(3, category: 9)), .remove(rowid: 6), .put(point(30_000)),
      .put(point(3, category: 8)),
    ]
    for change in later { world.index.apply([change], sequence: world.index.sequence + 1) }
    copy.apply(later, sequence: world.index.sequence)
    #expect(Set(copy.points) == Set(world.index.points))
    #expect(copy.sequence == world.index.sequence)
  }

  @Test func `an index is outgrown by one change more than its floor`() {
    var world = RandomWorld(seed: 25, count: 100, mergeFloor: 10)
    for rowid in 0..<10 as Range<UInt32> {
      world.index.apply([.put(point(40_000 + rowid))], sequence: 1)
    }
    #expect(!world.index.isOutgrown)
    world.index.apply([.put(point(50_000))], sequence: 1)
    #expect(world.index.isOutgrown)
    world.index.merge()
    #expect(!world.index.isOutgrown)
    #expect(!PointIndex().isOutgrown)
  }

  @Test func `an error ends a visit to all devices and is rethrown`() {
    struct Enough: Error {}
    let world = RandomWorld(seed: 23, count: 10)
    var visited = 0
    #expect(throws: Enough.self) {
      try world.index.forEach { _ in
        visited += 1
        if visited == 3 { throw Enough() }
      }
    }
    #expect(visited == 3)
  }
}

extension PointIndex {
  fileprivate var points: [IndexedPoint] {
    var points: [IndexedPoint] = []
    forEach { points.append($0) }
    return points
  }
}
