import Foundation
import Metrics
import SpatialDatabase

extension Monitoring {
  /// Metrics of the database: writes, reads and disk space.
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
      .gauge("farol_database_up", "1 if the last check of the database succeeded, otherwise 0.") {
        stored.latest == nil ? 0 : 1
      },
      .gauge(
        "farol_database_behind",
        "1 while the database is not used, because it is behind what this server has seen."
      ) { database.behind == nil ? 0 : 1 },
      .gauge(
        "farol_database_clock_ahead_seconds",
        "Seconds by which the clock of this server is ahead of that of the database."
      ) { stored.latest.map { Double($0.clockAhead) } },
      .gauge("farol_database_size_bytes", "Size of the database file.") {
        Double(database.fileSizes.database)
      },
      .gauge("farol_database_wal_size_bytes", "Size of the write-ahead log (-wal).") {
        Double(database.fileSizes.log)
      },
      space("farol_disk_free_bytes", "Free disk space available to Farol.") { $0.free },
      space("farol_disk_size_bytes", "Size of the disk.") { $0.size },
      .histogram(
        "farol_database_write_duration_seconds",
        "Duration of write transactions, from their begin until they are on disk.",
        activity.commits),
      .counter(
        "farol_database_write_failures_total", "Writes that failed.", by: "reason",
        activity.failedWrites),
      .histogram(
        "farol_database_group_writes", "Number of request writes in one transaction.",
        activity.groupSize),
      .histogram(
        "farol_database_write_wait_seconds",
        "Time that request writes waited for their transaction.", activity.writeWait),
      .histogram(
        "farol_database_writer_held_seconds",
        "Time that each write held the write connection, excluding the commit.",
        activity.writerHolds),
      .gauge("farol_database_writes_waiting", "Request writes waiting.") {
        Double(writes.waitingCount)
      },
      .gauge("farol_database_readers", "Read connections that may be open at the same time.") {
        Double(database.readersInUse.all)
      },
      .gauge("farol_database_readers_busy", "Read connections in use.") {
        Double(database.readersInUse.busy)
      },
      .histogram(
        "farol_database_reader_wait_seconds",
        "Waiting time of reads that found no free connection.", activity.readerWait),
      .counter(
        "farol_database_reads_refused_total", "Reads that got no connection in time.",
        activity.refusedReads),
      .counter(
        "farol_database_reads_interrupted_total", "Reads interrupted because they took too long.",
        activity.interruptedReads),
      .counter(
        "farol_database_replica_reads_total",
        "Public reads from a replica, because the primary did not answer.", activity.replicaReads),
    ]
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}

/// The free space of a disk for users other than root, and its size, in bytes.
struct DiskSpace: Sendable {
  let free: Double
  let size: Double

  /// Nil if the system reports nothing.
  ///
  /// - Parameter path: a folder; its parent is used if it does not exist yet.
  init?(at path: String) {
    var status = statvfs()
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard statvfs(path, &status) == 0 || statvfs(parent, &status) == 0 else { return nil }
    free = Double(status.f_bavail) * Double(status.f_frsize)
    size = Double(status.f_blocks) * Double(status.f_frsize)
  }
}
