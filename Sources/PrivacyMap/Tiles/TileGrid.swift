/// The cells of one tile, and where in it a position is drawn.
struct TileGrid {
  let address: TileAddress
  /// West edges of the columns, rising; a column reaches up to the next, not including it.
  private let columns: SIMD8<Int32>
  /// North edges of the rows, falling; a row reaches down to the next, not including it.
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

  /// The cell of a position that lies in the tile, row by row from the north-west.
  func cell(longitude: Int32, latitude: Int32) -> Int {
    // Three halvings of eight.
    var column = longitude >= columns[4] ? 4 : 0
    column += longitude >= columns[column + 2] ? 2 : 0
    column += longitude >= columns[column + 1] ? 1 : 0
    var row = latitude <= rows[4] ? 4 : 0
    row += latitude <= rows[row + 2] ? 2 : 0
    row += latitude <= rows[row + 1] ? 1 : 0
    return row * Self.side + column
  }

  /// The one cell that holds all of a box inside the tile; `nil` when several do.
  func cell(of box: FixedBox) -> Int? {
    let first = cell(longitude: box.west, latitude: box.north)
    return first == cell(longitude: box.east, latitude: box.south) ? first : nil
  }

  /// Where a position of the tile is drawn, 0…4095 each, inside the cell it lies in.
  ///
  /// Longitude and latitude are units of ``FixedPosition``, with a fraction for a mean of several.
  func units(longitude: Double, latitude: Double, cell: Int) -> (x: Int, y: Int) {
    let column = cell % Self.side * Self.cellUnits
    let row = cell / Self.side * Self.cellUnits
    let tiles = Double(1 << address.z)
    let x = WebMercator.x(longitudeUnits: longitude) * tiles - Double(address.x)
    let y = WebMercator.y(latitudeUnits: latitude) * tiles - Double(address.y)
    return (Self.unit(x, from: column), Self.unit(y, from: row))
  }

  /// A number for the cell that no other cell of the zoom has, below 2^50.
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
