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

  /// An entry of the R-tree in 32 bytes.
  struct Placed: Sendable {
    /// Its sort key, with the number of its category in bits 32 to 39.
    let place: UInt64
    let rowid: Int64
    let x, y: Double

    var point: PackedTree.Point {
      PackedTree.Point(rowid: rowid, x: x, y: y, z: Float(place >> 32 & 255))
    }
  }

  /// The entries of the R-tree, sorted in a separate thread; nil if it is complete.
  static func points(of database: Database) throws -> Future<[Placed]>? {
    guard try database.read({ try boxes.isMissing($0) }) else { return nil }
    return Future("boxes") { try database.read(limit: .none) { try points($0) } }
  }

  /// Creates the R-tree of all devices and its trigger. A load drops the trigger only once it proves to be large.
  static func make(
    boxes points: Future<[Placed]>, _ connection: borrowing Connection
  ) throws {
    try PackedTree.fill("device_box", with: points.value().lazy.map(\.point), connection)
    try connection.execute(boxes.definition)
  }

  /// The rows of the listings in their order, made and sorted in a separate thread, which is most of the work; nil
  /// if the listings are complete.
  static func rows(of database: Database) throws -> Handover<[[SQLValue]]>? {
    guard try database.read({ try listings.isMissing($0) }) else { return nil }
    let columns = ["key", "operator_rowid", "listed"]
    return Handover(columns, of: "device_to_list", orderedBy: "key", from: database)
  }

  /// Creates the listings of all devices and their trigger.
  static func make(
    listings rows: Handover<[[SQLValue]]>, _ connection: borrowing Connection
  ) throws {
    let insertion = "INSERT INTO device_listing (key, operator_rowid, listed) VALUES (?, ?, ?)"
    try connection.execute("DELETE FROM device_listing")
    while let portion = try rows.next() {
      for row in portion { try connection.execute(insertion, row) }
    }
    try connection.execute(listings.definition)
  }

  /// All devices as entries of the R-tree, with neighbours next to each other: along a space-filling curve
  /// through squares of about a third of a degree, by category within a square, then along a finer curve. A
  /// node then holds one category of a neighbourhood. This answers boxes faster, with and without a
  /// category, than a tree built by single inserts (docs/reference/performance.md).
  private static func points(
    _ connection: borrowing Connection
  ) throws -> [Placed] {
    var placed: [Placed] = []
    // Reserved and sorted in place: a million devices take 32 MB, and copies of them as much again.
    placed.reserveCapacity(
      Int(clamping: try connection.integer("SELECT max(rowid) FROM device") ?? 0))
    try connection.forEach(
      """
      SELECT device.rowid, longitude, latitude, number
      FROM device CROSS JOIN category WHERE category.code = device.category
      """
    ) { row in
      let (x, y) = (row.double(1), row.double(2))
      let category = UInt64(UInt8(clamping: row.int(3)))
      let place = square(x, y, 10) << 40 | category << 32 | square(x, y, 16)
      placed.append(Placed(place: place, rowid: row.int(0), x: x, y: y))
    }
    placed.sort { $0.place < $1.place }
    return placed
  }

  /// The position of a point's square along the curve, with `order` bits for each axis.
  private static func square(_ x: Double, _ y: Double, _ order: Int) -> UInt64 {
    guard let place = try? Coordinate(longitude: x, latitude: y) else { return 0 }
    let position = FixedPosition(place)
    return HilbertCurve.distance(
      longitude: position.longitude, latitude: position.latitude, order: order)
  }
}
