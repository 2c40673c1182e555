/// The cells of one tile, and the drawing position of a point in it.
struct TileGrid {
  let address: TileAddress
  /// West edges of the columns, ascending. A column ends before the next edge.
  private let columns: SIMD8<Int32>
  /// North edges of the rows, descending. A row ends before the next edge.
  private let rows: SIMD8<Int32>

  static let side = TileContent.cellsPerSide
  static let cellUnits = TileContent.extent / side

  init(_ address: TileAddress) {
    self.address = address
    let parts = Self.side << address.z
    var columns = SIMD8<Int32>()
    var rows = SIMD8<Int32>()
    for cell in 0..<Self.side {
      columns[cell] = WebMercator.firstLongitude(part: address.x * Self.side + cell, of: parts)
      rows[cell] = WebMercator.lastLatitude(part: address.y * Self.side + cell, of: parts)
    }
    self.columns = columns
    self.rows = rows
  }

  /// The cell of a position in the tile, counted row by row from the north-west.
  func cell(longitude: Int32, latitude: Int32) -> Int {
    // Binary search: halves eight three times.
    var column = longitude >= columns[4] ? 4 : 0
    column += longitude >= columns[column + 2] ? 2 : 0
    column += longitude >= columns[column + 1] ? 1 : 0
    var row = latitude <= rows[4] ? 4 : 0
    row += latitude <= rows[row + 2] ? 2 : 0
    row += latitude <= rows[row + 1] ? 1 : 0
    return row * Self.side + column
  }

  /// The cell that contains the whole box. `nil` if the box spans several cells.
  func cell(of box: FixedBox) -> Int? {
    let first = cell(longitude: box.west, latitude: box.north)
    return first == cell(longitude: box.east, latitude: box.south) ? first : nil
  }

  /// The drawing position of a point in its cell, in tile units 0…4095.
  ///
  /// Longitude and latitude are in units of ``FixedPosition``. They have a fraction for the mean of
  /// several points.
  func units(longitude: Double, latitude: Double, cell: Int) -> (x: Int, y: Int) {
    let column = cell % Self.side * Self.cellUnits
    let row = cell / Self.side * Self.cellUnits
    let tiles = Double(1 << address.z)
    let x = WebMercator.x(longitudeUnits: longitude) * tiles - Double(address.x)
    let y = WebMercator.y(latitudeUnits: latitude) * tiles - Double(address.y)
    return (Self.unit(x, from: column), Self.unit(y, from: row))
  }

  /// A unique number of the cell among all cells of the zoom, below 2^50.
  func identifier(ofCell cell: Int) -> UInt64 {
    let column = address.x * Self.side + cell % Self.side
    let row = address.y * Self.side + cell / Self.side
    return UInt64(row) << 25 | UInt64(column)
  }

  private static func unit(_ part: Double, from first: Int) -> Int {
    let unit = Int(exactly: (part * Double(TileContent.extent)).rounded(.down)) ?? first
    return min(max(unit, first), first + cellUnits - 1)
  }
}
