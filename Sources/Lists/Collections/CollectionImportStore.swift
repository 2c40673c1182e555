import PrivacyMap
import Reading
import Service
import SpatialDatabase

/// The `collection` table and its features, as imports write them and admins read them.
struct CollectionImportStore {
  /// A collection with the user who imported it. `properties` is JSON.
  struct Told {
    let id, title, licence: String
    let features: Int64
    let file: String
    let by: String?
    let createdAt, properties: String
    /// The number of skipped features by reason, in the response to the import.
    var skipped: [SourceFault: Int]?
  }

  /// The name of a collection in the log of moderation.
  static let logNames = [
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

  private static func told(_ row: Row) -> Told {
    Told(
      id: row.text(0), title: row.text(1), licence: row.text(2), features: row.int(3),
      file: row.text(4), by: row.optionalText(5), createdAt: row.text(6), properties: row.text(7))
  }

  func all(_ connection: borrowing Connection) throws -> [Told] {
    try connection.rows(Self.selection + " ORDER BY title, collection.id", decode: Self.told)
  }

  func one(_ rowid: Int64, _ connection: borrowing Connection) throws -> Told? {
    try connection.first(
      Self.selection + " AND collection.rowid = ?", [.integer(rowid)], decode: Self.told)
  }

  func hide(_ rowid: Int64, _ connection: borrowing Connection) throws {
    try connection.execute(
      "UPDATE collection SET state = 'gone' WHERE rowid = ?", [.integer(rowid)])
  }

  /// Hides collections whose import was interrupted.
  func hideBroken(_ connection: borrowing Connection) throws {
    try connection.execute("UPDATE collection SET state = 'gone' WHERE state = 'loading'")
  }

  /// Whether a collection of this id is published.
  func has(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM collection WHERE id = ? AND state = 'ready'", [.text(id)]) != nil
  }

  /// Adds a collection that is not yet published.
  func add(
    _ description: CollectionLoad.Description, properties: String, timeProperty: Int?,
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
  func add(
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
  func publish(
    _ rowid: Int64, as id: String, features: Int, _ extent: CollectionLoad.Extent,
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
