import Metrics
import Testing

@testable import MapAPI

/// Tiles that are kept are of the map as it is, and of a bounded size.
@Suite struct TileCacheTests {
  private func key(_ column: Int) -> TileCache.Key {
    TileCache.Key(address: [14, column, 0], filter: "", isCompressed: false)
  }

  private let cache = TileCache(capacity: 64_000)

  private func tile(_ column: Int, _ version: String, byte: UInt8 = 0) -> [UInt8] {
    cache.tile(key(column), version: version) { [UInt8](repeating: byte, count: 1_000) }
  }

  @Test func `a tile is made once for a version of the map, and again for the next`() {
    #expect(tile(1, "a", byte: 1).first == 1)
    #expect(tile(1, "a", byte: 2).first == 1)
    #expect(tile(1, "b", byte: 3).first == 3)
    #expect(cache.hits.value == 1)
    #expect(cache.misses.value == 2)
  }

  @Test func `tiles of a map that has changed take no room`() {
    for column in 0..<10 { _ = tile(column, "a") }
    #expect(cache.size == 12_000)
    _ = tile(0, "b")
    #expect(cache.size == 1_200)
  }

  @Test func `a tile that was made while the map changed is given to who asked and not kept`() {
    let late = cache.tile(key(1), version: "a") {
      _ = tile(2, "b")
      return [9]
    }
    #expect(late == [9])
    #expect(tile(1, "b", byte: 4).first == 4)
  }

  @Test func `as many are kept as there is room for, and those asked for last`() {
    for column in 0..<200 { _ = tile(column, "a") }
    #expect(cache.size <= 64_000)
    #expect(cache.size > 24_000)
    #expect(tile(199, "a", byte: 7).first == 0)
    #expect(tile(0, "a", byte: 7).first == 7)
  }
}
