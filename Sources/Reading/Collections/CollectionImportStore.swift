package import PrivacyMap
package import Service
package import SpatialDatabase

/// The `collection` table and its features, as imports write them and admins read them.
package struct CollectionImportStore {
  package init() {}

  /// The description of a collection, given by the admin.
  package struct Description {
    package var id: String
    package var title: String
    package var description = ""
    package var licence: String
    package var attribution: String
    package var url: String?
    /// The name of the property to which `datetime` refers.
    package var time: String?
    /// The name of the file.
    package var file: String
    /// Whether it replaces the collection of this id.
    package var replaces = false

    package init(id: String, title: String, licence: String, attribution: String, file: String) {
      (self.id, self.title, self.licence) = (id, title, licence)
      (self.attribution, self.file) = (attribution, file)
    }
  }

  /// A collection with the user who imported it. `properties` is JSON.
  package struct Imported {
    package let id, title, licence: String
    package let features: Int64
    package let file: String
    package let by: String?
    package let createdAt, properties: String
    /// The number of skipped features by reason, in the response to the import.
    package var skipped: [SourceFault: Int]?
  }

  /// The extent of all features in space and time.
  package struct Extent {
    fileprivate var box: (west: Double, south: Double, east: Double, north: Double)?
    fileprivate var starts: String?
    fileprivate var ends: String?

    package init() {}

    package mutating func add(_ shape: Geometry) {
      guard let other = shape.bounds else { return }
      guard let box else { return self.box = other }
      self.box = (
        min(box.west, other.west), min(box.south, other.south), max(box.east, other.east),
        max(box.north, other.north)
      )
    }

    package mutating func add(time: String) {
      starts = min(starts ?? time, time)
      ends = max(ends ?? time, time)
    }
  }

  /// The name of a collection in the log of moderation.
  package static let logNames = [
    LogName("collection") {
      "SELECT title FROM collection WHERE id = \($0) AND state = 'ready' LIMIT 1"
    }
  ]

  private static let selection = """
    SELECT collection.id, title, licence, feature_count, file, account.username,
      collection.created_at, properties
    FROM collection LEFT JOIN account ON account.rowid = collection.account_rowid
    WHERE state = 'ready'
    """

  private static func imported(_ row: Row) -> Imported {
    Imported(
      id: row.text(0), title: row.text(1), licence: row.text(2), features: row.int(3),
      file: row.text(4), by: row.optionalText(5), createdAt: row.text(6), properties: row.text(7))
  }

  package func all(_ connection: borrowing Connection) throws -> [Imported] {
    try connection.rows(Self.selection + " ORDER BY title, collection.id", decode: Self.imported)
  }

  package func one(_ rowid: Int64, _ connection: borrowing Connection) throws -> Imported? {
    try connection.first(
      Self.selection + " AND collection.rowid = ?", [.integer(rowid)], decode: Self.imported)
  }

  package func hide(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE collection SET state = 'gone' WHERE rowid = ?", [.integer(rowid)])
  }

  /// Hides collections whose import was interrupted.
  package func hideBroken(_ connection: borrowing Connection) throws {
    try connection.execute("UPDATE collection SET state = 'gone' WHERE state = 'loading'")
  }

  /// Whether a collection of this id is published.
  package func has(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM collection WHERE id = ? AND state = 'ready'", [.text(id)]) != nil
  }

  /// Adds a collection that is not yet published.
  package func add(
    _ description: Description, properties: String, timeProperty: Int?,
    by account: Int64?, at now: Timestamp, _ connection: borrowing Connection
  ) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO collection (id, state, title, description, licence, attribution, url, file,
        properties, time_property, account_rowid, created_at)
      VALUES (?, 'loading', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(description.id), .text(description.title), .text(description.description),
        .text(description.licence), .text(description.attribution), SQLValue(description.url),
        .text(description.file), .text(properties), SQLValue(timeProperty), SQLValue(account),
        .text(now.text),
      ])
    return connection.lastInsertedRowID
  }

  /// Adds a feature to a collection.
  package func add(
    _ geometry: Geometry?, key: String, properties: String, to collection: Int64,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO collection_feature (collection_rowid, key, geometry, properties)
      VALUES (?, ?, ST_GeomFromWKB(?, 4326), ?)
      """,
      [
        .integer(collection), .text(key),
        SQLValue(geometry?.wellKnownBinary),
        .text(properties),
      ])
    guard let box = geometry?.bounds else { return }
    try connection.execute(
      """
      INSERT INTO collection_feature_box (rowid, west, east, south, north) VALUES (?, ?, ?, ?, ?)
      """,
      [
        .integer(connection.lastInsertedRowID), .real(box.west), .real(box.east),
        .real(box.south), .real(box.north),
      ])
  }

  /// Publishes a collection and hides the one that it replaces.
  package func publish(
    _ rowid: Int64, as id: String, features: Int, _ extent: Extent,
    _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE collection SET state = 'gone' WHERE id = ? AND state = 'ready'", [.text(id)])
    try connection.execute(
      """
      UPDATE collection SET state = 'ready', feature_count = ?, west = ?, south = ?, east = ?,
        north = ?, starts = ?, ends = ? WHERE rowid = ?
      """,
      [
        SQLValue(features), SQLValue(extent.box?.west), SQLValue(extent.box?.south),
        SQLValue(extent.box?.east), SQLValue(extent.box?.north), SQLValue(extent.starts),
        SQLValue(extent.ends), .integer(rowid),
      ])
  }
}
