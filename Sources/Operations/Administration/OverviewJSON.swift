import JSON
import Lists
import Moderation
import Service

/// The JSON of ``Overview``.
enum OverviewJSON {
  static let shape = JSONShape<Overview.Figures>(
    "overview", .time("generated_at", \.at),
    .group(
      "devices", .init("by_status", .countsByName) { counts($0.statuses) },
      .list("per_day", of: step("day")) { $0.devices.days },
      .list("per_month", of: step("month")) { $0.devices.months }),
    .group(
      "accounts", .init("by_state", .countsByName) { counts($0.accountStates) },
      .list("per_day", of: step("day")) { $0.accounts.days },
      .list("per_month", of: step("month")) { $0.accounts.months }),
    .group(
      "queue", .count("open") { $0.queue.values.reduce(0) { $0 + $1.count } },
      .time("oldest_at") { $0.queue.values.map(\.since).min() },
      .init("by_kind", .countsByName) { figures in
        counts(QueueStore.Kind.allCases.map { ($0.rawValue, figures.queue[$0]?.count ?? 0) })
      }),
    .group(
      "mail", .count("waiting", \.mail.count), .count("failed", \.failedMails),
      .time("oldest_at", \.mail.oldestAt)),
    .group(
      "jobs", .count("waiting", \.jobs.waiting), .count("scheduled", \.jobs.scheduled),
      .count("failed", \.jobs.failed), .list("given_up", of: failed, \.givenUp)),
    .list("imports", of: importRun, \.imports),
    .group(
      "storage", .count("database", \.storage.database), .count("wal", \.storage.log),
      .count("media", \.storage.media), .count("free", \.storage.free)),
    .group(
      "backups", if: { $0.backups != nil }, .count("count") { $0.backups?.count ?? 0 },
      .time("last_at") { $0.backups?.lastMadeAt }, .text("failure", \.backupFailure),
      .texts("findings") { $0.backups?.lastFindings() ?? [] }),
    .list("retention", of: rule, \.retention), .list("errors", of: error, \.errors))

  private static func step(_ name: String) -> JSONShape<(String, Int64)> {
    JSONShape(nil, .text(name) { $0.0 }, .count("count") { $0.1 })
  }

  private static func counts(_ counts: [(String, Int64)]) -> JSONObject {
    JSONObject(counts.map { ($0, $1.json) })
  }

  private static let failed = JSONShape<StoredJobs.Failed>(
    nil, .text("kind") { $0.kind }, .count("count") { $0.count }, .time("last_at") { $0.lastAt })

  private static let importRun = JSONShape<ImportOverview.Import>(
    nil, .count("id") { $0.id }, .text("file") { $0.file }, .text("state") { $0.state },
    .time("started_at") { $0.startedAt }, .time("finished_at") { $0.finishedAt },
    .count("rows") { $0.rows }, .count("added") { $0.added })

  private static let rule = JSONShape<Retention.Standing>(
    nil, .text("code", \.rule.code), .count("due", \.due),
    .time("last_at") { $0.lastRun?.at }, .count("erased") { $0.lastRun?.erased })

  private static let error = JSONShape<RecentErrors.Entry>(
    nil, .time("at", \.at), .text("message", \.message), .count("count", \.count))
}
