import Foundation
import PrivacyMap
import SpatialDatabase
import Testing

@testable import MapAPI

/// Devices added together are no different from devices added one by one.
@Suite struct BulkAdditionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func schema() throws -> [String] {
    try app.database.read { connection in
      try connection.rows("SELECT name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1") {
        $0.text(0)
      }
    }
  }

  private func add(_ count: Int, _ connection: borrowing Connection) throws -> [Int64] {
    try (0..<count).map { number in
      try app.writer.add(
        DeviceFields(name: "Device \(number)", category: "camera_fixed"),
        at: DeviceWriter.Placement(
          place: Coordinate(longitude: Double(number % 360) - 180, latitude: Double(number % 90)),
          precision: .exact),
        source: nil, by: DeviceWriter.Author(kind: "add"), connection)
    }
  }

  @Test(arguments: [1, BulkAddition.leastCount])
  func `each has its box, those changed meanwhile too`(count: Int) throws {
    let before = try schema()
    let first = try app.device()
    try app.app.write { connection in
      try BulkAddition.run(count, connection) {
        let rowids = try add(40, connection)
        for rowid in [first.rowid, rowids[7]] {
          try connection.execute(
            "UPDATE device SET category = 'webcam', latitude = 12 WHERE rowid = ?",
            [.integer(rowid)])
        }
      }
    }
    #expect(try app.integer("SELECT count(*) FROM device_box") == 41)
    #expect(
      try app.integer(
        """
        SELECT count(*) FROM device JOIN category ON category.code = device.category
        JOIN device_box ON device_box.rowid = device.rowid
        WHERE longitude BETWEEN west AND east AND latitude BETWEEN south AND north
          AND category_low = number AND category_high = number
        """) == 41)
    #expect(try schema() == before)
    try app.device()
    #expect(try app.integer("SELECT count(*) FROM device_box") == 42)
  }

  @Test func `where it fails nothing was added and the schema is as before`() throws {
    let before = try schema()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try app.app.write { connection in
        try BulkAddition.run(2_000, connection) {
          _ = try add(10, connection)
          throw Stop()
        }
      }
    }
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
    #expect(try schema() == before)
  }

  @Test func `only the devices added are gone through for their boxes`() throws {
    let plan = try app.database.read { try $0.explain(BulkAddition.boxes, [.integer(5)]) }
    #expect(plan.first == "SEARCH device USING INTEGER PRIMARY KEY (rowid>?)")
    #expect(!plan.contains { $0.hasPrefix("SCAN device") }, "\(plan)")
  }

  @Test func `the late indexes are those of the migrations`() throws {
    let before = try schema()
    try app.database.write { connection in
      try LateIndexes.drop(connection)
      #expect(
        try connection.integer(
          "SELECT count(*) FROM sqlite_schema WHERE name IN ('device_by_name', 'device_by_operator')"
        ) == 0)
      try LateIndexes.make(connection)
      try LateIndexes.make(connection)
    }
    #expect(try schema() == before)
  }

  @Test func `only a load of many into few devices goes without them`() {
    #expect(LateIndexes.mayWait(added: 20_000, known: 0))
    #expect(!LateIndexes.mayWait(added: 19_999, known: 0))
    #expect(LateIndexes.mayWait(added: 100_000, known: 100_000))
    #expect(!LateIndexes.mayWait(added: 99_999, known: 100_000))
    #expect(!LateIndexes.mayWait(added: 900_000, known: 100_001))
  }

  @Test func `a long import makes them at its end`() throws {
    let before = try schema()
    let rows = (0..<24_500).map { "\($0),Device \($0),\(Double($0 % 180)),\(Double($0 % 80))" }
    let csv = (["id,name,lon,lat"] + rows).joined(separator: "\n") + "\n"
    #expect(try app.importCSV(csv).added == 24_500)
    #expect(try schema() == before)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }
}
