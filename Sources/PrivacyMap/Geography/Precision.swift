private import Glibc

/// The precision of a device's public position, chosen by its author.
package enum Precision: String, CaseIterable, Sendable {
  case exact
  case hundredMetres = "100m"
  case kilometre = "1km"
  case area

  /// The side of the grid cell in metres. The public point is the centre of this cell. Nil if the
  /// exact point is public.
  package var cellSize: Double? {
    switch self {
    case .exact: nil
    case .hundredMetres: 100
    case .kilometre: 1_000
    case .area: 10_000
    }
  }

  /// The public point of a device whose true point is `place`.
  ///
  /// The grid is fixed and global: rows of `cellSize` metres from the south pole, cut into equal cells. The three
  /// sizes are nested: a cell of one kilometre contains a hundred cells of 100 metres, and a cell of ten kilometres
  /// contains a hundred cells of one kilometre. The public point of a coarser precision therefore follows from that
  /// of a finer one. A person who has seen both knows no more than the finer point revealed. The point depends only
  /// on the cell, so repeated requests, edits and comparisons with neighbouring devices reveal nothing more. An exact
  /// place is rounded to seven decimals, about one centimetre, which is the published resolution.
  package func publicPoint(for place: Coordinate) -> Coordinate {
    let shown = Self.rounded(longitude: place.longitude, latitude: place.latitude) ?? place
    guard let box = cell(of: shown) else { return shown }
    return Self.rounded(
      longitude: (box.west + box.east) / 2, latitude: (box.south + box.north) / 2) ?? shown
  }

  /// The cell that contains a place, for drawing and searching. Nil for ``exact``. The cell never crosses the
  /// antimeridian and is a little wider than it is high.
  package func cell(of place: Coordinate) -> BoundingBox? {
    guard let cellSize else { return nil }
    let smallest = GridCell(of: place)
    let count = Int((cellSize / GridCell.size).rounded())
    return smallest.box(of: count)
  }

  /// The coarser of two precisions.
  package func coarser(_ other: Precision) -> Precision {
    (cellSize ?? 0) >= (other.cellSize ?? 0) ? self : other
  }

  /// Whether this precision reveals more about a place than `other`.
  package func isFiner(than other: Precision) -> Bool {
    (cellSize ?? 0) < (other.cellSize ?? 0)
  }

  private static func rounded(longitude: Double, latitude: Double) -> Coordinate? {
    try? Coordinate(
      longitude: (longitude * 1e7).rounded() / 1e7, latitude: (latitude * 1e7).rounded() / 1e7)
  }
}

/// One of the smallest grid cells, identified by row and column.
private struct GridCell {
  /// Counted from the south pole.
  private let row: Int
  /// Counted from the antimeridian.
  private let column: Int
  /// The number of columns in this row.
  private let columnCount: Int

  /// The height of a row and the minimum width of a cell, in metres.
  static let size = 100.0

  private static let metresPerDegree = Earth.meanRadius * .pi / 180
  /// Number of small rows and columns in the largest cell (ten kilometres).
  private static let countInLargest = 100
  private static let rowCount =
    Int((180 * metresPerDegree / (size * Double(countInLargest))).rounded(.up)) * countInLargest
  private static let rowHeight = 180 / Double(rowCount)

  init(of place: Coordinate) {
    // The type guarantees coordinates in range, so every number here fits into an Int.
    row = min(Int(((place.latitude + 90) / Self.rowHeight).rounded(.down)), Self.rowCount - 1)
    columnCount = Self.columnCount(row: row)
    let width = 360 / Double(columnCount)
    column = min(Int(((place.longitude + 180) / width).rounded(.down)), columnCount - 1)
  }

  /// The number of cells that fit where the row of largest cells is narrowest. All small rows in it therefore have
  /// the same number of columns.
  private static func columnCount(row: Int) -> Int {
    let south = -90 + Double(row / countInLargest * countInLargest) * rowHeight
    let north = south + Double(countInLargest) * rowHeight
    let narrowest = max(abs(south), abs(north)) * .pi / 180
    let circle = 360 * metresPerDegree * cos(narrowest)
    return max(1, Int((circle / (size * Double(countInLargest))).rounded(.down))) * countInLargest
  }

  /// The grid cell around this one whose side is `count` small cells: 1, 10 or 100.
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
