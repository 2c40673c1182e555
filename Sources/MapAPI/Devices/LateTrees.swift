import PrivacyMap
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
    /// Makes the rows of those devices in a JSON array that have none.
    let filling: String
  }

  static let all = [
    Tree(
      trigger: "device_box_insert",
      definition: """
        CREATE TRIGGER device_box_insert AFTER INSERT ON device BEGIN
          INSERT INTO device_box
          SELECT new.rowid, new.longitude, new.longitude, new.latitude, new.latitude, number, number
          FROM category WHERE code = new.category;
        END
        """,
      filling: """
        INSERT OR IGNORE INTO device_box
        SELECT device.rowid, longitude, longitude, latitude, latitude, number, number
        FROM json_each(?) AS wanted
        CROSS JOIN device ON device.rowid = wanted.value
        CROSS JOIN category ON category.code = device.category
        """),
    Tree(
      trigger: "device_listing_insert",
      definition: """
        CREATE TRIGGER device_listing_insert AFTER INSERT ON device BEGIN
          INSERT INTO device_listing (key, operator_rowid, listed)
          SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = new.rowid;
        END
        """,
      filling: """
        INSERT OR IGNORE INTO device_listing (key, operator_rowid, listed)
        SELECT device_to_list.key, operator_rowid, listed
        FROM json_each(?) AS wanted
        CROSS JOIN device_to_list ON device_to_list.device_rowid = wanted.value
        """),
  ]

  /// Devices made in one transaction.
  private static let batch = 10_000

  /// From now on neither is kept in step.
  static func drop(_ connection: borrowing Connection) throws {
    for tree in all { try connection.execute("DROP TRIGGER IF EXISTS \(tree.trigger)") }
  }

  /// Makes what is missing and keeps both in step again; nothing where they are.
  static func make(in database: Database) throws {
    let missing = try database.read { connection in
      try all.filter { tree in
        try connection.integer(
          "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ?", [.text(tree.trigger)])
          == nil
      }
    }
    guard !missing.isEmpty else { return }
    let keys = try keysInOrder(database)
    for start in stride(from: 0, to: keys.count, by: batch) {
      // The lower half of a key is the row.
      let rowids = keys[start..<min(start + batch, keys.count)].map { "\($0 & 0xFFFF_FFFF)" }
      let wanted = SQLValue.text("[\(rowids.joined(separator: ","))]")
      try database.write { connection in
        for tree in missing { try connection.execute(tree.filling, [wanted]) }
      }
    }
    try database.write { connection in
      for tree in missing { try connection.execute(tree.definition) }
    }
  }

  /// Where each device stands in the order of the map, hidden ones too.
  private static func keysInOrder(_ database: Database) throws -> [Int64] {
    try database.read(limit: .none) { connection in
      try connection.rows(
        """
        SELECT device.rowid, longitude, latitude, category.number
        FROM device JOIN category ON category.code = device.category
        """
      ) { row in ListingKey.of(row) ?? row.int(0) }.sorted()
    }
  }
}
