import Devices
import JSON
import Logging
import PrivacyMap
import SafeFetch
package import Service
package import SpatialDatabase

/// Imports that repeat from a URL, with a mapping that an admin saved.
package struct ImportSchedules: Feature {
  let runs: ScheduledImport
  private let catalogue: Catalogue

  /// `site` downloads the lists.
  package init(_ instance: Instance) throws {
    let imports: Imports = try instance.part()
    catalogue = instance.catalogue
    runs = ScheduledImport(
      map: imports.map, worker: imports.worker, mappings: imports.mappings,
      site: PublicFile(loopback: instance.settings.siteLoopback),
      mails: ImportScheduleMails(
        environment: instance.environment, queue: instance.mails, catalogue: catalogue),
      logger: instance.logger)
  }

  package static let exports = [
    ExportSection(
      name: "import_schedules",
      sql: """
        SELECT rowid, name, url, created_at FROM import_schedule
        WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
        """, start: [0],
      members: [("name", .text), ("url", .text), ("created_at", .text)])
  ]

  package static let logNames = [
    LogName("import_schedule") {
      "SELECT name FROM import_schedule WHERE rowid = CAST(\($0) AS BIGINT)"
    }
  ]

  package var endpoints: [Endpoint] {
    ImportScheduleRoutes(imports: runs, catalogue: catalogue).endpoints
  }

  package var schemas: [Schema] {
    [ShownImportSchedule.shape.component, ShownImportSchedule.shapeOfList.component]
      + JSONSchema.named([
        "newImportSchedule": ShownImportSchedule.body(isNew: true),
        "importScheduleChange": ShownImportSchedule.body(isNew: false),
        "importScheduleRun": ["confirmed": JSONSchema.flag.optional],
      ])
  }

  package var jobs: [Job] {
    [
      Job(ScheduledImport.startJob, every: .seconds(60), run: runs.start),
      Job(ScheduledImport.job, isLong: true, work: runs.run),
    ]
  }

  /// Ends the schedules of an account that is no longer an admin.
  package static func end(of account: Int64, _ connection: borrowing Connection) throws {
    try ImportScheduleStore.disable(of: account, connection)
  }

  /// The schedules of a deleted admin remain, because others need the list, but they no longer run.
  package static func erase(
    _ account: ErasedAccount, _ connection: borrowing Connection
  ) throws {
    try ImportScheduleStore.disable(of: account.rowid, connection)
    try connection.execute(
      "UPDATE import_schedule SET account_rowid = NULL WHERE account_rowid = ?",
      [.integer(account.rowid)])
  }
}
