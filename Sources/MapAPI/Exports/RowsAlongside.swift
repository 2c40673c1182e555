import SpatialDatabase

/// Rows of another table that hang on devices, read in step with the devices.
///
/// The devices come with rising row ids, so the other table is read once from end to end in the same
/// order; where the next device is far ahead the reading jumps to it.
struct RowsAlongside {
  private let cursor: Cursor
  /// The device that the current row hangs on; nil at the end.
  private var device: Int64?
  private var row: Row?

  /// Devices further ahead than this are jumped to: looking up costs about as much as so many rows.
  private static let farAhead: Int64 = 64

  /// The first column of `sql` is the row id of a device, by which its rows are ordered from a bound one
  /// on.
  init(_ sql: String, _ connection: borrowing Connection) throws {
    cursor = try connection.cursor(sql, [.integer(0)])
    try advance()
  }

  /// Hands over each row that hangs on `wanted`, which is beyond the device asked for before.
  mutating func forEach(of wanted: Int64, _ body: (Row) throws -> Void) throws {
    guard let first = device, first <= wanted else { return }
    if wanted - first > Self.farAhead {
      try cursor.restart(with: wanted)
      try advance()
    }
    while let device, device <= wanted, let row {
      if device == wanted { try body(row) }
      try advance()
    }
  }

  private mutating func advance() throws {
    row = try cursor.next()
    device = row?.int(0)
  }
}

extension RowsAlongside {
  /// The names that other registers know devices by: namespace and key.
  static let references = """
    SELECT device_rowid, namespace, key FROM device_key
    WHERE device_rowid >= ? ORDER BY device_rowid, namespace, key
    """

  /// Kept tags, a JSON object each.
  static let tags = "SELECT device_rowid, tags FROM device_tag WHERE device_rowid >= ? ORDER BY 1"
}
