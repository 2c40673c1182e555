import SpatialDatabase

/// The devices that an import added or changed, with their public positions.
///
/// A device that has been deleted since is not among them.
struct ImportDeviceStore {
  /// The number of devices by their state since the import.
  struct Counts {
    /// Devices on the map.
    let shown: Int64
    /// Devices that an undo or a moderator has taken off the map.
    let hidden: Int64
    /// Devices that people have changed after the import.
    let edited: Int64
    /// Devices that leave the map when the import is undone: added by it and not changed by people.
    let withdrawable: Int64
    /// Devices on the map with a note of this import.
    let flagged: Int64
  }

  /// A device on the map.
  struct Device {
    let rowid: Int64
    let id, name, category, status: String
    let longitude, latitude: Double
    /// Whether the import added it; it changed the others.
    let isAdded: Bool
    let isFlagged: Bool
    /// Whether people have changed it after the import.
    let isEdited: Bool
  }

  private static let isAdded = """
    EXISTS (SELECT 1 FROM revision WHERE device_rowid = device.rowid AND number = 1 AND import_rowid = ?1)
    """
  private static let isEdited = """
    EXISTS (SELECT 1 FROM revision WHERE device_rowid = device.rowid AND import_rowid IS NULL
      AND number > (SELECT min(number) FROM revision AS first
        WHERE first.device_rowid = device.rowid AND first.import_rowid = ?1))
    """
  private static let isFlagged = """
    EXISTS (SELECT 1 FROM import_note
      WHERE import_note.device_rowid = device.rowid AND import_note.import_rowid = ?1)
    """
  private static let columns = """
    device.rowid, id, name, category, status, longitude, latitude, \(isAdded), \(isFlagged), \(isEdited)
    """

  func counts(of id: Int64, _ connection: borrowing Connection) throws -> Counts {
    let counts = try connection.first(
      """
      SELECT count(*), coalesce(sum(CASE WHEN hidden = 0 THEN 1 ELSE 0 END), 0),
        coalesce(sum(CASE WHEN hidden = 0 AND edited THEN 1 ELSE 0 END), 0),
        coalesce(sum(CASE WHEN hidden = 0 AND added AND NOT edited THEN 1 ELSE 0 END), 0)
      FROM (
        SELECT hidden, \(Self.isAdded) AS added, \(Self.isEdited) AS edited
        FROM (SELECT DISTINCT device_rowid FROM revision WHERE import_rowid = ?1) AS mine
        JOIN device ON device.rowid = mine.device_rowid
      ) AS devices
      """, [.integer(id)]
    ) { (all: $0.int(0), shown: $0.int(1), edited: $0.int(2), withdrawable: $0.int(3)) }
    let flagged = try connection.integer(
      """
      SELECT count(DISTINCT device_rowid) FROM import_note
      JOIN device ON device.rowid = import_note.device_rowid
      WHERE import_rowid = ? AND hidden = 0
      """, [.integer(id)])
    return Counts(
      shown: counts?.shown ?? 0, hidden: (counts?.all ?? 0) - (counts?.shown ?? 0),
      edited: counts?.edited ?? 0, withdrawable: counts?.withdrawable ?? 0,
      flagged: flagged ?? 0)
  }

  /// A page of the devices on the map, in the order in which they were first stored.
  func devices(
    of id: Int64, after last: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Device] {
    try connection.rows(
      """
      SELECT \(Self.columns)
      FROM (
        SELECT DISTINCT device_rowid FROM revision WHERE import_rowid = ?1 AND device_rowid > ?2
      ) AS mine
      JOIN device ON device.rowid = mine.device_rowid
      WHERE hidden = 0 ORDER BY device.rowid LIMIT ?3
      """, [.integer(id), .integer(last), SQLValue(limit)], decode: Self.device)
  }

  /// Every `step`-th device on the map, so that a map of a long list shows all its regions.
  func sample(
    of id: Int64, step: Int64, _ connection: borrowing Connection
  ) throws -> [Device] {
    try connection.rows(
      """
      SELECT \(Self.columns)
      FROM (
        SELECT device_rowid, row_number() OVER (ORDER BY device_rowid) AS place
        FROM (SELECT DISTINCT device_rowid FROM revision WHERE import_rowid = ?1) AS mine
        JOIN device ON device.rowid = mine.device_rowid
        WHERE hidden = 0
      ) AS shown
      JOIN device ON device.rowid = shown.device_rowid
      WHERE place % ?2 = 0 ORDER BY device.rowid
      """, [.integer(id), .integer(max(1, step))], decode: Self.device)
  }

  /// The first flagged devices on the map.
  func flagged(
    of id: Int64, limit: Int, _ connection: borrowing Connection
  ) throws -> [Device] {
    try connection.rows(
      """
      SELECT \(Self.columns)
      FROM (
        SELECT DISTINCT device_rowid FROM import_note
        WHERE import_rowid = ?1 AND device_rowid IS NOT NULL
      ) AS mine
      JOIN device ON device.rowid = mine.device_rowid
      WHERE hidden = 0 ORDER BY device.rowid LIMIT ?2
      """, [.integer(id), SQLValue(limit)], decode: Self.device)
  }

  private static func device(_ row: borrowing Row) -> Device {
    Device(
      rowid: row.int(0), id: row.text(1), name: row.text(2), category: row.text(3),
      status: row.text(4), longitude: row.double(5), latitude: row.double(6),
      isAdded: row.bool(7), isFlagged: row.bool(8), isEdited: row.bool(9))
  }
}
