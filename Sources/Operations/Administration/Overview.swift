package import Devices
import Foundation
import Lists
import Moderation
package import Pictures
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/admin/overview`: the state of the instance at a glance.
package struct Overview: Sendable {
  package let map: LiveMap
  package let errors: RecentErrors
  package let pictures: any PictureStore
  package let backups: Backups?
  package let retention: Retention
  let pending: QueueStore
  private let store = OverviewStore()

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
      let now = map.environment.now()
      return .json(
        Figures(
          at: now, statuses: try statuses(connection),
          devices: try growth("device", connection),
          accountStates: try store.accounts(at: now, connection),
          accounts: try growth("account", connection),
          queue: try pending.waiting(connection), mail: try StoredMail.waiting(connection),
          failedMails: try StoredMail.failedCount(connection),
          jobs: try StoredJobs.counts(at: now, connection),
          givenUp: try StoredJobs.failed(connection),
          imports: try ImportOverview.latest(connection), storage: try storage(connection),
          backups: backups,
          backupFailure: try StoredJobs.lastError(of: Backups.job, connection),
          retention: try retention.standings(), errors: errors.all), as: OverviewJSON.shape)
    }
  }

  /// Everything in the response.
  struct Figures {
    let at: Timestamp
    let statuses: [(String, Int64)]
    let devices: Growth
    let accountStates: [(name: String, count: Int64)]
    let accounts: Growth
    let queue: [QueueStore.Kind: (count: Int64, since: String)]
    let mail: (count: Int64, oldestAt: String?)
    let failedMails: Int64
    let jobs: StoredJobs.Counts
    let givenUp: [StoredJobs.Failed]
    let imports: [ImportOverview.Import]
    let storage: Storage
    /// Nil if backups are not configured.
    let backups: Backups?
    let backupFailure: String?
    let retention: [Retention.Standing]
    let errors: [RecentErrors.Entry]
  }

  /// Rows added in each recent step of time.
  typealias Growth = (days: [(String, Int64)], months: [(String, Int64)])
  /// Bytes used by the database, its write-ahead log and the photos, and free bytes on the disk.
  typealias Storage = (database: Int64, log: Int64, media: Int64, free: Int64?)

  /// Number of days and of months in the time series.
  private static let days: Int32 = 30
  private static let months = 12

  private func statuses(_ connection: borrowing Connection) throws -> [(String, Int64)] {
    let states = DeviceStatus.allCases.map { status in
      var filter = PointFilter()
      filter.statuses = CodeSet([IndexNumber.of(status)])
      return (status.rawValue, Int64(map.index.snapshot.count(matching: filter)))
    }
    return states + [
      ("hidden", try store.hiddenDevices(connection)),
      ("deleted", try TombstoneStore.count(connection)),
    ]
  }

  /// Rows added on each recent day and in each recent month, including days and months without any, until today.
  private func growth(_ table: String, _ connection: borrowing Connection) throws -> Growth {
    let today = map.environment.now().day
    let days = (0..<Self.days).reversed().map {
      Day(daysSinceEpoch: today.daysSinceEpoch - $0).text
    }
    let months = (0..<Self.months).reversed().map {
      String(today.adding(months: -$0).text.prefix(7))
    }
    let ofDays = try store.rowsByDay(of: table, since: (months.first ?? "") + "-01", connection)
    let ofMonths = Dictionary(ofDays.map { ($0.prefix(7), $1) }, uniquingKeysWith: +)
    return (days.map { ($0, ofDays[$0] ?? 0) }, months.map { ($0, ofMonths[$0[...]] ?? 0) })
  }

  private func storage(_ connection: borrowing Connection) throws -> Storage {
    let size = try connection.size()
    let folder = URL(fileURLWithPath: map.database.path).deletingLastPathComponent().path
    let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    let free = (disk?[.systemFreeSize] as? NSNumber)?.int64Value
    return (size.database, size.log, try pictures.size(connection), free)
  }
}
