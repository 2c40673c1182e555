import Metrics
@testable import Reading
import Testing

/// Cached tiles show the current map, and the cache has a size limit.
@Suite struct TileCacheTests {
  private func key(_ column: Int) -> TileCache.Key {
    TileCache.Key(address: [14, column, 0], filter: "", isCompressed: false)
  }

  private let cache = TileCache(capacity: 64_000)

  private func tile(_ column: Int, _ version: String, byte: UInt8 = 0) -> [UInt8] {
    cache.tile(key(column), version: version) { [UInt8](repeating: byte, count: 1_000) }
  }

  @Test func `a tile is created once for a version of the map, and again for the next`() {
    #expect(tile(1, "a", byte: 1).first == 1)
    #expect(tile(1, "a", byte: 2).first == 1)
    #expect(tile(1, "b", byte: 3).first == 3)
    #expect(cache.hits.value == 1)
    #expect(cache.misses.value == 2)
  }

  @Test func `tiles of an outdated map take no space`() {
    for column in 0..<10 { _ = tile(column, "a") }
    #expect(cache.size == 12_000)
    _ = tile(0, "b")
    #expect(cache.size == 1_200)
  }

  @Test func `a tile created during a change of the map is returned and not cached`() {
    let late = cache.tile(key(1), version: "a") {
      _ = tile(2, "b")
      return [9]
    }
    #expect(late == [9])
    #expect(tile(1, "b", byte: 4).first == 4)
  }

  @Test func `the number of cached tiles is limited, keeping the most recently used`() {
    for column in 0..<200 { _ = tile(column, "a") }
    #expect(cache.size <= 64_000)
    #expect(cache.size > 24_000)
    #expect(tile(199, "a", byte: 7).first == 0)
    #expect(tile(0, "a", byte: 7).first == 7)
  }
}
