import Metrics
import PrivacyMap

extension Monitoring {
  /// The map in memory and the tiles drawn from it.
  static func ofMap(
    _ index: MapIndex, _ tiles: TileCache, _ stored: StoredFigureReader
  ) -> [MetricFamily] {
    [
      .gauge("farol_point_index_devices", "Devices of the map in memory.") {
        Double(index.snapshot.count)
      },
      .gauge("farol_point_index_size_bytes", "Memory of the map.") {
        Double(index.snapshot.memoryFootprint)
      },
      .gauge("farol_point_index_age_seconds", "How long ago the map last took in a change.") {
        index.age / .seconds(1)
      },
      .gauge(
        "farol_point_index_behind_changes", "Changes in the database that the map does not show."
      ) { stored.latest.map { Double(max(0, $0.sequence - index.sequence)) } },
      .counter("farol_tile_cache_hits_total", "Tiles that were there already.", tiles.hits),
      .counter("farol_tile_cache_misses_total", "Tiles that had to be drawn.", tiles.misses),
      .gauge("farol_tile_cache_size_bytes", "Memory of the tiles that are kept.") {
        Double(tiles.size)
      },
    ]
  }
}
