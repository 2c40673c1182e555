import Devices
import PrivacyMap
package import SpatialDatabase

/// The tables `snapshot` and `snapshot_file`.
package struct SnapshotStore: Sendable {
  package init() {}

  static let query = """
    SELECT snapshot.day, made_at, schema_version, licences, gone_at, format, devices, bytes, sha256,
      edition, withdrawn, withdrawn_at
    FROM snapshot JOIN snapshot_file ON snapshot_file.day = snapshot.day
    WHERE gone_at IS NULL ORDER BY snapshot.day DESC, format
    """

  /// The files of the existing snapshots, latest first.
  func files<T>(
    _ connection: borrowing Connection, decode: (Row) -> T
  ) throws -> [T] {
    try connection.rows(Self.query, decode: decode)
  }

  /// The checksum of a file, and whether its snapshot has been deleted; nil if it never existed.
  func file(
    _ day: String, _ format: SnapshotFormat, _ connection: borrowing Connection
  ) throws -> (sha256: String, isGone: Bool)? {
    try connection.first(
      """
      SELECT sha256, gone_at FROM snapshot_file JOIN snapshot ON snapshot.day = snapshot_file.day
      WHERE snapshot_file.day = ? AND format = ?
      """, [.text(day), .text(format.rawValue)]
    ) { ($0.text(0), !$0.isNull(1)) }
  }

  /// The licences of a snapshot, and the edition of its GeoJSON.
  func cited(
    _ day: String, _ connection: borrowing Connection
  ) throws -> (licences: String, edition: Int64)? {
    try connection.first(
      """
      SELECT licences, edition FROM snapshot JOIN snapshot_file ON snapshot_file.day = snapshot.day
      WHERE snapshot.day = ? AND format = ?
      """, [.text(day), .text(SnapshotFormat.geojson.rawValue)]
    ) { ($0.text(0), $0.int(1)) }
  }

  func isMade(_ day: String, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM snapshot WHERE day = ?", [.text(day)]) != nil
  }

  /// The days of the existing snapshots.
  func days(_ connection: borrowing Connection) throws -> [String] {
    try connection.rows("SELECT day FROM snapshot WHERE gone_at IS NULL") { $0.text(0) }
  }

  /// Days of the snapshots that are the first of their month.
  func firsts(_ connection: borrowing Connection) throws -> Set<String> {
    Set(
      try connection.rows("SELECT min(day) FROM snapshot GROUP BY substr(day, 1, 7)") {
        $0.text(0)
      })
  }

  /// The snapshots, each with the last change it was checked against, earliest first.
  func kept(
    _ connection: borrowing Connection
  ) throws -> [(day: String, madeAt: String, through: Int64, at: String)] {
    try connection.rows(
      """
      SELECT day, made_at, checked_through, checked_at FROM snapshot
      WHERE gone_at IS NULL ORDER BY day
      """
    ) { ($0.text(0), $0.text(1), $0.int(2), $0.text(3)) }
  }

  /// The highest number of the change sequence.
  func sequence(_ connection: borrowing Connection) throws -> Int64 {
    try connection.integer("SELECT max(sequence) FROM change") ?? 0
  }

  func schemaVersion(_ connection: borrowing Connection) throws -> Int64 {
    Int64(try connection.schemaVersion())
  }

  /// Adds a snapshot and its files.
  func add(
    _ day: String, madeAt: String, sequence: Int64, version: Int64, licences: String,
    _ files: [(SnapshotFormat, SnapshotFolder.Written)], _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO snapshot (day, made_at, sequence, schema_version, licences, checked_through,
        checked_at)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(day), .text(madeAt), .integer(sequence), .integer(version), .text(licences),
        .integer(sequence), .text(madeAt),
      ])
    for (format, file) in files {
      try connection.execute(
        "INSERT INTO snapshot_file (day, format, devices, bytes, sha256) VALUES (?, ?, ?, ?, ?)",
        [
          .text(day), .text(format.rawValue), SQLValue(file.devices), SQLValue(file.bytes),
          .text(file.sha256),
        ])
    }
  }

  /// Records that a snapshot is deleted.
  func letGo(
    _ day: String, at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE snapshot SET gone_at = ? WHERE day = ?", [.text(now.text), .text(day)])
  }

  /// Records the last change that a snapshot was checked against.
  func noteCheck(
    of day: String, through last: Int64, at moment: String, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE snapshot SET checked_through = ?, checked_at = ? WHERE day = ?",
      [.integer(last), .text(moment), .text(day)])
  }

  /// Records that a file was rewritten without some devices.
  func replace(
    _ day: String, _ format: SnapshotFormat, by file: SnapshotFolder.Written, without count: Int,
    at moment: String, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      UPDATE snapshot_file SET devices = ?, bytes = ?, sha256 = ?, edition = edition + 1,
        withdrawn = withdrawn + ?, withdrawn_at = ? WHERE day = ? AND format = ?
      """,
      [
        SQLValue(file.devices), SQLValue(file.bytes), .text(file.sha256), SQLValue(count),
        .text(moment), .text(day), .text(format.rawValue),
      ])
  }

  /// The ids of devices that a snapshot must no longer show.
  package func withdrawn(
    madeAt: String, through: Int64, at checked: String, _ connection: borrowing Connection
  ) throws -> Set<[UInt8]> {
    var ids = Set(try TombstoneStore.removed(since: checked, connection))
    let changed = try MapIndex.devices(changedAfter: through, connection)
    for rowid in changed {
      let device = try connection.first(
        "SELECT id, hidden, precision FROM device WHERE rowid = ? AND created_at <= ?",
        [.integer(rowid), .text(madeAt)]
      ) { (id: $0.blob(0), isHidden: $0.int(1) == 1, precision: $0.text(2)) }
      guard let device else { continue }
      if device.isHidden {
        ids.insert(device.id)
      } else if device.precision != Precision.exact.rawValue {
        // After a position becomes coarser, snapshots may no longer show the finer position.
        let wasFiner = try connection.integer(
          """
          SELECT 1 FROM revision WHERE device_rowid = ? AND made_at >= ?
            AND json_extract(before, '$.precision') IS NOT NULL LIMIT 1
          """, [.integer(rowid), .text(madeAt)])
        if wasFiner != nil { ids.insert(device.id) }
      }
    }
    return ids
  }
}

extension NightlyFile {
  /// The files of all snapshots that still exist, in the order of their names.
  package static func ofSnapshots(_ connection: borrowing Connection) throws -> [NightlyFile] {
    try connection.rows(
      """
      SELECT snapshot_file.day, format, sha256 FROM snapshot_file
      JOIN snapshot ON snapshot.day = snapshot_file.day
      WHERE gone_at IS NULL ORDER BY snapshot_file.day, format
      """
    ) { row in
      SnapshotFormat(rawValue: row.text(1)).map {
        NightlyFile(row.text(0), $0, sha256: row.text(2))
      }
    }.compactMap(\.self)
  }
}
