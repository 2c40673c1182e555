extension PointIndex {
  /// The content of a tile for the matching devices.
  ///
  /// A tile has 64 cells. A cell shows single devices if there are few enough for the zoom
  /// (``TileContent/singles(atZoom:)``), and otherwise one cluster at their mean position. Single
  /// devices on the same unit of the tile become a separate cluster. Over all tiles of a zoom,
  /// clusters and devices add up to exactly ``count(matching:)``.
  ///
  /// - Parameters:
  ///   - address: the tile.
  ///   - filter: the devices.
  ///   - singles: the maximum number of devices that a cell shows individually; nil for the zoom's default.
  /// - Returns: the content; empty if no matching device is in the tile.
  package func tile(
    _ address: TileAddress, matching filter: PointFilter, singles: Int? = nil
  ) -> TileContent {
    let boxes = filter.effectiveBoxes?.map { $0.intersection(address.box) } ?? [address.box]
    var matcher = PointMatcher(
      filter, boxes: boxes.filter { !$0.isEmpty }, profiles: dictionary.profiles)
    var painter = TilePainter(address, dictionary, singles: singles)
    for (place, entry) in segments.enumerated() {
      matcher.forEachBlock(of: entry) { block, passing in
        painter.add(TilePainter.Block(number: block, passing: passing, place: place), entry.segment)
      }
    }
    return painter.content(segments)
  }
}
