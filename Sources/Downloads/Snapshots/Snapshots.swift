import Devices
import Import
package import Logging
import PrivacyMap
package import Service
import SpatialDatabase
import WebServer

/// Makes a snapshot each night, deletes old ones, and removes devices from all of them that must no
/// longer be shown (the job ``job``).
package struct Snapshots: Feature {
  /// The kind of job.
  static let job = "snapshots"
  static let every = Duration.seconds(3_600)
  /// The retention of daily snapshots in days; the first of each month is permanent.
  static let daysKept: Int32 = 35

  package let exports: DeviceExports
  package let folder: SnapshotFolder
  package let logger: Logger
  package let routes: SnapshotRoutes
  package let stopping: Stopping

  package init(_ instance: Instance) throws {
    exports = try instance.part()
    folder = SnapshotFolder(instance)
    (logger, stopping) = (instance.logger, instance.stopping)
    routes = SnapshotRoutes(instance)
  }

  package var endpoints: [Endpoint] { routes.endpoints }
  package var schemas: [Schema] { [SnapshotRoutes.schema] }
  package var jobs: [Job] { [Job(Self.job, every: Self.every, isLong: true, run: run)] }

  private var database: Database { exports.store.database }
  private var now: Timestamp { exports.store.environment.now() }

  /// Runs the steps that are due. If the server was down for a night, there is no snapshot for that day; today's
  /// snapshot is written as soon as it runs again. A failed write is repeated from the start. A missing or damaged file
  /// of an earlier snapshot is reported once a day and does not stop the job.
  func run() throws {
    let today = now.day.text
    let isMade = try database.read { try SnapshotStore().isMade(today, $0) }
    try withdraw(reportsMissing: !isMade)
    if !isMade { try make(today) }
    try letGo()
    try folder.files.sweep(at: now)
  }

  private func make(_ day: String) throws {
    let all = try exports.openAll(SnapshotFormat.allCases.map(\.exported))
    let (sequence, version) = try all[0].read { connection in
      (try SnapshotStore().sequence(connection), try SnapshotStore().schemaVersion(connection))
    }
    let madeAt = all[0].notes.exportedAt
    let licences = all[0].notes.credits.licences
    var written: [(SnapshotFormat, SnapshotFolder.Written)] = []
    for (format, export) in zip(SnapshotFormat.allCases, all) {
      let file = try folder.write(day, format, at: now) { sink in
        try export.write { bytes in
          try stopping.confirmGoingOn()
          try sink(bytes)
        }
        return export.total
      }
      written.append((format, file))
    }
    try database.write { connection in
      for (format, file) in written {
        try folder.files.confirm(NightlyFile(day, format, sha256: file.sha256), connection)
      }
      try SnapshotStore().add(
        day, madeAt: madeAt, sequence: sequence, version: version, licences: licences, written,
        connection)
    }
  }

  /// The day from which a snapshot may be deleted; nil if it is permanent.
  static func keptUntil(_ day: String, first: Bool) -> Day? {
    guard !first, let day = Day(text: day) else { return nil }
    return Day(daysSinceEpoch: day.daysSinceEpoch + daysKept)
  }

  private func letGo() throws {
    let today = now.day
    let (days, firsts) = try database.read { connection in
      (try SnapshotStore().days(connection), try SnapshotStore().firsts(connection))
    }
    for day in days {
      guard let end = Self.keptUntil(day, first: firsts.contains(day)), end <= today else {
        continue
      }
      try database.write { try SnapshotStore().letGo(day, at: now, $0) }
      for format in SnapshotFormat.allCases {
        if let file = try stored(day, format) { try folder.files.erase(file) }
      }
    }
  }

  /// A file as its row describes it.
  private func stored(_ day: String, _ format: SnapshotFormat) throws -> NightlyFile? {
    try database.readQuickly { try SnapshotStore().file(day, format, $0) }.map {
      NightlyFile(day, format, sha256: $0.sha256)
    }
  }

  // Withdrawal of devices

  /// Removes from every snapshot the devices that were later deleted, hidden or published with a coarser position.
  ///
  /// Nothing is recorded for a missing file, so that the devices are removed if the file reappears.
  private func withdraw(reportsMissing: Bool) throws {
    let kept = try database.read { try SnapshotStore().kept($0) }
    for snapshot in kept {
      let (ids, last) = try database.read(limit: .after(.seconds(60))) { connection in
        (
          try SnapshotStore().withdrawn(
            madeAt: snapshot.madeAt, through: snapshot.through, at: snapshot.at, connection),
          try SnapshotStore().sequence(connection)
        )
      }
      let moment = now.text
      var isWhole = true
      for format in SnapshotFormat.allCases {
        guard let file = try stored(snapshot.day, format) else { continue }
        do {
          guard try folder.files.has(file) else { throw SnapshotTrouble.missing(file.name) }
          guard try folder.files.open(file) != nil else {
            throw SnapshotTrouble.damaged(file.name)
          }
          if !ids.isEmpty {
            try rewrite(file, of: snapshot.day, format, without: ids, at: moment)
          }
        } catch let trouble as SnapshotTrouble where trouble.isOfReading {
          isWhole = false
          if reportsMissing { report(snapshot.day, format, trouble) }
        } catch  where SnapshotTrouble.isDamage(error) {
          isWhole = false
          // It cannot be rewritten without the devices that may no longer be shown.
          try folder.files.setAside(file)
          report(snapshot.day, format, error)
        }
      }
      guard isWhole, last != snapshot.through || !ids.isEmpty else { continue }
      try database.write {
        try SnapshotStore().noteCheck(of: snapshot.day, through: last, at: moment, $0)
      }
    }
  }

  private func report(_ day: String, _ format: SnapshotFormat, _ trouble: any Error) {
    logger.error(
      "the file of a snapshot is missing or damaged and is not offered",
      metadata: ["error": "\(day).\(format.ending): \(trouble)"])
  }

  /// Rewrites a file without some devices; does nothing if it contains none of them.
  private func rewrite(
    _ former: NightlyFile, of day: String, _ format: SnapshotFormat, without ids: Set<[UInt8]>,
    at moment: String
  ) throws {
    let written =
      format.isText
      ? try rewriteText(former, of: day, format, without: ids)
      : try rewriteParquet(former, of: day, without: ids)
    guard let (file, found) = written else { return }
    try database.write { connection in
      try folder.files.confirm(NightlyFile(day, format, sha256: file.sha256), connection)
      try SnapshotStore().replace(
        day, format, by: file, without: found, at: moment, connection)
    }
    try folder.files.eraseFormer(former)
  }

  /// A new file and the number of devices left out; nil if the former file contains no such device.
  private typealias Rewritten = (file: SnapshotFolder.Written, left: Int)

  private func rewriteParquet(
    _ former: NightlyFile, of day: String, without ids: Set<[UInt8]>
  ) throws -> Rewritten? {
    /// Ends the writing of a file that would be the former one.
    struct NothingToLeaveOut: Error {}
    guard let content = try folder.files.open(former) else {
      throw SnapshotTrouble.missing(former.name)
    }
    var left = 0
    do {
      let file = try folder.write(day, .parquet, at: now) { sink in
        let counts = try ParquetFilter(without: ids, in: "id").run(content.next) { piece in
          try stopping.confirmGoingOn()
          try sink(piece)
        }
        guard counts.leftOut > 0 else { throw NothingToLeaveOut() }
        left = counts.leftOut
        return counts.kept
      }
      return (file, left)
    } catch is NothingToLeaveOut { return nil }
  }

  private func rewriteText(
    _ former: NightlyFile, of day: String, _ format: SnapshotFormat, without ids: Set<[UInt8]>
  ) throws -> Rewritten? {
    var found = 0
    try folder.forEachRecord(former, format) { record in
      try stopping.confirmGoingOn()
      if let id = SnapshotRecord.id(record, format), ids.contains(Array(id)) { found += 1 }
    }
    guard found > 0 else { return nil }
    let file = try folder.write(day, format, at: now) { sink in
      var kept = 0
      try folder.forEachRecord(former, format) { record in
        try stopping.confirmGoingOn()
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
    return (file, found)
  }
}
