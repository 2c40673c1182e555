import Foundation
import Metrics
import PrivacyMap
import SpatialDatabase

extension Monitoring {
  /// The database, its writes, its reads and its disk.
  static func ofDatabase(
    _ database: Database, _ writes: GroupedWriter, _ stored: StoredFigureReader, media: String
  ) -> [MetricFamily] {
    let activity = database.activity
    let places = [
      (name: "database", path: folder(of: database.path)), (name: "media", path: media),
    ]
    func space(
      _ name: String, _ help: String, _ value: @escaping @Sendable (DiskSpace) -> Double
    ) -> MetricFamily {
      MetricFamily(.gauge, name, help, labels: ["place"]) {
        places.compactMap { place in
          DiskSpace(at: place.path).map { MetricSample(value($0), labels: [place.name]) }
        }
      }
    }
    return [
      .gauge("farol_database_up", "1 where the database answered when it was last asked, else 0.") {
        stored.latest == nil ? 0 : 1
      },
      .gauge("farol_database_size_bytes", "Size of the database file.") {
        Double(database.fileSizes.database)
      },
      .gauge("farol_database_wal_size_bytes", "Size of the log of the database (-wal).") {
        Double(database.fileSizes.log)
      },
      space("farol_disk_free_bytes", "What the disk has left for Farol.") { $0.free },
      space("farol_disk_size_bytes", "Size of the disk.") { $0.size },
      .histogram(
        "farol_database_write_duration_seconds",
        "Time of transactions that write, from their begin until they are on the disk.",
        activity.commits),
      .counter(
        "farol_database_write_failures_total", "Writes that could not be kept.", by: "reason",
        activity.failedWrites),
      .histogram(
        "farol_database_group_writes", "How many writes of requests shared a transaction.",
        activity.groupSize),
      .histogram(
        "farol_database_write_wait_seconds",
        "How long writes of requests waited for their transaction.", activity.writeWait),
      .histogram(
        "farol_database_writer_held_seconds",
        "How long each write held the one connection that writes, its commit aside.",
        activity.writerHolds),
      .gauge("farol_database_writes_waiting", "Writes of requests that wait.") {
        Double(writes.waitingCount)
      },
      .gauge("farol_database_readers", "Connections that read, in all.") {
        Double(database.readersInUse.all)
      },
      .gauge("farol_database_readers_busy", "Connections that read, in use.") {
        Double(database.readersInUse.busy)
      },
      .histogram(
        "farol_database_reader_wait_seconds",
        "How long reads waited that found no connection free.", activity.readerWait),
      .counter(
        "farol_database_reads_refused_total", "Reads that found no connection in time.",
        activity.refusedReads),
      .counter(
        "farol_database_reads_interrupted_total", "Reads ended because they took too long.",
        activity.interruptedReads),
    ]
  }

  /// The copies of all that; nothing of them where none are made.
  static func ofBackups(_ backups: Backups?) -> [MetricFamily] {
    [
      .gauge(
        "farol_backup_last_timestamp_seconds",
        "When the newest of the backups that are there was made, as Unix time."
      ) { backups?.lastMadeAt.map { Double($0.secondsSinceEpoch) } }
    ]
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}

/// What a disk has left for those who are not root, and how large it is, in bytes.
struct DiskSpace: Sendable {
  let free: Double
  let size: Double

  /// Nil where the system does not tell.
  ///
  /// - Parameter path: a folder; the one above it where it is not there yet.
  init?(at path: String) {
    var status = statvfs()
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard statvfs(path, &status) == 0 || statvfs(parent, &status) == 0 else { return nil }
    free = Double(status.f_bavail) * Double(status.f_frsize)
    size = Double(status.f_blocks) * Double(status.f_frsize)
  }
}
