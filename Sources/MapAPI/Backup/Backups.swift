import Foundation
package import PrivacyMap
import SpatialDatabase

/// Makes a backup each day and lets old ones go (the job ``job``).
package struct Backups: Sendable {
  /// The kind of job.
  static let job = "backup"
  static let every = Duration.seconds(3_600)

  /// How many backups are kept.
  package struct Rules: Equatable, Sendable {
    /// The last one of each of so many days, at least 1.
    package var daily = 7
    /// The last one of each of so many weeks, from Monday on.
    package var weekly = 4

    package init() {}

    /// What may go of finished backups, the oldest first.
    func outdated(_ entries: [BackupFolder.Entry]) -> [BackupFolder.Entry] {
      var days: Set<Day> = []
      var weeks: Set<Int32> = []
      return entries.reversed().filter { entry in
        let day = entry.madeAt.day
        let isDaily = !days.contains(day) && days.count < max(1, daily)
        days.insert(day)
        // The first of January 1970 was a Thursday.
        let week = (day.daysSinceEpoch + 3) / 7
        let isWeekly = !weeks.contains(week) && weeks.count < weekly
        weeks.insert(week)
        return !isDaily && !isWeekly
      }.reversed()
    }
  }

  let backup: Backup
  let folder: BackupFolder
  let rules: Rules
  let surroundings: Surroundings

  init(backup: Backup, folder: BackupFolder, rules: Rules, surroundings: Surroundings) {
    self.backup = backup
    self.folder = folder
    self.rules = rules
    self.surroundings = surroundings
  }

  /// Those of an instance; nil where no folder was named.
  init?(of database: Database, _ folders: App.Folders, rules: Rules, surroundings: Surroundings) {
    guard let folder = folders.backups else { return nil }
    let backup = Backup(
      database: database, media: folders.media.path, snapshots: folders.snapshots.path,
      surroundings: surroundings)
    self.init(
      backup: backup, folder: BackupFolder(path: folder.path), rules: rules,
      surroundings: surroundings)
  }

  /// When the newest that is there was made; nil where there is none.
  package var lastMadeAt: Timestamp? { folder.entries().last?.madeAt }

  /// How many there are.
  var count: Int { folder.entries().count }

  /// Does what is due. A day without a server has no backup; today's is made as soon as there is one
  /// again.
  ///
  /// - Returns: the backup that was made; nil where today's was there.
  /// - Throws: why it could not be made; it is tried again, and those that are there stay.
  @discardableResult
  func run() throws -> Backup.Made? {
    folder.eraseDrafts()
    let today = surroundings.now().day
    let isThere = folder.entries().contains { $0.madeAt.day == today }
    let made = isThere ? nil : try backup.make(in: folder)
    try folder.erase(rules.outdated(folder.entries()))
    return made
  }

  /// What the database did not agree with itself in when the newest that is there was made.
  func lastFindings() -> [String] {
    guard let last = folder.entries().last else { return [] }
    return (try? BackupManifest(folder: "\(folder.path)/\(last.name)").findings) ?? []
  }
}
