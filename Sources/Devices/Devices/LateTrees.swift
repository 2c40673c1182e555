import PrivacyMap
import Service
package import SpatialDatabase

/// The R-tree and the listings, which are stored in map order. Devices that arrive in another order touch a
/// page of each for every device, so a load of many writes fifteen times its own size. Created after the
/// load in their own order, each page is written once (docs/reference/performance.md).
///
/// Only for loads during which no requests are served. Meanwhile the triggers that update both are dropped.
/// A start that finds a trigger missing recreates the data before the first request.
package enum LateTrees {
  struct Tree {
    let trigger: String
    let definition: String
    /// Adds the missing rows of all devices after a row, roughly in storage order.
    let filling: String

    /// Whether no trigger updates it.
    func isMissing(_ connection: borrowing Connection) throws -> Bool {
      try connection.definition(of: "trigger", trigger) == nil
    }
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
      FROM device CROSS JOIN category
      WHERE category.code = device.category AND device.rowid > ?
      ORDER BY CAST(longitude AS BIGINT), latitude
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
      INSERT INTO device_listing (key, operator_rowid, listed)
      SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid > ? ORDER BY key
      """)

  static let all = [boxes, listings]

  /// Drops the triggers; both are no longer updated.
  package static func drop(_ connection: borrowing Connection) throws {
    for tree in all { try connection.execute("DROP TRIGGER IF EXISTS \(tree.trigger)") }
  }

  /// Whether one of them is missing.
  static func lacksAny(_ connection: borrowing Connection) throws -> Bool {
    for tree in all where try tree.isMissing(connection) { return true }
    return false
  }

  /// An entry of the R-tree, and its sort key.
  typealias Placed = (place: UInt64, point: PackedTree.Point)

  /// The input of ``make(_:with:)``, sorted in a separate thread; nil if it is not needed.
  static func points(of database: Database) throws -> Future<[Placed]>? {
    guard try database.read({ try boxes.isMissing($0) }) else { return nil }
    return Future("boxes") { try database.read(limit: .none) { try points($0) } }
  }

  /// Creates the missing data and triggers; does nothing if both are complete.
  ///
  /// Fills in all devices, not only the new ones: a load drops the triggers only once it proves to be large.
  static func make(
    _ connection: borrowing Connection, with points: Future<[Placed]>?
  ) throws {
    if try listings.isMissing(connection) {
      try connection.execute("DELETE FROM device_listing")
      try connection.execute(listings.filling, [.integer(0)])
      try connection.execute(listings.definition)
    }
    if let points {
      try PackedTree.fill("device_box", with: points.value().lazy.map(\.point), connection)
      try connection.execute(boxes.definition)
    }
  }

  /// All devices as entries of the R-tree, with neighbours next to each other: along a space-filling curve
  /// through squares of about a third of a degree, by category within a square, then along a finer curve. A
  /// node then holds one category of a neighbourhood. This answers boxes faster, with and without a
  /// category, than a tree built by single inserts (docs/reference/performance.md).
  private static func points(
    _ connection: borrowing Connection
  ) throws -> [Placed] {
    var placed: [Placed] = []
    // Reserved and sorted in place: a million devices take 40 MB, and copies of them as much again.
    placed.reserveCapacity(
      Int(clamping: try connection.integer("SELECT max(rowid) FROM device") ?? 0))
    try connection.forEach(
      """
      SELECT device.rowid, longitude, latitude, number
      FROM device CROSS JOIN category WHERE category.code = device.category
      """
    ) { row in
      let point = PackedTree.Point(
        rowid: row.int(0), x: row.double(1), y: row.double(2), z: Float(row.int(3)))
      let category = UInt64(UInt8(clamping: row.int(3)))
      placed.append((square(of: point, 10) << 40 | category << 32 | square(of: point, 16), point))
    }
    placed.sort { $0.place < $1.place }
    return placed
  }

  /// The position of a point's square along the curve, with `order` bits for each axis.
  private static func square(of point: PackedTree.Point, _ order: Int) -> UInt64 {
    guard let place = try? Coordinate(longitude: point.x, latitude: point.y) else { return 0 }
    let position = FixedPosition(place)
    return HilbertCurve.distance(
      longitude: position.longitude, latitude: position.latitude, order: order)
  }
}
