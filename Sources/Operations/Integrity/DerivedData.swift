import Devices
import JSON
import Logging
import PrivacyMap
import Service
import SpatialDatabase

/// Rewrites derived rows that a check found inconsistent with their source rows (the job ``job``).
///
/// Searches on a separate connection and writes in short transactions, so that other requests wait only
/// briefly.
struct DerivedData {
  /// The kind of job.
  static let job = "rebuild"

  let map: LiveMap

  /// The number of rows that one transaction writes.
  private static let batch = 200

  /// Schedules a job that rewrites parts.
  static func schedule(
    _ parts: Set<DerivedPart>, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    guard !parts.isEmpty else { return }
    let payload: JSONValue = ["parts": parts.map(\.rawValue).sorted().json]
    try JobRunner.schedule(job, payload: payload.text, key: job, due: now, connection)
  }

  /// Runs the job.
  ///
  /// - Returns: the number of rows written.
  func work(_ payload: String) throws -> Int {
    let parts = try JSONValue(parsing: Array(payload.utf8))["parts"]?.arrayValue ?? []
    return try rebuild(Set(parts.compactMap(\.stringValue).compactMap(DerivedPart.init)))
  }

  /// Rewrites rows that are inconsistent with their source rows, while requests are served.
  ///
  /// Indexes, and R-trees and full texts with internal damage, are left to ``remake(_:)``.
  ///
  /// - Returns: the number of rows written.
  func rebuild(_ parts: Set<DerivedPart>) throws -> Int {
    let beside = try map.database.readerBeside()
    defer { try? beside?.close() }
    var count = 0
    // In the order of the cases, so that a listing is made from a device that is already repaired.
    for repair in Self.repairs where parts.contains(repair.part) {
      let rows =
        try beside?.read(limit: .none, repair.find)
        ?? map.database.readPrivate(limit: .none, repair.find)
      for start in stride(from: 0, to: rows.count, by: Self.batch) {
        try map.write { connection in
          for row in rows[start..<min(start + Self.batch, rows.count)] {
            for statement in repair.statements {
              try connection.execute(statement, [.integer(row)])
            }
          }
        }
      }
      count += rows.count
    }
    return count
  }

  /// Recreates whole parts, including those with internal damage, while no requests are served.
  ///
  /// - Throws: ``DatabaseFault``, of kind `corrupt` if even that is impossible.
  func remake(_ parts: Set<DerivedPart>) throws {
    let database = map.database
    try database.write(sortingInFiles: true) { connection in
      if parts.contains(.indexes) { try connection.execute("REINDEX") }
      if parts.contains(.texts) { try Self.remake("device_text", connection) }
      if parts.contains(.collections) { try Self.remake("collection_feature_box", connection) }
      if parts.contains(.texts) { try FullText.add(after: Int64.min, connection) }
      if !parts.isDisjoint(with: [.boxes, .listings]) { try LateTrees.drop(connection) }
    }
    try LateIndexes.make(in: database)
    _ = try rebuild(parts)
  }

  /// Replaces a virtual table by an empty one with the same definition.
  private static func remake(_ table: String, _ connection: borrowing Connection) throws {
    guard let definition = try connection.definition(of: "table", table) else { return }
    try connection.execute("DROP TABLE \(table)")
    try connection.execute(definition)
  }
}

extension DerivedData {
  /// The repair of one part.
  private struct Repair {
    let part: DerivedPart
    /// Finds the inconsistent rows.
    let find: (Connection) throws -> [Int64]
    /// The statements that rewrite one row, each with the rowid as its only argument.
    let statements: [String]

    init(
      _ part: DerivedPart, _ statements: String...,
      find: @escaping (Connection) throws -> [Int64]
    ) {
      (self.part, self.statements, self.find) = (part, statements, find)
    }

