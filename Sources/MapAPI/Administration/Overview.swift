import Foundation
import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// `GET /api/admin/overview`: the state of the instance at a glance.
struct Overview: Sendable {
  let map: LiveMap
  let errors: RecentErrors
  /// The folder of photos.
  let media: URL
  let backups: Backups?

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
        "generated_at": .string(map.surroundings.now().text),
        "devices": try devices(connection), "accounts": try accounts(connection),
        "queue": try queue(connection), "mail": try mail(connection),
        "jobs": try jobs(connection), "imports": try imports(connection),
        "storage": try storage(connection), "backups": try backups(connection),
        "retention": try Retention(database: map.database, surroundings: map.surroundings).json(),
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
    states.append(
      ("hidden", try count("SELECT count(*) FROM device WHERE hidden <> 0", connection)))
    states.append(("deleted", try count("SELECT count(*) FROM tombstone", connection)))
    return [
      "by_status": .object(JSONObject(states)), "per_day": try perDay("device", connection),
      "per_month": try perMonth("device", connection),
    ]
  }

  private func accounts(_ connection: borrowing Connection) throws -> JSONValue {
    let now = map.surroundings.now().text
    let counts = try connection.first(
      """
      SELECT count(*) FILTER (WHERE confirmed_at IS NOT NULL),
        count(*) FILTER (WHERE confirmed_at IS NULL),
        count(*) FILTER (WHERE suspended_at IS NOT NULL
          AND (suspended_until IS NULL OR suspended_until > ?)),
        count(*) FILTER (WHERE role = 'operator'), count(*) FILTER (WHERE role = 'moderator'),
        count(*) FILTER (WHERE role = 'admin')
      FROM account
      """, [.text(now)]
    ) { row in (0..<6).map { JSONValue.integer(row.int($0)) } }
    let names = ["confirmed", "unconfirmed", "suspended", "operators", "moderators", "admins"]
    return [
      "by_state": .object(JSONObject(zip(names, counts ?? []).map { ($0.0, $0.1) })),
      "per_day": try perDay("account", connection),
      "per_month": try perMonth("account", connection),
    ]
  }

  /// Rows added on each recent day, including today and days without any.
  private func perDay(
    _ table: String, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let today = map.surroundings.now().day
    let first = Day(daysSinceEpoch: today.daysSinceEpoch - Self.days + 1)
    let counts = try counts(of: table, since: first.text, length: 10, connection)
    let steps = (0..<Self.days).map { Day(daysSinceEpoch: first.daysSinceEpoch + $0).text }
    return .array(steps.map { ["day": .string($0), "count": .integer(counts[$0] ?? 0)] })
  }

  /// Rows added in each recent month, including the current one.
  private func perMonth(
    _ table: String, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let today = map.surroundings.now().day
    let months = (0..<Self.months).reversed().map {
      String(today.adding(months: -$0).text.prefix(7))
    }
    let counts = try counts(
      of: table, since: (months.first ?? "") + "-01", length: 7, connection)
    return .array(months.map { ["month": .string($0), "count": .integer(counts[$0] ?? 0)] })
  }

  private func counts(
    of table: String, since start: String, length: Int, _ connection: borrowing Connection
  ) throws -> [String: Int64] {
    let rows = try connection.rows(
      """
      SELECT substr(created_at, 1, ?), count(*) FROM \(table) WHERE created_at >= ? GROUP BY 1
      """, [SQLValue(length), .text(start)]
    ) { ($0.text(0), $0.int(1)) }
    return Dictionary(rows) { first, _ in first }
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
    [
      "waiting": try count("SELECT count(*) FROM mail", connection),
      "failed": try count(
        "SELECT count(*) FROM job WHERE kind = 'mail' AND failed_at IS NOT NULL", connection),
      "oldest_at": try connection.text("SELECT min(created_at) FROM mail").map { .string($0) }
        ?? .null,
    ]
  }

  private func jobs(_ connection: borrowing Connection) throws -> JSONValue {
    let now = map.surroundings.now().text
    let failed = try connection.rows(
      """
      SELECT kind, count(*), max(failed_at) FROM job WHERE failed_at IS NOT NULL
      GROUP BY kind ORDER BY kind LIMIT 20
      """
    ) { row -> JSONValue in
      [
        "kind": .string(row.text(0)), "count": .integer(row.int(1)),
        "last_at": .string(row.text(2)),
      ]
    }
    return [
      "waiting": try count(
        "SELECT count(*) FROM job WHERE failed_at IS NULL AND due_at <= ?", connection, .text(now)),
      "scheduled": try count(
        "SELECT count(*) FROM job WHERE failed_at IS NULL AND due_at > ?", connection, .text(now)),
      "failed": try count("SELECT count(*) FROM job WHERE failed_at IS NOT NULL", connection),
      "given_up": .array(failed),
    ]
  }

  private func imports(_ connection: borrowing Connection) throws -> JSONValue {
    .array(
      try connection.rows(
        """
        SELECT rowid, file, state, started_at, finished_at, rows, added FROM import_run
        WHERE dry_run = 0 ORDER BY rowid DESC LIMIT 5
        """
      ) { row in
        [
          "id": .integer(row.int(0)), "file": .string(row.text(1)), "state": .string(row.text(2)),
          "started_at": .string(row.text(3)), "finished_at": .text(row, 4),
          "rows": .integer(row.int(5)), "added": .integer(row.int(6)),
        ]
      })
  }

  /// Bytes used by the database, its write-ahead log and the photos, and free bytes on the disk.
  private func storage(_ connection: borrowing Connection) throws -> JSONValue {
    let path =
      try connection.text(
        "SELECT file FROM pragma_database_list WHERE name = 'main'") ?? ""
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
    let failure = try connection.text(
      "SELECT last_error FROM job WHERE kind = ?", [.text(Backups.job)])
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

  private func count(
    _ sql: String, _ connection: borrowing Connection, _ arguments: SQLValue...
  ) throws -> JSONValue {
    .integer(try connection.integer(sql, arguments) ?? 0)
  }
}
