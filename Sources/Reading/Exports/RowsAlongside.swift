import SpatialDatabase

/// Rows of another table that belong to devices, read in parallel with the devices.
///
/// The devices arrive with ascending rowids, so the other table is read once in the same order. If the
/// next device is far ahead, the cursor seeks to it.
struct RowsAlongside {
  private let cursor: Cursor
  /// The device of the current row; nil at the end.
  private var device: Int64?
  private var row: Row?

  /// The distance in rowids beyond which the cursor seeks: a seek costs about as much as reading this
  /// many rows.
  private static let farAhead: Int64 = 64

  /// The first column of `sql` is the rowid of a device. Its rows are sorted by it, starting at a bound
  /// value.
  init(_ sql: String, _ connection: borrowing Connection) throws {
    cursor = try connection.cursor(sql, [.integer(0)])
    try advance()
  }

  /// Passes each row of the device `wanted` to `body`; `wanted` must be greater than in the previous
  /// call.
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
  /// The ids of devices in other registers: namespace and key.
  static let references = """
    SELECT device_rowid, namespace, key FROM device_key
    WHERE device_rowid >= ? ORDER BY device_rowid, namespace, key
    """

  /// Stored source tags, as a JSON object each.
  static let tags = "SELECT device_rowid, tags FROM device_tag WHERE device_rowid >= ? ORDER BY 1"
}