    init(_ part: DerivedPart, rows sql: String, _ statements: String...) {
      (self.part, self.statements) = (part, statements)
      find = { try $0.rows(sql) { $0.int(0) } }
    }
  }

  private static var repairs: [Repair] {
    [
      Repair(
        .points,
        rows: """
          SELECT rowid FROM device
          WHERE ST_X(public_point) IS DISTINCT FROM longitude
            OR ST_Y(public_point) IS DISTINCT FROM latitude
          """,
        "UPDATE device SET public_point = MakePoint(longitude, latitude, 4326) WHERE rowid = ?"),
      Repair(
        .boxes,
        rows: """
          SELECT device.rowid FROM device LEFT JOIN category ON category.code = device.category
          LEFT JOIN device_box ON device_box.rowid = device.rowid
          WHERE device_box.rowid IS NULL OR longitude NOT BETWEEN west AND east
            OR latitude NOT BETWEEN south AND north
            OR category_low <> category.number OR category_high <> category.number
          UNION SELECT rowid FROM device_box WHERE rowid NOT IN (SELECT rowid FROM device)
          """,
        "DELETE FROM device_box WHERE rowid = ?",
        """
        INSERT INTO device_box
        SELECT device.rowid, longitude, longitude, latitude, latitude, number, number
        FROM device JOIN category ON category.code = device.category WHERE device.rowid = ?
        """),
      Repair(.texts, FullText.erasure, FullText.insertion) { connection in
        let keys = connection.textKeys(of: "device")
        return try connection.rows(
          """
          SELECT rowid FROM device WHERE rowid NOT IN (\(keys))
          UNION SELECT key FROM (\(keys)) AS indexed WHERE key NOT IN (SELECT rowid FROM device)
          """
        ) { $0.int(0) }
      },
      Repair(.texts, FullText.erasure, FullText.insertion) { connection in
        let drift = try TextCheck().drift(connection)
        return Array(Set(drift.drifted + drift.unfound)).sorted()
      },
      Repair(.listings, "DELETE FROM device_listing WHERE key = ?") {
        try ListingCheck().strangers($0)
      },
      Repair(
        .listings,
        """
        INSERT INTO device_listing (key, operator_rowid, listed)
        SELECT key, operator_rowid, listed FROM device_to_list WHERE device_rowid = ?
        ON CONFLICT (key) DO UPDATE
        SET operator_rowid = excluded.operator_rowid, listed = excluded.listed
        """
      ) { try ListingCheck().drift($0).devices },
      Repair(
        .collections,
        rows: """
          SELECT collection_feature.rowid FROM collection_feature
          LEFT JOIN collection_feature_box AS box ON box.rowid = collection_feature.rowid
          WHERE (geometry IS NOT NULL) <> (box.rowid IS NOT NULL)
            OR ST_MinX(geometry) < west OR ST_MaxX(geometry) > east
            OR ST_MinY(geometry) < south OR ST_MaxY(geometry) > north
          UNION
          SELECT rowid FROM collection_feature_box
          WHERE rowid NOT IN (SELECT rowid FROM collection_feature)
          """,
        "DELETE FROM collection_feature_box WHERE rowid = ?",
        """
        INSERT INTO collection_feature_box (rowid, west, east, south, north)
        SELECT rowid, ST_MinX(geometry), ST_MaxX(geometry), ST_MinY(geometry), ST_MaxY(geometry)
        FROM collection_feature WHERE rowid = ? AND geometry IS NOT NULL
        """),
      Repair(
        .collections,
        rows: """
          SELECT rowid FROM collection WHERE state = 'ready' AND feature_count <>
            (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
          """,
        """
        UPDATE collection SET feature_count =
          (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
        WHERE rowid = ?
        """),
      Repair(
        .accountNumbers,
        rows: """
          SELECT max(rowid) FROM account HAVING max(rowid) > (SELECT last FROM account_number)
          """,
        "UPDATE account_number SET last = max(last, ?)"),
    ]
  }
}
