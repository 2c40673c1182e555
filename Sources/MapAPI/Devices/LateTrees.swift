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
    /// Makes what the devices after a row lack, about in the order in which it lies in the file.
    let filling: String

    /// Whether nothing keeps it in step.
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
      INSERT INTO device_listing (key, operator_rowid, listed)
      SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid > ? ORDER BY key
      """)

  static let all = [boxes, listings]

  /// From now on neither is kept in step.
  static func drop(_ connection: borrowing Connection) throws {
    for tree in all { try connection.execute("DROP TRIGGER IF EXISTS \(tree.trigger)") }
  }

  /// Whether one of them is missing.
  static func lacksAny(_ connection: borrowing Connection) throws -> Bool {
    for tree in all where try tree.isMissing(connection) { return true }
    return false
  }

  /// A device of the tree, and where it comes in it.
  typealias Placed = (place: UInt64, point: PackedTree.Point)

  /// What ``make(_:with:)`` needs, put in order by a thread of its own; nil where it needs nothing.
  static func points(of database: Database) throws -> Future<[Placed]>? {
    guard try database.read({ try boxes.isMissing($0) }) else { return nil }
    return Future("boxes") { try database.read(limit: .none) { try points($0) } }
  }

  /// Makes what is missing and keeps both in step again; nothing where they are.
  ///
  /// Of all devices, not of the new: a load takes the triggers away only when it proves to be one of many.
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

  /// Every device as the tree of boxes has it, neighbours one after the other: along a curve through squares
  /// of about a third of a degree, by category in each, and along a finer curve again. A node then
  /// holds one category of a neighbourhood, which answers boxes with a category and without in less time
  /// than a tree of insertions (docs/performance.md).
  private static func points(
    _ connection: borrowing Connection
  ) throws -> [Placed] {
    try connection.rows(
      """
      SELECT device.rowid, longitude, latitude, number
      FROM device CROSS JOIN category ON category.code = device.category
      """
    ) { row in
      let point = PackedTree.Point(
        rowid: row.int(0), x: row.double(1), y: row.double(2), z: Float(row.int(3)))
      let category = UInt64(UInt8(clamping: row.int(3)))
      return (square(of: point, 10) << 40 | category << 32 | square(of: point, 16), point)
    }.sorted { $0.place < $1.place }
  }

  /// Where a point's square lies along the curve, with so many bits for each axis.
  private static func square(of point: PackedTree.Point, _ order: Int) -> UInt64 {
    guard let place = try? Coordinate(longitude: point.x, latitude: point.y) else { return 0 }
    let position = FixedPosition(place)
    return HilbertCurve.distance(
      longitude: position.longitude, latitude: position.latitude, order: order)
  }
}
