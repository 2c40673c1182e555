/// A coarse cell of the Earth, at least 20 km on each side, in which browsers ask for changes.
///
/// Rows are a quarter of a degree high (27.6 km or more) and counted from the south pole. Cells are a
/// quarter of a degree wide near the equator and wider towards the poles. Each cap beyond 87° is one cell.
/// Edges belong to the cell in the north and east of them. The factors are powers of two, so every program
/// computes the same cell; the database does in `device.watch_cell`.
package struct WatchCell: Equatable, Sendable {
  /// Row times ``rowLength`` plus column.
  package let number: Int

  /// Numbers in a row.
  private static let rowLength = 1_440
  private static let rowCount = 720
  /// Rows of a cap, from 87° to the pole.
  private static let capRows = 12
  private static let rowsPerDegree = 4.0

  /// Nil if no cell has this number.
  package init?(number: Int) {
    guard (0..<Self.rowCount * Self.rowLength).contains(number) else { return nil }
    let (row, column) = number.quotientAndRemainder(dividingBy: Self.rowLength)
    if let width = Self.width(ofRow: row) {
      guard column < Self.rowLength / width else { return nil }
    } else {
      guard [0, Self.rowCount - 1].contains(row), column == 0 else { return nil }
    }
    self.number = number
  }

  /// The cell of a place.
  package init(of place: Coordinate) {
    let row = Int((place.latitude + 90) * Self.rowsPerDegree)
    if let width = Self.width(ofRow: row) {
      let quarter = Int((place.longitude + 180) * Self.rowsPerDegree) % Self.rowLength
      number = row * Self.rowLength + quarter / width
    } else {
      number = place.latitude > 0 ? (Self.rowCount - 1) * Self.rowLength : 0
    }
  }

  /// The area of the cell.
  package var box: BoundingBox {
    let (row, column) = number.quotientAndRemainder(dividingBy: Self.rowLength)
    let south = Double(row) / Self.rowsPerDegree - 90
    guard let width = Self.width(ofRow: row).map({ Double($0) / Self.rowsPerDegree }) else {
      let cap = Double(Self.capRows) / Self.rowsPerDegree
      return Self.box(-180, row == 0 ? -90 : 90 - cap, 180, row == 0 ? cap - 90 : 90)
    }
    let west = Double(column) * width - 180
    return Self.box(west, south, west + width, south + 1 / Self.rowsPerDegree)
  }

  /// The width of the cells of a row, in quarters of a degree; nil in a cap. Each zone ends where its cells
  /// would be narrower than 20 km at the edge nearer to the pole.
  private static func width(ofRow row: Int) -> Int? {
    switch min(row, rowCount - 1 - row) {
    case 184...: 1  // up to 44°
    case 88...: 2  // 68°
    case 44...: 4  // 79°
    case 24...: 8  // 84°
    case capRows...: 16  // 87°
    default: nil
    }
  }

  private static func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> BoundingBox {
    (try? BoundingBox(west: west, south: south, east: east, north: north)) ?? .world
  }
}
