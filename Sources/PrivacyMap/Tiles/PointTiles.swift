extension PointIndex {
  /// What a tile shows of the devices that pass.
  ///
  /// Each of the tile's 64 cells shows its devices one by one while they are few enough for the
  /// zoom (``TileContent/singles(atZoom:)``), and one cluster at their mean position otherwise.
  /// Single devices that fall on the same unit of the tile become a cluster of their own. Summed
  /// over all tiles of a zoom, clusters and devices make exactly ``count(matching:)``.
  package func tile(_ address: TileAddress, matching filter: PointFilter) -> TileContent {
    let boxes = filter.effectiveBoxes?.map { $0.intersection(address.box) } ?? [address.box]
    var matcher = PointMatcher(
      filter, boxes: boxes.filter { !$0.isEmpty }, profiles: dictionary.profiles)
    var painter = TilePainter(address, dictionary)
    for (place, entry) in segments.enumerated() {
      matcher.forEachBlock(of: entry) { block, passing in
        painter.add(TilePainter.Block(number: block, passing: passing, place: place), entry.segment)
      }
    }
    return painter.content(segments)
  }
}
