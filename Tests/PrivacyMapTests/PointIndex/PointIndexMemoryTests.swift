import Testing

@testable import PrivacyMap

@Suite struct PointIndexMemoryTests {
  /// The limit for a million devices, in bytes.
  private let bound = 58_000_000

  private func index(count: Int, profile: (Int) -> DeviceProfile) -> PointIndex {
    var generator = SeededGenerator(seed: 31)
    var builder = PointIndex.Builder(expectedCount: count)
    for row in 0..<count {
      let bits = generator.next()
      builder.append(
        IndexedPoint(
          rowid: UInt32(row), id: DeviceID(high: bits, low: UInt64(row)),
          position: FixedPosition(
            longitude: Int32(truncatingIfNeeded: bits) % 1_800_000_000,
            latitude: Int32(truncatingIfNeeded: bits >> 32) % 900_000_000),
          profile: profile(row)))
    }
    return builder.finish(sequence: 0)
  }

  private func profile(_ number: Int) -> DeviceProfile {
    DeviceProfile(
      category: UInt8(number % 24), status: UInt8(number / 24 % 5), setting: 0, operatorKind: 0,
      precision: 0, data: UInt32(number / 120), choices: 0)
  }

  @Test func `a million devices with thousands of profiles fit, with room for changes`() {
    let index = index(count: 100_000) { profile($0 % 1_000) }
    // Before a merge, unmerged points may number up to a sixteenth of the large segment.
    #expect(index.memoryFootprint * 10 * 17 / 16 <= bound)
  }

  @Test func `a separate profile for every device costs at most 56 bytes a device`() {
    let count = 100_000
    let shared = index(count: count) { _ in profile(0) }
    let own = index(count: count) { profile($0) }
    #expect(own.memoryFootprint - shared.memoryFootprint <= 56 * count)
    #expect(own.count(matching: PointFilter(categories: [3])) == (0..<count).count { $0 % 24 == 3 })
  }

  @Test func `the footprint counts every column`() {
    let index = index(count: 64_000) { _ in profile(0) }
    // 52 bytes per point, a bit for being alive, 16 bytes per block and a little for the tree.
    #expect(index.memoryFootprint >= 64_000 * 52 + 64_000 / 8 + 1_000 * 16)
    #expect(index.memoryFootprint <= 64_000 * 53)
  }
}
