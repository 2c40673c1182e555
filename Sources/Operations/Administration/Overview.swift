package import Devices
package import Foundation
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/admin/overview`: the state of the instance at a glance.
package struct Overview: Sendable {
  package let map: LiveMap
  package let errors: RecentErrors
  /// The folder of photos.
  package let media: URL
  package let backups: Backups?
  package let retention: Retention
  private let store = OverviewStore()

  package init(
    map: LiveMap, errors: RecentErrors, media: URL, backups: Backups?, retention: Retention
  ) {
    self.map = map
    self.errors = errors
    self.media = media
    self.backups = backups
    self.retention = retention
  }

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getOverview", .get, "/api/admin/overview", tag: "Administration",
        summary: "The state of the instance at a glance.", access: .admin,
        answers: [.ok("Counts, queues, storage and recent errors.", schema: "overview")],
        .slow(overview))
    ]
  }

  @Sendable private func overview(_ request: Request, _ caller: Caller) throws -> Response {
    try map.database.read(limit: .after(.seconds(20))) { connection in
      .json([
        "generated_at": .string(map.environment.now().text),
        "devices": try devices(connection), "accounts": try accounts(connection),
        "queue": try queue(connection), "mail": try mail(connection),
        "jobs": try jobs(connection), "imports": try imports(connection),
        "storage": try storage(connection), "backups": try backups(connection),
        "retention": try retention.json(),
        "errors": .array(recentErrors),
      ])
    }
  }

  /// Number of days and of months in the time series.
  private static let days: Int32 = 30
  private static let months = 12

  private func devices(_ connection: borrowing Connection) throws -> JSONValue {
    var states: [(key: String, value: JSONValue)] = DeviceStatus.allCases.map { status in
      var filter = PointFilter()
      filter.statuses = CodeSet([IndexNumber.of(status)])
      return (status.rawValue, .integer(Int64(map.index.snapshot.count(matching: filter))))
    }
    states.append(("hidden", .integer(try store.hiddenDevices(connection))))
    states.append(("deleted", .integer(try store.deletedDevices(connection))))
    return [
      "by_status": .object(JSONObject(states)), "per_day": try perDay("device", connection),
      "per_month": try perMonth("device", connection),
    ]
  }

  private func accounts(_ connection: borrowing Connection) throws -> JSONValue {
    let counts = try store.accounts(at: map.environment.now(), connection)
    return [
      "by_state": .object(JSONObject(counts.map { ($0, .integer($1)) })),
      "per_day": try perDay("account", connection),
      "per_month": try perMonth("account", connection),
    ]
  }

  /// Rows added on each recent day, including today and days without any.
  private func perDay(
    _ table: String, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let today = map.environment.now().day
    let first = Day(daysSinceEpoch: today.daysSinceEpoch - Self.days + 1)
    let counts = try store.rows(of: table, since: first.text, by: 10, connection)
    let steps = (0..<Self.days).map { Day(daysSinceEpoch: first.daysSinceEpoch + $0).text }
    return .array(steps.map { ["day": .string($0), "count": .integer(counts[$0] ?? 0)] })
  }

  /// Rows added in each recent month, including the current one.
  private func perMonth(
    _ table: String, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let today = map.environment.now().day
    let months = (0..<Self.months).reversed().map {
      String(today.adding(months: -$0).text.prefix(7))
    }
    let counts = try store.rows(
      of: table, since: (months.first ?? "") + "-01", by: 7, connection)
    return .array(months.map { ["month": .string($0), "count": .integer(counts[$0] ?? 0)] })
  }

  private func queue(_ connection: borrowing Connection) throws -> JSONValue {
    let waiting = try QueueStore().waiting(connection)
    return [
      "open": .integer(waiting.values.reduce(0) { $0 + $1.count }),
      "oldest_at": waiting.values.map(\.since).min().map { .string($0) } ?? .null,
      "by_kind": .object(
        JSONObject(
          QueueStore.Kind.allCases.map { ($0.rawValue, .integer(waiting[$0]?.count ?? 0)) })),
    ]
  }

  private func mail(_ connection: borrowing Connection) throws -> JSONValue {
    let mail = try store.mail(connection)
    return [
      "waiting": .integer(mail.waiting), "failed": .integer(mail.failed),
      "oldest_at": .optional(mail.oldestAt),
    ]
  }

  private func jobs(_ connection: borrowing Connection) throws -> JSONValue {
    let failed = try store.failedJobs(connection)
    let counts = try store.jobs(at: map.environment.now(), connection)
    return [
      "waiting": .integer(counts.waiting), "scheduled": .integer(counts.scheduled),
      "failed": .integer(counts.failed),
      "given_up": .array(
        failed.map { job in
          [
            "kind": .string(job.kind), "count": .integer(job.count),
            "last_at": .string(job.lastAt),
          ]
        }),
    ]
  }

  private func imports(_ connection: borrowing Connection) throws -> JSONValue {
    .array(
      try store.imports(connection).map { run in
        [
          "id": .integer(run.id), "file": .string(run.file), "state": .string(run.state),
          "started_at": .string(run.startedAt), "finished_at": .optional(run.finishedAt),
          "rows": .integer(run.rows), "added": .integer(run.added),
        ]
      })
  }

  /// Bytes used by the database, its write-ahead log and the photos, and free bytes on the disk.
  private func storage(_ connection: borrowing Connection) throws -> JSONValue {
    let path = try store.path(connection)
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    let free = (disk?[.systemFreeSize] as? NSNumber)?.int64Value
    return [
      "database": .integer(Self.size(path)), "wal": .integer(Self.size(path + "-wal")),
      "media": .integer(Self.total(media)),
      "free": free.map { .integer($0) } ?? .null,
    ]
  }

  /// The number of backups and the time of the last one; null if backups are not configured.
  private func backups(_ connection: borrowing Connection) throws -> JSONValue {
    guard let backups else { return .null }
    let failure = try store.lastError(ofJob: Backups.job, connection)
    return [
      "count": .integer(Int64(backups.count)),
      "last_at": backups.lastMadeAt.map { .string($0.text) } ?? .null,
      "failure": failure.map { .string($0) } ?? .null,
      "findings": .array(backups.lastFindings().map { .string($0) }),
    ]
  }

  private static func size(_ path: String) -> Int64 {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Total bytes of all files below a folder.
  private static func total(_ folder: URL) -> Int64 {
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: [.fileSizeKey])
    var total: Int64 = 0
    while let file = files?.nextObject() as? URL {
      total += Int64((try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0)
    }
    return total
  }

  private var recentErrors: [JSONValue] {
    errors.all.map { error in
      [
        "at": .string(error.at), "message": .string(error.message),
        "count": .integer(Int64(error.count)),
      ]
    }
  }
}
