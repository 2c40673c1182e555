import SpatialDatabase

/// Many devices added in one transaction, whose boxes are put into the tree together at its end.
///
/// One by one, by the trigger of the table, they take several times as long (docs/performance.md). The
/// trigger is away within the transaction only: whatever ends it early, the schema is as before.
struct BulkAddition {
  /// Fewer devices than this are not worth it that every connection reads the schema again.
  static let leastCount = 1_000

  private static let trigger = "device_box_insert"

  /// Those that came after a row and have no box yet, neighbours one after the other.
  static let boxes = """
    INSERT INTO device_box
    SELECT device.rowid, device.longitude, device.longitude, device.latitude, device.latitude,
      category.number, category.number
    FROM device CROSS JOIN category ON category.code = device.category
    WHERE device.rowid > ? AND NOT EXISTS (SELECT 1 FROM device_box AS box WHERE box.rowid = device.rowid)
    ORDER BY CAST(device.longitude AS INTEGER), device.latitude
    """

  /// Runs `body`, which may add and change devices, but delete none.
  ///
  /// - Parameters:
  ///   - count: about how many devices it adds.
  ///   - connection: in a transaction, in which nothing else is written meanwhile.
  ///   - body: what adds them.
  /// - Returns: what `body` does.
  /// - Throws: ``DatabaseFault``, and what `body` throws; the transaction is to be taken back then.
  static func run<T>(
    _ count: Int, _ connection: borrowing Connection, _ body: () throws -> T
  ) throws -> T {
    guard count >= leastCount,
      let sql = try connection.text(
        "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?", [.text(trigger)])
    else { return try body() }
    let last = try connection.integer("SELECT max(rowid) FROM device") ?? 0
    try connection.execute("DROP TRIGGER \(trigger)")
    let result = try body()
    try connection.execute(boxes, [.integer(last)])
    try connection.execute(sql)
    return result
  }
}
