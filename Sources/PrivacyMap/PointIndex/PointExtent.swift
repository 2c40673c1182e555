extension PointIndex {
  /// A box around every device; nil when there is none.
  ///
  /// Devices that left since the last merge are still inside it, so it may be larger than needed.
  package var extent: FixedBox? {
    segments.compactMap(\.segment.boxes.last).reduce(FixedBox?.none) { sum, box in
      guard let sum else { return box }
      return FixedBox(
        west: min(sum.west, box.west), south: min(sum.south, box.south),
        east: max(sum.east, box.east), north: max(sum.north, box.north))
    }
  }
}

extension FixedBox {
  /// The edges in decimal degrees, as a box on the map; nil for a box that holds nothing.
  package var onMap: BoundingBox? {
    func degrees(_ units: Int32) -> Double { Double(units) / FixedPosition.unitsPerDegree }
    return try? BoundingBox(
      west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north))
  }
}
