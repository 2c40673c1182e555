import PrivacyMap

/// The space-filling curve along which `setup/street_areas.py` numbers the streets, so that the streets around a
/// position have few ranges of numbers.
enum StreetCurve {
  /// The bits of each coordinate.
  private static let bits = 24

  /// Four cells of a grid around a position.
  struct Block {
    /// The parts of the curve inside.
    let ranges: [Range<Int64>]
    /// The distance from the position to the nearest edge, in degrees of longitude and of latitude. All streets
    /// within it are in the block.
    let reach: (longitude: Double, latitude: Double)
  }

  /// The block around a position in a grid of 2^level cells in each direction.
  static func block(around position: Coordinate, level: Int) -> Block {
    let cells = Double(1 << level)
    let across = (position.longitude + 180) / 360 * cells
    let up = (position.latitude + 90) / 180 * cells
    let columns = neighbours(across, 1 << level)
    let rows = neighbours(up, 1 << level)
    let width = Int64(1) << Int64(2 * (bits - level))
    let starts = columns.flatMap { x in rows.map { y in Int64(interleave(x, y)) * width } }.sorted()
    return Block(
      ranges: joined(starts.map { $0..<($0 + width) }),
      reach: (reach(across) / cells * 360, reach(up) / cells * 180))
  }

  /// The cell of a position and the one on its nearer side.
  private static func neighbours(_ place: Double, _ count: Int) -> [Int] {
    let cell = min(count - 1, Int(place))
    let other = place - Double(cell) < 0.5 ? cell - 1 : cell + 1
    return [cell, other].filter { (0..<count).contains($0) }
  }

  /// From a half to a whole cell.
  private static func reach(_ place: Double) -> Double {
    let inside = place - place.rounded(.down)
    return max(inside, 1 - inside)
  }

  private static func joined(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
    var found: [Range<Int64>] = []
    for range in ranges {
      if let last = found.last, last.upperBound == range.lowerBound {
        found[found.count - 1] = last.lowerBound..<range.upperBound
      } else {
        found.append(range)
      }
    }
    return found
  }

  /// The bits of both numbers in turn, `x` first.
  private static func interleave(_ x: Int, _ y: Int) -> Int {
    var found = 0
    for bit in 0..<bits {
      found |= (x >> bit & 1) << (2 * bit + 1) | (y >> bit & 1) << (2 * bit)
    }
    return found
  }
}
