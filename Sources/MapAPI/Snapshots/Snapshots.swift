import Compression
import Logging
import PrivacyMap
import SpatialDatabase

/// Makes a snapshot each night, deletes old ones, and removes devices from all of them that must no
/// longer be shown (the job ``job``).
struct Snapshots: Sendable {
  /// The kind of job.
  static let job = "snapshots"
  static let every = Duration.seconds(3_600)
  /// Days for which daily snapshots are kept; the first of each month is permanent.
  static let daysKept: Int32 = 35

  let exports: DeviceExports
  let folder: SnapshotFolder
  let logger: Logger

  private var database: Database { exports.store.database }
  private var now: Timestamp { exports.store.surroundings.now() }

  /// Runs the steps that are due. If the server was down for a night, there is no snapshot for that day;
  /// today's is made as soon as it runs again. A failed write is repeated from the start. A missing or
  /// damaged file of an earlier snapshot is reported once a day and does not stop the job.
  func run() throws {
    let today = now.day.text
    let isMade = try database.read { connection in
      try connection.integer("SELECT 1 FROM snapshot WHERE day = ?", [.text(today)]) != nil
    }
    try withdraw(reportsMissing: !isMade)
    if !isMade { try make(today) }
    try letGo()
  }

  private func make(_ day: String) throws {
    let all = try exports.openAll(SnapshotFormat.allCases.map(\.exported))
    let (sequence, version) = try all[0].read { connection in
      (
        try connection.integer("SELECT max(sequence) FROM change") ?? 0,
        try connection.integer("PRAGMA user_version") ?? 0
      )
    }
    let madeAt = all[0].notes.exportedAt
    let licences = all[0].notes.credits.licences
    var written: [(SnapshotFormat, SnapshotFolder.Written)] = []
    for (format, export) in zip(SnapshotFormat.allCases, all) {
      let file = try folder.write(day, format) { sink in
        try export.write(to: sink)
        return export.total
      }
      written.append((format, file))
    }
    try database.write { connection in
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
      for (format, file) in written {
        try connection.execute(
          "INSERT INTO snapshot_file (day, format, devices, bytes, sha256) VALUES (?, ?, ?, ?, ?)",
          [
            .text(day), .text(format.rawValue), SQLValue(file.devices), SQLValue(file.bytes),
            .text(file.sha256),
          ])
      }
    }
  }

  /// The day from which a snapshot may be deleted; nil if it is permanent.
  static func keptUntil(_ day: String, first: Bool) -> Day? {
    guard !first, let day = Day(text: day) else { return nil }
    return Day(daysSinceEpoch: day.daysSinceEpoch + daysKept)
  }

  /// Days of the snapshots that are the first of their month.
  static let firsts = "SELECT min(day) FROM snapshot GROUP BY substr(day, 1, 7)"

  private func letGo() throws {
    let today = now.day
    let (days, firsts) = try database.read { connection in
      (
        try connection.rows("SELECT day FROM snapshot WHERE gone_at IS NULL") { $0.text(0) },
        Set(try connection.rows(Self.firsts) { $0.text(0) })
      )
    }
    for day in days {
      guard let end = Self.keptUntil(day, first: firsts.contains(day)), end <= today else {
        continue
      }
      try database.write { connection in
        try connection.execute(
          "UPDATE snapshot SET gone_at = ? WHERE day = ?", [.text(now.text), .text(day)])
      }
      folder.erase(day)
    }
  }

  // Withdrawal of devices

  /// Removes devices from every snapshot that were deleted, hidden or made coarser since it was made.
  ///
  /// Nothing is recorded for a missing file, so that the devices are removed if the file reappears.
  private func withdraw(reportsMissing: Bool) throws {
    let kept = try database.read { connection in
      try connection.rows(
        """
        SELECT day, made_at, checked_through, checked_at FROM snapshot
        WHERE gone_at IS NULL ORDER BY day
        """
      ) { (day: $0.text(0), madeAt: $0.text(1), through: $0.int(2), at: $0.text(3)) }
    }
    for snapshot in kept {
      let (ids, last) = try database.read(limit: .after(.seconds(60))) { connection in
        (
          try Self.withdrawn(
            madeAt: snapshot.madeAt, through: snapshot.through, at: snapshot.at, connection),
          try connection.integer("SELECT max(sequence) FROM change") ?? 0
        )
      }
      let moment = now.text
      var isWhole = true
      for format in SnapshotFormat.allCases {
        do {
          guard folder.has(snapshot.day, format) else {
            throw SnapshotTrouble.missing(snapshot.day)
          }
          if !ids.isEmpty { try rewrite(snapshot.day, format, without: ids, at: moment) }
        } catch let trouble as SnapshotTrouble where trouble.isOfReading {
          isWhole = false
          if reportsMissing { report(snapshot.day, format, trouble) }
        } catch let trouble as InvalidGzip {
          isWhole = false
          // A damaged file cannot be rewritten without the devices, so it must not be shown.
          try folder.setAside(snapshot.day, format)
          report(snapshot.day, format, trouble)
        }
      }
      guard isWhole, last != snapshot.through || !ids.isEmpty else { continue }
      try database.write { connection in
        try connection.execute(
          "UPDATE snapshot SET checked_through = ?, checked_at = ? WHERE day = ?",
          [.integer(last), .text(moment), .text(snapshot.day)])
      }
    }
  }

  private func report(_ day: String, _ format: SnapshotFormat, _ trouble: any Error) {
    logger.error(
      "the file of a snapshot is missing or damaged and is not offered",
      metadata: ["error": "\(day).\(format.rawValue).gz: \(trouble)"])
  }

  /// The ids of devices that a snapshot must no longer show.
  static func withdrawn(
    madeAt: String, through: Int64, at checked: String, _ connection: borrowing Connection
  ) throws -> Set<[UInt8]> {
    var ids: Set<[UInt8]> = []
    // Merged devices continue as part of another device; their removal was not requested.
    try connection.forEach(
      "SELECT id FROM tombstone WHERE deleted_at >= ? AND reason <> 'merged'", [.text(checked)]
    ) { ids.insert($0.blob(0)) }
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
        // Making a position coarser means that the finer one must disappear.
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

  /// Rewrites a file without some devices; does nothing if it contains none of them.
  private func rewrite(
    _ day: String, _ format: SnapshotFormat, without ids: Set<[UInt8]>, at moment: String
  ) throws {
    var found = 0
    try folder.forEachRecord(day, format) { record in
      if let id = SnapshotRecord.id(record, format), ids.contains(Array(id)) { found += 1 }
    }
    guard found > 0 else { return }
    let file = try folder.write(day, format) { sink in
      var kept = 0
      try folder.forEachRecord(day, format) { record in
        guard let id = SnapshotRecord.id(record, format) else {
          // The end of a collection is on a separate line.
          return try sink(format == .geojson && kept > 0 ? [0x0A] + record : Array(record))
        }
        guard !ids.contains(Array(id)) else { return }
        kept += 1
        guard format == .geojson else { return try sink(Array(record)) }
        try sink((kept > 1 ? Array(",\n".utf8) : []) + SnapshotRecord.bare(record))
      }
      return kept
    }
    try database.write { connection in
      try connection.execute(
        """
        UPDATE snapshot_file SET devices = ?, bytes = ?, sha256 = ?, edition = edition + 1,
          withdrawn = withdrawn + ?, withdrawn_at = ? WHERE day = ? AND format = ?
        """,
        [
          SQLValue(file.devices), SQLValue(file.bytes), .text(file.sha256), SQLValue(found),
          .text(moment), .text(day), .text(format.rawValue),
        ])
    }
  }
}
