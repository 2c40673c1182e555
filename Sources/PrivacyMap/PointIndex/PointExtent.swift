extension PointIndex {
  /// The box around every device; nil when there is none. A device that left the map leaves no
  /// trace in it.
  package var extent: FixedBox? {
    segments.reduce(FixedBox?.none) { sum, entry in
      entry.live.indices.reduce(sum) { sum, block in
        let word = entry.live[block]
        if word == .max { return Self.joined(sum, entry.segment.boxes[block]) }
        let slots = PointSegment.slots(ofBlock: block, count: entry.segment.count)
        return slots.reduce(sum) { sum, slot in
          entry.isLive(slot) ? Self.joined(sum, FixedBox(entry.segment.position(at: slot))) : sum
        }
      }
    }
  }

  private static func joined(_ sum: FixedBox?, _ box: FixedBox) -> FixedBox {
    guard let sum else { return box }
    return FixedBox(
      west: min(sum.west, box.west), south: min(sum.south, box.south),
      east: max(sum.east, box.east), north: max(sum.north, box.north))
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
