import SpatialDatabase

/// The tree of boxes and the listings, which lie in the order of the map: devices that come in another
/// order touch a page of each for every device, so that a load of many writes fifteen times as much as it
/// has to say. Made after it in their own order, each page is written once (docs/performance.md).
///
/// Only for loads in which nobody is answered. Meanwhile the triggers that keep both in step are away; a
/// start that does not find them makes what is missing, before anything is asked.
enum LateTrees {
  struct Tree {
    let trigger: String
    let definition: String
    /// Makes what the devices after a row lack, about in the order in which it lies in the file.
    let filling: String
  }

  static let boxes = Tree(
    trigger: "device_box_insert",
    definition: """
      CREATE TRIGGER device_box_insert AFTER INSERT ON device BEGIN
        INSERT INTO device_box
        SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
        FROM category WHERE code = new.category;
      END
      """,
    filling: """
      INSERT INTO device_box
      SELECT device.rowid, longitude, longitude, latitude, latitude, number, number
      FROM device CROSS JOIN category ON category.code = device.category
      WHERE device.rowid > ?
      ORDER BY CAST(longitude AS INTEGER), latitude
      """)

  static let listings = Tree(
    trigger: "device_listing_insert",
    definition: """
      CREATE TRIGGER device_listing_insert AFTER INSERT ON device BEGIN
        INSERT INTO device_listing (key, operator_rowid, listed)
        SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = new.rowid;
      END
      """,
    filling: """
      INSERT OR IGNORE INTO device_listing (key, operator_rowid, listed)
      SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid > ? ORDER BY key
      """)

  static let all = [boxes, listings]

  /// From now on neither is kept in step.
  static func drop(_ connection: borrowing Connection) throws {
    for tree in all { try connection.execute("DROP TRIGGER IF EXISTS \(tree.trigger)") }
  }

  /// Makes what is missing and keeps both in step again; nothing where they are.
  static func make(_ connection: borrowing Connection) throws {
    if try LateIndexes.lacks("trigger", boxes.trigger, connection) {
      try PackedTree.fill("device_box", with: points(connection), connection)
      try connection.execute(boxes.definition)
    }
    if try LateIndexes.lacks("trigger", listings.trigger, connection) {
      try connection.execute(listings.filling, [.integer(0)])
      try connection.execute(listings.definition)
    }
  }

  /// Every device as the tree of boxes has it, neighbours one after the other: by squares of the map,
  /// those along a curve that leaves out none (Morton's), and by category in each.
  private static func points(_ connection: borrowing Connection) throws -> [PackedTree.Point] {
    var points = try connection.rows(
      """
      SELECT device.rowid, longitude, latitude, number
      FROM device CROSS JOIN category ON category.code = device.category
      """
    ) { row in
      PackedTree.Point(
        rowid: row.int(0), x: row.double(1), y: row.double(2), z: Float(row.int(3)))
    }
    points.sort { order($0) < order($1) }
    return points
  }

  private static func order(_ point: PackedTree.Point) -> UInt64 {
    // Squares of a twentieth of a degree, as those of the listings.
    let column = UInt32(clamping: Int((point.x + 180) * 20))
    let row = UInt32(clamping: Int((point.y + 90) * 20))
    return (spread(column) | spread(row) << 1) << 8 | UInt64(UInt8(clamping: Int(point.z)))
  }

  /// The lower sixteen bits, each followed by a zero.
  private static func spread(_ number: UInt32) -> UInt64 {
    var bits = UInt64(number & 0xFFFF)
    for (shift, mask) in [(8, 0x00FF_00FF), (4, 0x0F0F_0F0F), (2, 0x3333_3333), (1, 0x5555_5555)] {
      bits = (bits | bits << UInt64(shift)) & UInt64(mask)
    }
    return bits
  }
}
