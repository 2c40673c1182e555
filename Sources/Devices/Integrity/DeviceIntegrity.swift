import PrivacyMap
package import Service
import SpatialDatabase

extension DeviceRecords {
  package static let integrity = IntegrityRules(
    counts: counts, spatialCounts: spatialCounts,
    trees: [(2, "device_box", .boxes)],
    searches: [
      (7, false, overdue),
      // Earlier schemas used another grid of public points.
      (9, true, astray), (2, true, strayTexts),
      (22, true, { try ListingCheck().findings($0) }),
      (2, true, { try TextCheck().findings($0) }),
    ], repairs: repairs)

  private static let wronglyBoxed = """
    FROM device LEFT JOIN category ON category.code = device.category
    LEFT JOIN device_box ON device_box.rowid = device.rowid
    WHERE device_box.rowid IS NULL OR longitude NOT BETWEEN west AND east
      OR latitude NOT BETWEEN south AND north
      OR category_low <> category.number OR category_high <> category.number
    """
  private static let strangeBoxes = """
    FROM device_box WHERE rowid NOT IN (SELECT rowid FROM device)
    """
  private static let misplaced = """
    FROM device WHERE ST_X(public_point) IS DISTINCT FROM longitude
      OR ST_Y(public_point) IS DISTINCT FROM latitude
    """

  private static let counts: [IntegrityRules.Count] = [
    (
      2, .derived(.boxes), "devices have a wrong box in the box tree",
      "SELECT count(*) \(wronglyBoxed)"
    ),
    (
      2, .derived(.boxes), "boxes belong to no device",
      "SELECT count(*) \(strangeBoxes)"
    ),
    (
      2, .derived(.texts), "devices have no full text",
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT rowid FROM device_text)"
    ),
    (
      2, .content, "devices have no true position",
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM device_location)"
    ),
    (
      3, .content, "devices have another revision than their history",
      """
      SELECT count(*) FROM device WHERE revision <>
        (SELECT max(number) FROM revision WHERE device_rowid = device.rowid)
      """
    ),
    (
      3, .content, "devices are missing from the change sequence",
      "SELECT count(*) FROM device WHERE rowid NOT IN (SELECT device_rowid FROM change)"
    ),
    (
      6, .content, "former positions belong to no revision",
      """
      SELECT count(*) FROM revision_location LEFT JOIN revision USING (device_rowid, number)
      WHERE revision.number IS NULL
      """
    ),
    (
      7, .content, "devices are on the map and deleted",
      "SELECT count(*) FROM tombstone WHERE id IN (SELECT id FROM device)"
    ),
  ]

  private static let spatialCounts: [IntegrityRules.Count] = [
    (
      2, .derived(.points), "devices have a point that differs from their coordinates",
      "SELECT count(*) \(misplaced)"
    )
  ]

  private static func findings(_ count: Int64, _ kind: Finding.Kind, _ words: String) -> [Finding] {
    count == 0 ? [] : [Finding(kind: kind, description: "\(count) \(words)")]
  }

  /// Contents of deleted devices that are overdue for erasure. In a copy they are not a problem.
  @Sendable private static func overdue(_ connection: Connection) throws -> [Finding] {
    let count = try connection.integer(
      "SELECT count(*) FROM tombstone_content WHERE erase_on < date('now', '-7 days')")
    return findings(
      count ?? 0, .content, "deleted devices should have been erased a week ago")
  }

  /// Devices whose public point does not follow from their true place and precision.
  @Sendable private static func astray(_ connection: Connection) throws -> [Finding] {
    var count: Int64 = 0
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
    return findings(count, .content, "devices have a wrong public point")
  }

  /// Entries of the full-text index without their device.
  @Sendable private static func strayTexts(_ connection: Connection) throws -> [Finding] {
    let count = try connection.integer(
      """
      SELECT count(*) FROM (\(connection.textKeys(of: "device"))) AS indexed
      WHERE key NOT IN (SELECT rowid FROM device)
      """)
    return findings(count ?? 0, .derived(.texts), "full texts belong to no device")
  }

  /// Listings come last, because each is computed from a device that is repaired by then.
  private static let repairs: [IntegrityRules.Repair] = [
    IntegrityRules.Repair(
      .points,
      rows: "SELECT rowid \(misplaced)",
      "UPDATE device SET public_point = MakePoint(longitude, latitude, 4326) WHERE rowid = ?"),
    IntegrityRules.Repair(
      .boxes,
      rows: "SELECT device.rowid \(wronglyBoxed) UNION SELECT rowid \(strangeBoxes)",
      "DELETE FROM device_box WHERE rowid = ?",
      """
      INSERT INTO device_box
      SELECT device.rowid, longitude, longitude, latitude, latitude, number, number
      FROM device JOIN category ON category.code = device.category WHERE device.rowid = ?
      """),
    IntegrityRules.Repair(.texts, FullText.erasure, FullText.insertion) { connection in
      let keys = connection.textKeys(of: "device")
      return try connection.rows(
        """
        SELECT rowid FROM device WHERE rowid NOT IN (\(keys))
        UNION SELECT key FROM (\(keys)) AS indexed WHERE key NOT IN (SELECT rowid FROM device)
        """
      ) { $0.int(0) }
    },
    IntegrityRules.Repair(.texts, FullText.erasure, FullText.insertion) { connection in
      let drift = try TextCheck().drift(connection)
      return Array(Set(drift.drifted + drift.unfound)).sorted()
    },
    IntegrityRules.Repair(.listings, "DELETE FROM device_listing WHERE key = ?") {
      try ListingCheck().strangers($0)
    },
    IntegrityRules.Repair(
      .listings,
      """
      INSERT INTO device_listing (key, operator_rowid, listed)
      SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = ?
      ON CONFLICT (key) DO UPDATE
      SET operator_rowid = excluded.operator_rowid, listed = excluded.listed
      """
    ) { try ListingCheck().drift($0).devices },
  ]
}
