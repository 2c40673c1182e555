import Devices
import Metrics
import PrivacyMap
import Reading

extension Monitoring {
  /// Metrics of the in-memory index and the tile cache.
  static func ofMap(
    _ index: MapIndex, _ tiles: TileCache, _ stored: StoredFigureReader
  ) -> [MetricFamily] {
    [
      .gauge("farol_point_index_devices", "Devices in the in-memory index.") {
        Double(index.snapshot.count)
      },
      .gauge("farol_point_index_size_bytes", "Memory of the in-memory index.") {
        Double(index.snapshot.memoryFootprint)
      },
      .gauge("farol_point_index_age_seconds", "Time since the in-memory index last changed.") {
        index.age / .seconds(1)
      },
      .gauge(
        "farol_point_index_behind_changes", "Database changes that the in-memory index lacks."
      ) { stored.latest.map { Double(max(0, $0.sequence - index.sequence)) } },
      .counter("farol_tile_cache_hits_total", "Tiles found in the cache.", tiles.hits),
      .counter("farol_tile_cache_misses_total", "Tiles not found in the cache.", tiles.misses),
      .gauge("farol_tile_cache_size_bytes", "Memory of the tile cache.") {
        Double(tiles.size)
      },
    ]
  }
}
