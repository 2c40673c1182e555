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
    /// Makes what the devices after a row lack, in the order in which it lies in the file.
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
    // Not by `INSERT OR IGNORE`, as the tree prepares a statement for each conflict to name it by.
    filling: """
      INSERT INTO device_box
      SELECT device.rowid, longitude, longitude, latitude, latitude, number, number
      FROM device CROSS JOIN category ON category.code = device.category
      WHERE device.rowid > ? AND device.rowid NOT IN (SELECT rowid FROM device_box_rowid)
      ORDER BY CAST((latitude + 90.0) * 20.0 AS INTEGER), CAST((longitude + 180.0) * 20.0 AS INTEGER),
        number
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
    for tree in all where try LateIndexes.lacks("trigger", tree.trigger, connection) {
      try connection.execute(tree.filling, [.integer(0)])
      try connection.execute(tree.definition)
    }
  }
}
