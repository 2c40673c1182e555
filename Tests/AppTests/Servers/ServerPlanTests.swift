@testable import App
@testable import Devices
@testable import Operations
@testable import Reading
import SpatialDatabase
import Testing
@testable import Watching

/// PostgreSQL's query plans for statements that read large tables.
///
/// It reads small tables as a whole, so the tests forbid that: a plan then reads a table as a whole only if no index
/// fits.
@Suite struct ServerPlanTests {
  let app: TestApp

  init() throws { app = try TestApp(onPostgreSQLBeside: nil) }

  private func plan(_ sql: String, _ arguments: [SQLValue]) throws -> String {
    try app.database.write { connection in
      try connection.execute("SET LOCAL enable_seqscan = off")
      try connection.execute("SET LOCAL enable_bitmapscan = off")
      return try connection.explain(sql, arguments).joined(separator: "\n")
    }
  }

  @Test func `the changes of a cell are a range of an index`() throws {
    let plan = try plan(
      CellChangeStore.statement,
      [783_732, "2026-11-21T00:00:00Z", 0, "2026-11-22T00:00:00Z", 501])
    #expect(plan.contains("device_by_watch_cell"), "\(plan)")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
  }

  @Test func `listings are found by their keys alone`() throws {
    let plan = try plan(ListedRows.selection, [1, 2])
    #expect(plan.contains("Index Scan using device_listing_pkey"), "\(plan)")
    #expect(!plan.contains("Seq Scan") && !plan.contains("Sort"), "\(plan)")
    let first = try self.plan(ListedRows.firstRows, [1, 2, 3])
    #expect(first.contains("Index Scan using device_listing_pkey"), "\(first)")
    #expect(!first.contains("Seq Scan") && !first.contains("Sort"), "\(first)")
    let operators = try self.plan(ListedRows.operatorsOf, [1])
    #expect(operators.contains("operator_pkey"), "\(operators)")
  }

  @Test func `what a watch tells is read by the index of keys`() throws {
    var plans = try [ChangeLog.later, ChangeLog.earlier].map { try plan($0, [1, 1, 500]) }
    plans.append(try plan(ChangeLog.entry, [1]))
    plans.append(try plan(WatchMails.dueOnes, ["daily", "", 50]))
    for plan in plans {
      #expect(!plan.contains("Seq Scan"), "\(plan)")
    }
  }
}
