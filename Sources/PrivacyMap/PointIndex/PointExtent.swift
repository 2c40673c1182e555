extension PointIndex {
  /// The bounding box of all devices. Nil if there are no devices. A removed device has no effect
  /// on it.
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
  /// The box in decimal degrees. Nil for an empty box.
  package var onMap: BoundingBox? {
    func degrees(_ units: Int32) -> Double { Double(units) / FixedPosition.unitsPerDegree }
    return try? BoundingBox(
      west: degrees(west), south: degrees(south), east: degrees(east), north: degrees(north))
  }
}
