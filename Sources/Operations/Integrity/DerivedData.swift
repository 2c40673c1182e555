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
    for repair in IndexCheck.rules.flatMap(\.repairs) where parts.contains(repair.part) {
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
