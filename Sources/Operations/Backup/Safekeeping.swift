package import Devices
package import Logging
import Foundation
package import Metrics
import PrivacyMap
package import Service
import SpatialDatabase

/// Daily backups, the list of erased data, and repairs of derived data.
package struct Safekeeping: Feature {
  /// Nil if no backup folder is configured.
  package var backups: Backups?
  package let erasures: ErasureList
  package let map: LiveMap
  package let logger: Logger

  /// The kind of the job that deletes old entries from the list of erased data.
  static let job = "forget_erasures"

  package var jobs: [Job] {
    [
      Job(
        Backups.job, every: backups == nil ? nil : Backups.every, isLong: backups != nil,
        work: backUp),
      Job(DerivedData.job, isLong: backups != nil, work: rebuild),
      Job(ErasureList.job, work: erasures.work),
      Job(Self.job, every: .seconds(3_600)) { [erasures, map] in
        try erasures.forget(at: map.environment.now())
      },
    ]
  }

  package init(_ instance: Instance) throws {
    let folders = instance.folders
    backups = Backups(instance)
    erasures = ErasureList(
      files: [folders.data.first, folders.backups].compactMap {
        $0?.appendingPathComponent(ErasureList.name).path
      })
    map = try instance.given()
    logger = instance.logger
  }

  package var metrics: [MetricFamily] {
    [
      .gauge(
        "farol_backup_last_timestamp_seconds",
        "Time of the newest existing backup, as Unix time."
      ) { [backups] in backups?.lastMadeAt.map { Double($0.secondsSinceEpoch) } }
    ]
  }

  /// Makes today's backup, logs the findings of its check and schedules repairs of derived data.
  @Sendable private func backUp(_ payload: String) throws {
    guard let made = try backups?.run() else { return }
    for finding in made.findings {
      logger.error(
        "the database is inconsistent; the backup was made anyway",
        metadata: ["error": "\(finding)"])
    }
    if made.missing > 0 {
      logger.error(
        "picture files of photos are missing; new backups do not contain them",
        metadata: ["error": "\(made.missing) photos"])
    }
    for file in made.missingSnapshots {
      logger.error(
        "a snapshot file is missing or damaged; new backups do not contain it",
        metadata: ["error": "\(file)"])
    }
    let parts = Set(made.findings.filter(\.isWrittenAgain).compactMap(\.part))
    try map.database.write { try DerivedData.schedule(parts, at: map.environment.now(), $0) }
  }

  @Sendable private func rebuild(_ payload: String) throws {
    let rows = try DerivedData(map: map).work(payload)
    logger.notice(
      "derived data was rebuilt", metadata: ["rows": "\(rows)"])
  }
}
