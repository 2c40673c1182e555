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
    /// The devices that have theirs already, by row: a load drops the triggers only when it proves to be
    /// one of many. They are not tried again, as the tree of boxes prepares a statement for each conflict
    /// to name it by.
    let made: String
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
      made: "SELECT rowid FROM device_box_rowid ORDER BY rowid",
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
      made: "SELECT key & 0xFFFFFFFF AS row FROM device_listing ORDER BY row",
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
    // The lower half of a key is the row.
    let rowids = try keysInOrder(database).map { $0 & 0xFFFF_FFFF }
    let made = try missing.map { tree in
      try database.read(limit: .none) { try $0.rows(tree.made) { $0.int(0) } }
    }
    for start in stride(from: 0, to: rowids.count, by: batch) {
      let portion = rowids[start..<min(start + batch, rowids.count)]
      try database.write { connection in
        for (tree, made) in zip(missing, made) {
          let wanted = portion.filter { !made.holds($0) }.map(String.init)
          try connection.execute(tree.filling, [.text("[\(wanted.joined(separator: ","))]")])
        }
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

extension [Int64] {
  /// Whether a number is among these, which are in order.
  fileprivate func holds(_ number: Int64) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == number
  }
}
