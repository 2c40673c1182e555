import PrivacyMap
package import SpatialDatabase

/// Looks for whatever in a database does not agree with the rest of it.
package struct IndexCheck {
  private let database: Database
  /// Whether it is a copy, of which nothing is overdue, and which may be of an earlier schema.
  private let isCopy: Bool

  package init(database: Database, isCopy: Bool = false) {
    self.database = database
    self.isCopy = isCopy
  }

  /// Statements that find what should not be; each counts. `since` is the schema that they are
  /// written for.
  private static let checks: [(since: Int, sql: String, finding: String)] = [
    (
      2,
      """
      SELECT count(*) FROM device LEFT JOIN category ON category.code = device.category
      LEFT JOIN device_box ON device_box.rowid = device.rowid
      WHERE device_box.rowid IS NULL OR device.longitude NOT BETWEEN device_box.west AND device_box.east
        OR device.latitude NOT BETWEEN device_box.south AND device_box.north
        OR category_low <> category.number OR category_high <> category.number
      """, "devices are not where the box tree has them"
    ),
    (
      2,
      "SELECT count(*) FROM device_box WHERE rowid NOT IN (SELECT rowid FROM device)",
      "boxes belong to no device"
    ),
    (
      2,
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT rowid FROM device_text)",
      "devices have no full text"
    ),
    (
      2,
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM device_location)",
      "devices have no true position"
    ),
    (
      3,
      """
      SELECT count(*) FROM device WHERE revision <>
        (SELECT max(number) FROM revision WHERE device_rowid = device.rowid)
      """, "devices are of another revision than their history"
    ),
    (
      3,
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM change)",
      "devices are missing from the change sequence"
    ),
    (
      6,
      """
      SELECT count(*) FROM revision_location LEFT JOIN revision USING (device_rowid, number)
      WHERE revision.number IS NULL
      """, "former positions belong to no revision"
    ),
    (
      7,
      "SELECT count(*) FROM tombstone WHERE id IN (SELECT id FROM device)",
      "devices are on the map and deleted"
    ),
    (
      2,
      "SELECT count(*) FROM device_text_docsize WHERE id NOT IN (SELECT rowid FROM device)",
      "full texts belong to no device"
    ),
    (
      8,
      "SELECT count(*) FROM account_number WHERE last < (SELECT max(rowid) FROM account)",
      "counts of accounts are behind, so that a number could be given twice"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection
      WHERE state = 'ready' AND feature_count <>
        (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
      """, "collections have another number of features than they say"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection_feature
      WHERE (geometry IS NOT NULL) <> (rowid IN (SELECT rowid FROM collection_feature_box))
      """, "features of collections are not in the box tree as they should be"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection_feature_box
      WHERE rowid NOT IN (SELECT rowid FROM collection_feature)
      """, "boxes belong to no feature of a collection"
    ),
  ]

  /// The box trees, which SQLite's own check does not look into.
  private static let trees: [(since: Int, name: String)] = [
    (2, "device_box"), (19, "collection_feature_box"),
  ]

  /// Statements that find geometries which are not where their row says; they need SpatiaLite.
  private static let spatial: [(since: Int, sql: String, finding: String)] = [
    (
      2,
      """
      SELECT count(*) FROM device
      WHERE ST_X(public_point) IS NOT longitude OR ST_Y(public_point) IS NOT latitude
      """, "devices have a point that is not their place"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection_feature
      JOIN collection_feature_box AS box ON box.rowid = collection_feature.rowid
      WHERE ST_MinX(geometry) < west OR ST_MaxX(geometry) > east
        OR ST_MinY(geometry) < south OR ST_MaxY(geometry) > north
      """, "features of collections reach out of their boxes"
    ),
  ]

  /// Counts what should have been erased long ago.
  private static let overdue =
    "SELECT count(*) FROM tombstone_content WHERE erase_on < date('now', '-7 days')"

  /// The last migration of the database.
  func schema() throws -> Int {
    Int(try database.readPrivate { try $0.integer("PRAGMA user_version") } ?? 0)
  }

  /// How many devices are shown elsewhere than their true place and their precision say.
  private static func astray(_ connection: borrowing Connection) throws -> Int {
    var count = 0
    try connection.forEach(
      """
      SELECT precision, device.longitude, device.latitude, device_location.longitude,
        device_location.latitude
      FROM device JOIN device_location ON device_rowid = device.rowid
      """
    ) { row in
      guard let precision = Precision(rawValue: row.text(0)) else { return }
      let point = precision.publicPoint(
        for: .clamped(longitude: row.double(3), latitude: row.double(4)))
      if point.longitude != row.double(1) || point.latitude != row.double(2) { count += 1 }
    }
    return count
  }

  private func treeFindings(_ schema: Int) throws -> [String] {
    try database.readPrivate(limit: .none) { connection in
      try Self.trees.filter { $0.since <= schema }.compactMap { tree in
        let words = try connection.text("SELECT rtreecheck('main', ?)", [.text(tree.name)])
        return words == "ok" ? nil : "the tree \(tree.name) is damaged: \(words ?? "")"
      }
    }
  }

  /// What is wrong, one sentence each; empty when nothing is.
  package func findings() throws -> [String] {
    var findings = try database.integrityCheck()
    // Further questions to a damaged file have no sure answers.
    guard findings.isEmpty else { return findings }
    let schema = try schema()
    findings = try treeFindings(schema)
    guard findings.isEmpty else { return findings }
    try database.readPrivate(limit: .none) { connection in
      for check in Self.checks where check.since <= schema {
        let count = try connection.integer(check.sql) ?? 0
        if count > 0 { findings.append("\(count) \(check.finding)") }
      }
      if !isCopy, schema >= 7, let count = try connection.integer(Self.overdue), count > 0 {
        findings.append("\(count) deleted devices should have been erased a week ago")
      }
      // Since when the grid of public points is what it is.
      let astray = schema >= 9 ? try Self.astray(connection) : 0
      if astray > 0 { findings.append("\(astray) devices are shown elsewhere than they should be") }
      if schema >= 22 { findings += try ListingCheck().findings(connection) }
    }
    try database.read(limit: .none) { connection in
      for check in Self.spatial where check.since <= schema {
        let count = try connection.integer(check.sql) ?? 0
        if count > 0 { findings.append("\(count) \(check.finding)") }
      }
    }
    if schema >= 2 {
      findings += try database.readPrivate(limit: .none) { try TextCheck().findings($0) }
    }
    return findings
  }
}
