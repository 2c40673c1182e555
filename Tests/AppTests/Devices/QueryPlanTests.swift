@testable import Devices
import PrivacyMap
@testable import Reading
import SpatialDatabase
import Testing

/// The most frequent queries use an index.
@Suite(.onlySQLite("about the query plans of SQLite"))
struct QueryPlanTests {
  let app: TestApp

  init() throws {
    app = try TestApp()
    _ = try RandomWorld(app, count: 300)
    try app.database.optimize()
  }

  private func plan(
    _ filter: DeviceFilter, orderedBy sortby: String? = nil
  ) throws -> String {
    try app.database.read { connection in
      let condition = try filter.condition(
        vocabulary: app.vocabulary, today: app.clock.now.day, connection: connection)
      let order = try DeviceOrder(sortby: sortby, near: nil)
      return try connection.explain(
        """
        SELECT device.rowid FROM device
        LEFT JOIN operator ON operator.rowid = device.operator_rowid
        WHERE \(condition.sql) ORDER BY \(order.clause) LIMIT 10
        """, condition.arguments
      ).joined(separator: "\n")
    }
  }

  @Test func `a box uses the R-tree`() throws {
    let box = try BoundingBox(west: 7, south: 46, east: 7.1, north: 46.1)
    let plan = try plan(DeviceFilter([BoxCondition(box), WordCondition("gate")]))
    #expect(plan.contains("VIRTUAL TABLE INDEX"), "\(plan)")
    #expect(!plan.contains("SCAN device\n") && !plan.hasSuffix("SCAN device"), "\(plan)")
  }

  @Test func `words use the full-text index`() throws {
    let plan = try plan(DeviceFilter([WordCondition("gate")]))
    #expect(plan.contains("device_text VIRTUAL TABLE INDEX"), "\(plan)")
    #expect(!plan.contains("SCAN device\n") && !plan.hasSuffix("SCAN device"), "\(plan)")
  }

  @Test func `the index is loaded by ranges of rows`() throws {
    let plan = try app.database.read { connection in
      try connection.explain(
        "\(IndexedPointReader.selection) AND \(IndexedPointReader.rowRange)", [1, 100])
    }
    #expect(
      plan == [
        "SEARCH device USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        "SEARCH operator USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      ])
  }

  @Test func `a single device is found by its id`() throws {
    let plan = try app.database.read { connection in
      try connection.explain("SELECT name FROM device WHERE id = ? AND hidden = 0", ["x"])
    }
    #expect(plan.contains { $0.contains("SEARCH device USING INDEX") })
  }

  @Test func `the first and last change are the ends of an index`() throws {
    let plan = try app.database.read { connection in
      try connection.explain("SELECT min(updated_at) FROM device WHERE hidden = 0")
    }
    #expect(plan.contains { $0.contains("device_by_updated_at") }, "\(plan)")
  }

  @Test func `changes since a sequence number are a range of the table`() throws {
    let plan = try app.database.read { connection in
      try connection.explain(MapIndex.changed, [1, .integer(.max)])
    }
    #expect(plan.contains { $0.contains("INTEGER PRIMARY KEY (rowid>? AND rowid<?)") }, "\(plan)")
  }

  @Test(arguments: [StatisticsNames.operatorName, StatisticsNames.sourceName])
  func `names of groups in statistics are found by row`(query: String) throws {
    let plan = try app.database.read { try $0.explain(query, [1]) }
    #expect(plan.contains { $0.contains("INTEGER PRIMARY KEY (rowid=?)") }, "\(plan)")
  }

  @Test func `the devices of an import are found by its run`() throws {
    let plan = try app.database.read { connection in
      try connection.explain(
        """
        SELECT DISTINCT device_rowid FROM revision
        WHERE import_rowid = ? AND kind = 'import' AND device_rowid > ?
        ORDER BY device_rowid LIMIT ?
        """, [1, 0, 10])
    }
    #expect(plan.contains { $0.contains("revision_by_import") }, "\(plan)")
  }
}
