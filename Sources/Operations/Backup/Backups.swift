import Foundation
package import PrivacyMap
import Service
import SpatialDatabase

/// Makes a backup every day and deletes outdated ones (the job ``job``).
package struct Backups: Sendable {
  /// The kind of job.
  static let job = "backup"
  static let every = Duration.seconds(3_600)

  let backup: Backup
  let folder: BackupFolder
  let rules: BackupRules
  let environment: Environment

  init(backup: Backup, folder: BackupFolder, rules: BackupRules, environment: Environment) {
    self.backup = backup
    self.folder = folder
    self.rules = rules
    self.environment = environment
  }

  /// The backups of an instance; nil if no backup folder is configured.
  init?(_ instance: Instance) {
    let folders = instance.folders
    guard let folder = folders.backups else { return nil }
    let backup = Backup(
      database: instance.database, media: folders.media.path, snapshots: folders.snapshots.path,
      environment: instance.environment)
    self.init(
      backup: backup, folder: BackupFolder(path: folder.path), rules: instance.settings.backups,
      environment: instance.environment)
  }

  /// The time of the newest backup; nil without backups.
  package var lastMadeAt: Timestamp? { folder.entries().last?.madeAt }

  /// The number of backups.
  var count: Int { folder.entries().count }

  /// Makes today's backup if it is missing. If the server did not run on a day, that day has no backup;
  /// the first one follows as soon as the server runs again.
  ///
  /// - Returns: the new backup; nil if today's already existed.
  /// - Throws: the reason of a failure. The job is retried, and existing backups stay.
  @discardableResult
  func run() throws -> Backup.Made? {
    folder.eraseDrafts()
    let today = environment.now().day
    let isThere = folder.entries().contains { $0.madeAt.day == today }
    let made = isThere ? nil : try backup.make(in: folder)
    try folder.erase(rules.outdated(folder.entries()))
    return made
  }

  /// The inconsistencies found by the newest backup.
  func lastFindings() -> [String] {
    guard let last = folder.entries().last else { return [] }
    return (try? BackupManifest(folder: "\(folder.path)/\(last.name)").findings) ?? []
  }
}

extension BackupRules {
  /// The finished backups that may be deleted, the oldest first.
  func outdated(_ entries: [BackupFolder.Entry]) -> [BackupFolder.Entry] {
    var days: Set<Day> = []
    var weeks: Set<Int32> = []
    return entries.reversed().filter { entry in
      let day = entry.madeAt.day
      let isDaily = !days.contains(day) && days.count < max(1, daily)
      days.insert(day)
      // 1 January 1970 was a Thursday.
      let week = (day.daysSinceEpoch + 3) / 7
      let isWeekly = !weeks.contains(week) && weeks.count < weekly
      weeks.insert(week)
      return !isDaily && !isWeekly
    }.reversed()
  }
}
