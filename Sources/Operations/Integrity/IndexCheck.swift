import PrivacyMap
package import SpatialDatabase

/// Checks a database for inconsistencies.
package struct IndexCheck {
  private let database: Database
  /// Whether it is a copy: a copy may have an earlier schema, and overdue erasures in it are not a
  /// problem.
  private let isCopy: Bool

  package init(database: Database, isCopy: Bool = false) {
    self.database = database
    self.isCopy = isCopy
  }

  /// A statement that counts inconsistent rows.
  private typealias Check = (
    /// The schema version from which on it applies.
    since: Int, sql: String, kind: Finding.Kind, finding: String
  )

  private static let checks: [Check] = [
    (
      2,
      """
      SELECT count(*) FROM device LEFT JOIN category ON category.code = device.category
      LEFT JOIN device_box ON device_box.rowid = device.rowid
      WHERE device_box.rowid IS NULL OR device.longitude NOT BETWEEN device_box.west AND device_box.east
        OR device.latitude NOT BETWEEN device_box.south AND device_box.north
        OR category_low <> category.number OR category_high <> category.number
      """, .derived(.boxes), "devices have a wrong box in the box tree"
    ),
    (
      2,
      "SELECT count(*) FROM device_box WHERE rowid NOT IN (SELECT rowid FROM device)",
      .derived(.boxes), "boxes belong to no device"
    ),
    (
      2,
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT rowid FROM device_text)",
      .derived(.texts), "devices have no full text"
    ),
    (
      2,
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM device_location)",
      .content, "devices have no true position"
    ),
    (
      3,
      """
      SELECT count(*) FROM device WHERE revision <>
        (SELECT max(number) FROM revision WHERE device_rowid = device.rowid)
      """, .content, "devices have another revision than their history"
    ),
    (
      3,
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM change)",
      .content, "devices are missing from the change sequence"
    ),
    (
      6,
      """
      SELECT count(*) FROM revision_location LEFT JOIN revision USING (device_rowid, number)
      WHERE revision.number IS NULL
      """, .content, "former positions belong to no revision"
    ),
    (
      7,
      "SELECT count(*) FROM tombstone WHERE id IN (SELECT id FROM device)",
      .content, "devices are on the map and deleted"
    ),
    (
      8,
      "SELECT count(*) FROM account_number WHERE last < (SELECT max(rowid) FROM account)",
      .derived(.accountNumbers),
      "counts of accounts are too low, so that a number could be given twice"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection
      WHERE state = 'ready' AND feature_count <>
        (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
      """, .derived(.collections), "collections have a wrong count of features"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection_feature
      WHERE (geometry IS NOT NULL) <> (rowid IN (SELECT rowid FROM collection_feature_box))
      """, .derived(.collections),
      "features of collections have a wrong box in the box tree"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection_feature_box
      WHERE rowid NOT IN (SELECT rowid FROM collection_feature)
      """, .derived(.collections), "boxes belong to no feature of a collection"
    ),
  ]

  /// Finds entries of the full-text index without their device.
  private static func strayTexts(_ connection: borrowing Connection) throws -> [Finding] {
    let count =
      try connection.integer(
        """
        SELECT count(*) FROM (\(connection.textKeys(of: "device"))) AS indexed
        WHERE key NOT IN (SELECT rowid FROM device)
        """) ?? 0
    return count == 0
      ? []
      : [Finding(kind: .derived(.texts), description: "\(count) full texts belong to no device")]
  }

  /// The R-trees, whose contents SQLite's integrity check does not verify.
  private static let trees: [(since: Int, name: String, part: DerivedPart)] = [
    (2, "device_box", .boxes), (19, "collection_feature_box", .collections),
  ]

  /// Statements that find geometries inconsistent with their row; they need SpatiaLite.
  private static let spatial: [Check] = [
    (
      2,
      """
      SELECT count(*) FROM device
      WHERE ST_X(public_point) IS DISTINCT FROM longitude
        OR ST_Y(public_point) IS DISTINCT FROM latitude
      """, .derived(.points), "devices have a point that differs from their coordinates"
    ),
    (
      19,
      """
      SELECT count(*) FROM collection_feature
      JOIN collection_feature_box AS box ON box.rowid = collection_feature.rowid
      WHERE ST_MinX(geometry) < west OR ST_MaxX(geometry) > east
        OR ST_MinY(geometry) < south OR ST_MaxY(geometry) > north
      """, .derived(.collections), "features of collections extend beyond their boxes"
    ),
  ]

  /// Counts contents of deleted devices that are overdue for erasure.
  private static let overdue =
    "SELECT count(*) FROM tombstone_content WHERE erase_on < date('now', '-7 days')"

  /// The last migration of the database.
  func schema() throws -> Int {
    try database.readPrivate { try $0.schemaVersion() }
  }

  /// The number of devices whose public point does not follow from their true place and precision.
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

  private func fileFindings() throws -> [Finding] {
    let found = try database.integrityCheck()
    func findings(_ words: [String], _ kind: Finding.Kind) -> [Finding] {
      words.map { Finding(kind: kind, description: $0) }
    }
    return findings(found.damages, .damage) + findings(found.indexes, .broken(.indexes))
      + findings(found.rows, .content)
  }

  /// The R-trees with internal damage, and a description of it.
  private func treeFindings(_ schema: Int) throws -> [(name: String, finding: Finding)] {
    try database.readPrivate(limit: .none) { connection in
      try Self.trees.filter { $0.since <= schema }.compactMap { tree in
        guard let damage = try connection.damage(ofTree: tree.name) else { return nil }
        let sentence = "the tree \(tree.name) is damaged: \(damage)"
        return (tree.name, Finding(kind: .broken(tree.part), description: sentence))
      }
    }
  }

  private static func findings(
    of checks: [Check], _ schema: Int, damagedTrees: [String], _ connection: borrowing Connection
  ) throws -> [Finding] {
    var findings: [Finding] = []
    for check in checks where check.since <= schema {
      // A damaged tree gives unreliable results, and is recreated as a whole.
      if damagedTrees.contains(where: check.sql.contains) { continue }
      let count = try connection.integer(check.sql) ?? 0
      if count > 0 {
        findings.append(Finding(kind: check.kind, description: "\(count) \(check.finding)"))
      }
    }
    return findings
  }

  private func contentFindings(
    _ schema: Int, _ connection: borrowing Connection
  ) throws -> [Finding] {
    var findings: [Finding] = []
    func add(_ count: Int, _ words: String) {
      if count > 0 { findings.append(Finding(kind: .content, description: "\(count) \(words)")) }
    }
    if !isCopy, schema >= 7 {
      add(
        Int(try connection.integer(Self.overdue) ?? 0),
        "deleted devices should have been erased a week ago")
    }
    // Earlier schemas used another grid of public points.
    if schema >= 9 {
      add(try Self.astray(connection), "devices have a wrong public point")
    }
    return findings
  }

  /// All problems, one sentence each; empty if there are no problems.
  ///
  /// - Throws: ``DatabaseFault``, of kind `ioError` if the disk could not be read.
  package func findings() throws -> [Finding] {
    let file = try fileFindings()
    // Queries of a damaged file, or through a wrong index, give unreliable results.
    guard file.allSatisfy({ $0.kind == .content }) else { return file }
    let schema = try schema()
    let trees = try treeFindings(schema)
    let damaged = trees.map(\.name)
    var findings = file + trees.map(\.finding)
    findings += try database.readPrivate(limit: .none) { connection in
      try Self.findings(of: Self.checks, schema, damagedTrees: damaged, connection)
        + contentFindings(schema, connection)
        + (schema >= 2 ? Self.strayTexts(connection) : [])
        + (schema >= 22 ? ListingCheck().findings(connection) : [])
    }
    findings += try database.read(limit: .none) { connection in
      try Self.findings(of: Self.spatial, schema, damagedTrees: damaged, connection)
    }
    if schema >= 2 {
      findings += try database.readPrivate(limit: .none) { try TextCheck().findings($0) }
    }
    return findings
  }
}
