private import Glibc

/// A device and its distance.
package struct NearPoint: Hashable, Comparable, Sendable {
  /// Great-circle distance in metres on a sphere, as computed by ``Coordinate/distance(to:)``.
  package var metres: Double
  /// The row of the device.
  package var rowid: UInt32

  /// A row at a distance in metres. The last row of a page is the starting point of the next page.
  package init(metres: Double, rowid: UInt32) {
    self.metres = metres
    self.rowid = rowid
  }

  /// Orders by distance, then by row.
  package static func < (one: NearPoint, other: NearPoint) -> Bool {
    one.metres == other.metres ? one.rowid < other.rowid : one.metres < other.metres
  }
}

extension PointIndex {
  /// The nearest devices, nearest first, also across the antimeridian and the poles.
  ///
  /// - Parameters:
  ///   - place: the origin of the search.
  ///   - filter: selects the devices.
  ///   - after: the last device of the previous page. The same place and snapshot give
  ///     bit-identical distances.
  ///   - radius: the maximum distance in metres. `nil` means any distance.
  ///   - limit: the maximum number of devices.
  /// - Returns: rows with their distances, in ascending order.
  package func nearest(
    to place: Coordinate, matching filter: PointFilter, after: NearPoint? = nil,
    within radius: Double? = nil, limit: Int
  ) -> [NearPoint] {
    guard limit > 0 else { return [] }
    let origin = DistanceOrigin(FixedPosition(place))
    var matcher = matcher(filter)
    var nearest = MaxHeap<NearPoint>()
    var farthest = radius ?? .infinity
    var opened = 0
    var ahead = MaxHeap<PendingNode>()
    for (segment, entry) in segments.enumerated() {
      guard let top = entry.segment.levels.indices.last else { continue }
      ahead.push(PendingNode(minMetres: 0, segment: segment, level: top, node: 0))
    }
    while let next = ahead.pop(), next.minMetres <= farthest {
      let entry = segments[next.segment]
      guard next.level == 0 else {
        for child in entry.segment.children(of: next.node, level: next.level) {
          let box = entry.segment.boxes[entry.segment.levels[next.level - 1].lowerBound + child]
          guard matcher.mayMatch(box) else { continue }
          let least = origin.minMetres(to: box)
          guard least <= farthest else { continue }
          ahead.push(
            PendingNode(
              minMetres: least, segment: next.segment, level: next.level - 1, node: child))
        }
        continue
      }
      opened += 1
      // Nothing found so far. Without boxes, a cheap count may show that nothing matches.
      if opened == Self.blocksBeforeCount, nearest.count == 0, worldCount(filter) == 0 { return [] }
      var passing = matcher.passing(entry, block: next.node, isInside: matcher.boxes == nil)
      while passing != 0 {
        let slot = next.node * PointSegment.blockSize + passing.trailingZeroBitCount
        passing &= passing - 1
        let found = NearPoint(
          metres: origin.metres(to: entry.segment.position(at: slot)),
          rowid: entry.segment.rowids[slot])
        guard found.metres <= farthest else { continue }
        if let after, found <= after { continue }
        nearest.offer(found, limit: limit)
        if nearest.count == limit, let top = nearest.top { farthest = min(farthest, top.metres) }
      }
    }
    return nearest.sorted()
  }
}

extension PointIndex {
  /// The number of blocks to open before checking whether anything matches at all.
  private static let blocksBeforeCount = 256
}

/// A box of a segment that has not been opened yet.
private struct PendingNode: Comparable {
  var minMetres: Double
  var segment: Int
  var level: Int
  var node: Int

  /// Inverted order, so that the heap returns the nearest box first.
  static func < (one: PendingNode, other: PendingNode) -> Bool {
    one.minMetres > other.minMetres
  }
}

/// Computes distances from one place.
struct DistanceOrigin {
  private let position: FixedPosition
  private let latitude: Double
  private let cosine: Double

  /// Radians in a ten-millionth of a degree.
  private static let unit = Double.pi / 180 / FixedPosition.unitsPerDegree

  init(_ position: FixedPosition) {
    self.position = position
    latitude = Double(position.latitude) * Self.unit
    cosine = cos(latitude)
  }

  /// Great-circle distance in metres, by the haversine formula.
  func metres(to other: FixedPosition) -> Double {
    let latitudeStep = Double(Int64(other.latitude) - Int64(position.latitude)) * Self.unit
    return metres(
      latitudeStep: latitudeStep, cosine: cos(Double(other.latitude) * Self.unit),
      longitudeStep: Double(step(to: other.longitude)) * Self.unit)
  }

  /// A lower bound for the distance to every position in the box.
  func minMetres(to box: FixedBox) -> Double {
    let exact = distance(to: box)
    // Rounding errors grow towards the antipode, where the sine of half the distance is nearly
    // constant.
    let slack = exact > 19_000_000 ? 1 : 0.000_001 + exact * 1e-9
    return max(0, exact - slack)
  }

  private func distance(to box: FixedBox) -> Double {
    guard position.longitude < box.west || position.longitude > box.east else {
      let south = Double(max(0, Int64(box.south) - Int64(position.latitude)))
      let north = Double(max(0, Int64(position.latitude) - Int64(box.north)))
      return max(south, north) * Self.unit * Earth.meanRadius
    }
    // At any latitude, the nearer of the two edges is the nearest meridian of the box.
    let longitudeStep = Double(min(step(to: box.west), step(to: box.east))) * Self.unit
    var nearest = min(
      metres(toLatitude: Double(box.south) * Self.unit, longitudeStep: longitudeStep),
      metres(toLatitude: Double(box.north) * Self.unit, longitudeStep: longitudeStep))
    if longitudeStep < .pi / 2 {
      // The point of that meridian's great circle that is nearest to the origin.
      let foot = atan2(sin(latitude), cosine * cos(longitudeStep))
      if foot > Double(box.south) * Self.unit, foot < Double(box.north) * Self.unit {
        nearest = min(nearest, metres(toLatitude: foot, longitudeStep: longitudeStep))
      }
    }
    return nearest
  }

  private func metres(toLatitude other: Double, longitudeStep: Double) -> Double {
    metres(latitudeStep: other - latitude, cosine: cos(other), longitudeStep: longitudeStep)
  }

  private func metres(
    latitudeStep: Double, cosine other: Double, longitudeStep: Double
  ) -> Double {
    let sineLatitude = sin(latitudeStep / 2)
    let sineLongitude = sin(longitudeStep / 2)
    let chord = sineLatitude * sineLatitude + cosine * other * sineLongitude * sineLongitude
    return 2 * Earth.meanRadius * asin(min(1, chord.squareRoot()))
  }

  /// The difference in longitude in units, in the shorter direction.
  private func step(to longitude: Int32) -> Int64 {
    let step = abs(Int64(longitude) - Int64(position.longitude))
    return min(step, 3_600_000_000 - step)
  }
}
