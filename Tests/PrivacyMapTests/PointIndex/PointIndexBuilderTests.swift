import Testing

@testable import PrivacyMap

@Suite struct PointIndexBuilderTests {
  /// Points whose rows are `step` apart; half of them have a unique profile.
  private func points(_ rows: Range<UInt32>, step: UInt32, seed: UInt64) -> [IndexedPoint] {
    var generator = SeededGenerator(seed: seed)
    return rows.map { row in
      let bits = generator.next()
      return IndexedPoint(
        rowid: row * step, id: DeviceID(high: generator.next(), low: generator.next()),
        position: FixedPosition(
          longitude: Int32(truncatingIfNeeded: bits) % 1_800_000_000,
          latitude: Int32(truncatingIfNeeded: bits >> 32) % 900_000_000),
        profile: DeviceProfile(
          category: UInt8(row % 5), status: 1, setting: 0, operatorKind: 0, precision: 0,
          data: row.isMultiple(of: 2) ? row : 0, choices: 0),
        dueDay: UInt16(truncatingIfNeeded: row), country: 7, bearing: UInt16(row % 360),
        operatorRow: row % 11, addedDay: 3, confirmedDay: UInt16(row % 4), endedDay: 1)
    }
  }

  private func built(_ points: [IndexedPoint]) -> PointIndex.Builder {
    var builder = PointIndex.Builder()
    for point in points { builder.append(point) }
    return builder
  }

  @Test(arguments: [1, 2, 3, 1_000] as [UInt32])
  func `two merged builders contain the devices of both`(step: UInt32) {
    let one = points(0..<700, step: step, seed: 1)
    let other = points(500..<1_600, step: step, seed: 2).filter { $0.rowid >= 700 * step }
    var builder = built(one)
    builder.append(contentsOf: built(other))
    let index = builder.finish(sequence: 9)
    var found: Set<IndexedPoint> = []
    index.forEach { found.insert($0) }
    #expect(found == Set(one + other))
    #expect(index.count == one.count + other.count)
    for point in one + other { #expect(index.point(rowid: point.rowid) == point) }
    #expect(index.point(rowid: 1_600 * step) == nil)
    #expect(
      index.count(matching: PointFilter(categories: [3]))
        == (one + other).count { $0.profile.category == 3 })
  }

  @Test func `merging with an empty builder changes nothing, in either direction`() {
    let one = points(0..<50, step: 1, seed: 4)
    var full = built(one)
    full.append(contentsOf: PointIndex.Builder())
    #expect(full.finish(sequence: 1).count == 50)
    var empty = PointIndex.Builder()
    empty.append(contentsOf: built(one))
    let index = empty.finish(sequence: 1)
    for point in one { #expect(index.point(rowid: point.rowid) == point) }
  }

  @Test func `devices counted for a profile in both parts can all be removed again`() {
    var builder = built(points(0..<40, step: 1, seed: 5))
    builder.append(contentsOf: built(points(40..<80, step: 1, seed: 6)))
    var index = builder.finish(sequence: 1)
    index.apply((0..<80).map { .remove(rowid: $0) }, sequence: 2)
    #expect(index.count == 0)
    #expect(index.dictionary.unusedCount == index.dictionary.profiles.count)
  }
}
