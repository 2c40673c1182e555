/// The cells of a region: whether each is inside, outside or crossed by the border.
///
/// The side of a cell is a power of two, so the cell of a position follows from a shift. Sums over all cells to the
/// south-west answer for any box at once whether all its cells are inside.
struct RegionCells: Sendable {
  static let outside: UInt8 = 0
  static let inside: UInt8 = 1
  static let crossed: UInt8 = 2

  let columns, rows: Int
  private let west, south: Int32
  private let shift: UInt32
  private var states: [UInt8]
  /// For each corner of cells, the number of inside and of outside cells to its south-west.
  private var insideSums: [UInt32] = []
  private var outsideSums: [UInt32] = []

  /// Many lines need small cells, so that few run through each row.
  private static let cellCounts = 1_024...65_536
  private static let cellsPerLine = 16

  init(_ bounds: FixedBox, lineCount: Int) {
    (west, south) = (bounds.west, bounds.south)
    let width = UInt32(bitPattern: bounds.east &- bounds.west)
    let height = UInt32(bitPattern: bounds.north &- bounds.south)
    let wanted = lineCount.multipliedReportingOverflow(by: Self.cellsPerLine).partialValue
    let limit = min(max(wanted, Self.cellCounts.lowerBound), Self.cellCounts.upperBound)
    var shift: UInt32 = 0
    while (Int(width >> shift) + 1) * (Int(height >> shift) + 1) > limit { shift += 1 }
    self.shift = shift
    (columns, rows) = (Int(width >> shift) + 1, Int(height >> shift) + 1)
    states = [UInt8](repeating: Self.outside, count: columns * rows)
  }

  var memoryFootprint: Int {
    states.capacity + (insideSums.capacity + outsideSums.capacity) * 4
  }

  /// The row of a latitude within the bounds.
  @inline(__always)
  func row(of latitude: Int32) -> Int { Int(UInt32(bitPattern: latitude &- south) >> shift) }

  /// The column of a longitude within the bounds.
  @inline(__always)
  func column(of longitude: Int32) -> Int { Int(UInt32(bitPattern: longitude &- west) >> shift) }

  /// The number of the cell of a position, given by its distances from the western and southern edges.
  @inline(__always)
  func place(_ x: UInt32, _ y: UInt32) -> Int {
    Int(y &>> shift) &* columns &+ Int(x &>> shift)
  }

  /// Provides direct access to the states, by the numbers of cells.
  @inline(__always)
  func withStates(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    states.withUnsafeBufferPointer(body)
  }

  @inline(__always)
  func state(row: Int, column: Int) -> UInt8 { states[row &* columns &+ column] }

  /// Marks the cells that a line runs through.
  mutating func cross(from one: FixedPosition, to other: FixedPosition) {
    let (low, high) = one.latitude <= other.latitude ? (one, other) : (other, one)
    let height = Double(high.latitude) - Double(low.latitude)
    let across = Double(high.longitude) - Double(low.longitude)
    /// The longitude at which the line crosses the southern edge of a row, or of its nearer end.
    func longitude(at row: Int) -> Double {
      guard height > 0 else { return Double(low.longitude) }
      let latitude = Double(south) + Double(row << Int(shift))
      let share = (latitude - Double(low.latitude)) / height
      return Double(low.longitude) + min(max(share, 0), 1) * across
    }
    for row in row(of: low.latitude)...row(of: high.latitude) {
      let one = longitude(at: row)
      let other = height > 0 ? longitude(at: row + 1) : Double(high.longitude)
      // Two units more on each side, because the longitudes are rounded.
      for column in clamped(min(one, other) - 2)...clamped(max(one, other) + 2) {
        states[row * columns + column] = Self.crossed
      }
    }
  }

  private func clamped(_ longitude: Double) -> Int {
    let units = longitude - Double(west)
    let widest = Double(columns << Int(shift)) - 1
    return Int(min(max(units, 0), widest)) >> Int(shift)
  }

  /// Sets the state of all cells without a line. Cells next to each other have the same one.
  mutating func fill(_ isInside: (_ row: Int, _ x: Int32, _ y: Int32) -> Bool) {
    for row in 0..<rows {
      var known: UInt8?
      for column in 0..<columns {
        let place = row * columns + column
        guard states[place] != Self.crossed else {
          known = nil
          continue
        }
        let state: UInt8
        if let known {
          state = known
        } else {
          let x = Int32(clamping: Int64(west) + Int64(column) << Int64(shift))
          let y = Int32(clamping: Int64(south) + Int64(row) << Int64(shift))
          state = isInside(row, x, y) ? Self.inside : Self.outside
        }
        known = state
        states[place] = state
      }
    }
    insideSums = sums(of: Self.inside)
    outsideSums = sums(of: Self.outside)
  }

  private func sums(of state: UInt8) -> [UInt32] {
    let width = columns + 1
    var sums = [UInt32](repeating: 0, count: width * (rows + 1))
    for row in 0..<rows {
      var inRow: UInt32 = 0
      for column in 0..<columns {
        inRow += states[row * columns + column] == state ? 1 : 0
        sums[(row + 1) * width + column + 1] = sums[row * width + column + 1] + inRow
      }
    }
    return sums
  }

  /// The numbers of inside, outside and all cells that a box within the bounds touches.
  func count(in box: FixedBox) -> (inside: Int, outside: Int, all: Int) {
    let (left, right) = (column(of: box.west), column(of: box.east) + 1)
    let (bottom, top) = (row(of: box.south), row(of: box.north) + 1)
    func sum(_ sums: [UInt32]) -> Int {
      let width = columns + 1
      return Int(sums[top * width + right]) - Int(sums[bottom * width + right])
        - Int(sums[top * width + left]) + Int(sums[bottom * width + left])
    }
    return (sum(insideSums), sum(outsideSums), (right - left) * (top - bottom))
  }
}
