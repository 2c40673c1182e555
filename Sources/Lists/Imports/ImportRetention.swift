package import Service

extension Imports {
  package static let logNames = [
    LogName("import") { "SELECT file FROM import_run WHERE rowid = CAST(\($0) AS BIGINT)" }
  ]

  package static let restores = RestoreRule.of(
    "contributions",
    [
      "import_run": .follows("account"), "import_schedule": .follows("account"),
      "collection": .follows("account"),
    ])

  package static let retention = [
    RetentionRule(
      code: "import_dry_run", entry: "contributions", what: "imports that were only tried out",
      why: "to show what would happen", period: .days(ImportWorker.dryRunDays),
      job: ImportWorker.job,
      due: """
        SELECT count(*) FROM import_run
        WHERE dry_run = 1 AND state <> 'running' AND started_at < ?
        """, limit: .daysAgo(Int32(ImportWorker.dryRunDays)))
  ]
}
