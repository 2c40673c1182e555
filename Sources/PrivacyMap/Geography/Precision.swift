#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// How closely the public may know where a device stands; its author chooses.
package enum Precision: String, CaseIterable, Sendable {
  case exact
  case hundredMetres = "100m"
  case kilometre = "1km"
  case area

  /// The side of the grid cell whose centre the public sees, in metres; nil where it sees the
  /// point itself.
  package var cellSize: Double? {
    switch self {
    case .exact: nil
    case .hundredMetres: 100
    case .kilometre: 1_000
    case .area: 10_000
    }
  }

  /// The one point that the public sees of a device that truly stands at `place`.
  ///
  /// The grid is fixed and global: rows of `cellSize` metres from the south pole, cut into equal
  /// cells. The three sizes lie in one another: a cell of one kilometre is made of a hundred of 100
  /// metres, one of ten kilometres of a hundred of one. So the point of a coarser precision follows
  /// from that of a finer one, and who has seen both knows no more than the finer one told. The point
  /// depends on nothing but the cell: asking again, editing or comparing neighbours tells nothing
  /// either. An exact place is rounded to seven decimals, about one centimetre, which is all that is
  /// published.
  package func publicPoint(for place: Coordinate) -> Coordinate {
    let shown = Self.rounded(longitude: place.longitude, latitude: place.latitude) ?? place
    guard let box = cell(of: shown) else { return shown }
    return Self.rounded(
      longitude: (box.west + box.east) / 2, latitude: (box.south + box.north) / 2) ?? shown
  }

  /// The cell that a place lies in, to be drawn or searched; nil for ``exact``. It never crosses the
  /// antimeridian, and is a little wider than it is high.
  package func cell(of place: Coordinate) -> BoundingBox? {
    guard let cellSize else { return nil }
    let smallest = GridCell(of: place)
    let count = Int((cellSize / GridCell.size).rounded())
    return smallest.box(of: count)
  }

  /// The coarser of two.
  package func coarser(_ other: Precision) -> Precision {
    (cellSize ?? 0) >= (other.cellSize ?? 0) ? self : other
  }

  /// Whether it tells more of a place than another.
  package func isFiner(than other: Precision) -> Bool {
    (cellSize ?? 0) < (other.cellSize ?? 0)
  }

  private static func rounded(longitude: Double, latitude: Double) -> Coordinate? {
    try? Coordinate(
      longitude: (longitude * 1e7).rounded() / 1e7, latitude: (latitude * 1e7).rounded() / 1e7)
  }
}

/// One of the smallest cells of the grid, by its place in it.
private struct GridCell {
  /// Counted from the south pole.
  private let row: Int
  /// Counted from the antimeridian.
  private let column: Int
  /// How many columns the row has.
  private let columnCount: Int

  /// The height of a row, and the least width of a cell, in metres.
  static let size = 100.0

  private static let metresPerDegree = Earth.meanRadius * .pi / 180
  /// Small rows and columns in the largest cell, which is ten kilometres.
  private static let countInLargest = 100
  private static let rowCount =
    Int((180 * metresPerDegree / (size * Double(countInLargest))).rounded(.up)) * countInLargest
  private static let rowHeight = 180 / Double(rowCount)

  init(of place: Coordinate) {
    // A coordinate is in range by its type, so no number here leaves an Int.
    row = min(Int(((place.latitude + 90) / Self.rowHeight).rounded(.down)), Self.rowCount - 1)
    columnCount = Self.columnCount(row: row)
    let width = 360 / Double(columnCount)
    column = min(Int(((place.longitude + 180) / width).rounded(.down)), columnCount - 1)
  }

  /// As many cells as fit where the largest cell of the row is narrowest, so that all rows in it have
  /// the same.
  private static func columnCount(row: Int) -> Int {
    let south = -90 + Double(row / countInLargest * countInLargest) * rowHeight
    let north = south + Double(countInLargest) * rowHeight
    let narrowest = max(abs(south), abs(north)) * .pi / 180
    let circle = 360 * metresPerDegree * cos(narrowest)
    return max(1, Int((circle / (size * Double(countInLargest))).rounded(.down))) * countInLargest
  }

  /// The cell of the grid whose sides are `count` small ones, 1, 10 or 100, around this one.
  func box(of count: Int) -> BoundingBox? {
    let width = 360 / Double(columnCount)
    let firstRow = Double(row / count * count)
    let firstColumn = Double(column / count * count)
    return try? BoundingBox(
      west: -180 + firstColumn * width, south: -90 + firstRow * Self.rowHeight,
      east: min(180, -180 + (firstColumn + Double(count)) * width),
      north: min(90, -90 + (firstRow + Double(count)) * Self.rowHeight))
  }
}
