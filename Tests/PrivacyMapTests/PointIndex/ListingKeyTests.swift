import PrivacyMap
import Testing

@Suite struct ListingKeyTests {
  private func key(
    _ longitude: Double, _ latitude: Double, rowid: UInt32 = 1, category: UInt8 = 0
  ) throws -> Int64 {
    let position = try #require(FixedPosition(longitude: longitude, latitude: latitude))
    return ListingKey.of(rowid: rowid, at: position, category: category)
  }

  @Test func `devices of one cell and category are adjacent, in order of addition`() throws {
    let first = try key(7.40, 46.90, rowid: 5, category: 3)
    let second = try key(7.449, 46.949, rowid: 6, category: 3)
    #expect(second == first + 1)
    #expect(try key(7.449, 46.949, rowid: 4, category: 4) > second)
    #expect(
      try key(7.451, 46.949, rowid: 1, category: 0) > key(7.449, 46.949, rowid: .max, category: 63))
  }

  @Test func `keys are never negative and unique at the ends of the earth`() throws {
    let keys = try [(-180.0, -90.0), (180, -90), (-180, 90), (180, 90)].map { try key($0.0, $0.1) }
    #expect(keys.allSatisfy { $0 >= 0 })
    #expect(Set(keys).count == 4)
    #expect(try key(180, 90, rowid: .max, category: .max) > 0)
  }

  @Test func `the row is part of the key, the category in its last six bits`() throws {
    #expect(try key(1, 1, rowid: 1) != key(1, 1, rowid: 2))
    #expect(try key(1, 1, category: 1) == key(1, 1, category: 65))
  }
}
