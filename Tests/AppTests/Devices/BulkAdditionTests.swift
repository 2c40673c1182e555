@testable import App
@testable import Devices
import Foundation
@testable import Lists
@testable import Operations
import PrivacyMap
import SpatialDatabase
import Testing

/// Devices added in bulk are equal to devices added one by one.
@Suite(
  .onlySQLite("about triggers and indexes that only SQLite drops for a load"))
struct BulkAdditionTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func schema() throws -> [String] { try Self.schema(of: app.database) }

  private static func schema(of database: Database) throws -> [String] {
    try database.read { connection in
      try connection.rows("SELECT name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1") {
        $0.text(0)
      }
    }
  }

  private func placement(_ number: Int) -> DeviceWriter.Placement {
    DeviceWriter.Placement(
      place: .clamped(longitude: Double(number % 360) - 179.9, latitude: Double(number % 90)),
      precision: number % 3 == 0 ? .kilometre : .exact)
  }

  /// Devices of many kinds: removed ones, with and without operator, verdicts and choices.
  private func fields(_ number: Int) -> DeviceFields {
    var fields = DeviceFields(
      name: "Déjà \(number)", category: number % 2 == 0 ? "camera_fixed" : "webcam")
    if number % 5 == 0 { fields.status = .removed }
    if number % 4 == 0 {
      fields.description = "Over the door"
      fields.answersFor = Operator(name: "Câmara \(number % 8)", kind: .public)
      var choice = OfferedChoice(kind: "opt_out")
      choice.instructions = "Ask at the door"
      choice.deadlineDays = 3
      fields.choices = [choice, OfferedChoice(kind: "access")]
    }
    return fields
  }

  private func add(
    _ numbers: Range<Int>, to addition: BulkAddition, _ connection: borrowing Connection
  ) throws -> [Int64] {
    try numbers.map {
      try addition.add(app.writer.row(fields($0), at: placement($0)), source: nil, connection)
    }
  }

  /// All rows of every table that contains the device.
  private static func rows(of app: TestApp) throws -> [String] {
    try app.database.readPrivate { connection in
      try [
        "device", "device_location", "device_text", "device_choice", "revision", "change",
        "device_box", "device_listing", "operator",
      ].flatMap { table in
        let names = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") {
          "quote(\"\($0.text(0))\")"
        }
        return try connection.rows(
          "SELECT '\(table) ' || \(names.joined(separator: " || ',' || ")) FROM \(table)"
        ) { $0.text(0) }.sorted()
      }
    }
  }

  @Test(arguments: [1, BulkAddition.minCount])
  func `every row of every table equals that of single additions`(count: Int) throws {
    let author = DeviceWriter.Author(kind: .add, comment: "a comment")
    try app.database.write { connection in
      try BulkAddition.run(count, with: app.writer, by: author, connection) { addition in
        let rowids = try add(0..<40, to: addition, connection)
        #expect(rowids == Array(1...40))
      }
    }
    let other = try TestApp()
    try other.database.write { connection in
      for number in 0..<40 {
        _ = try other.writer.add(
          fields(number), at: placement(number), source: nil, by: author, connection)
      }
    }
    let rows = try Self.rows(of: app)
    #expect(rows.count > 40 * 7)
    #expect(try rows == Self.rows(of: other))
  }

  @Test(arguments: [1, BulkAddition.minCount])
  func `each device has its box and listing, also when changed meanwhile`(count: Int) throws {
    let before = try schema()
    let first = try app.device()
    try app.app.write { connection in
      let author = DeviceWriter.Author(kind: .add)
      try BulkAddition.run(count, with: app.writer, by: author, connection) { addition in
        let rowids = try add(0..<20, to: addition, connection)
        try addition.store(connection)
        for rowid in [first.rowid, rowids[7]] {
          try connection.execute(
            "UPDATE device SET category = 'webcam', latitude = 12 WHERE rowid = ?",
            [.integer(rowid)])
        }
        _ = try add(20..<40, to: addition, connection)
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
    #expect(try app.database.read { try ListingCheck().findings($0) }.isEmpty)
    #expect(try schema() == before)
    try app.device()
    #expect(try app.integer("SELECT count(*) FROM device_box") == 42)
    #expect(try app.integer("SELECT count(*) FROM device_listing") == 42)
  }

  @Test func `a failed load adds nothing and restores the schema`() throws {
    let before = try schema()
    struct Stop: Error {}
    let author = DeviceWriter.Author(kind: .add)
    #expect(throws: Stop.self) {
      try app.app.write { connection in
        try BulkAddition.run(2_000, with: app.writer, by: author, connection) { addition in
          _ = try add(0..<10, to: addition, connection)
          try addition.store(connection)
          _ = try add(10..<20, to: addition, connection)
          throw Stop()
        }
      }
    }
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
    #expect(try schema() == before)
    // Nothing of it remains for the next load.
    try app.database.write { connection in
      try BulkAddition.run(1, with: app.writer, by: author, connection) { addition in
        _ = try add(0..<1, to: addition, connection)
      }
    }
    #expect(try app.integer("SELECT count(*) FROM device") == 1)
  }

  @Test func `a row that violates a constraint is refused as usual`() throws {
    let author = DeviceWriter.Author(kind: .add)
    #expect(throws: DatabaseFault.self) {
      try app.database.write { connection in
        try BulkAddition.run(1_000, with: app.writer, by: author, connection) { addition in
          _ = try addition.add(
            app.writer.row(
              DeviceFields(name: "", category: "camera_fixed"), at: placement(1)),
            source: nil, connection)
        }
      }
    }
    #expect(try app.integer("SELECT count(*) FROM device") == 0)
  }

  @Test func `the deferred indexes are those of the migrations`() throws {
    let before = try schema()
    try app.database.write { connection in
      try LateIndexes.drop(connection, servesNobody: true)
      #expect(
        try connection.integer(
          """
          SELECT count(*) FROM sqlite_schema WHERE name IN
            ('device_by_name', 'device_by_operator', 'device_box_insert', 'device_listing_insert')
          """) == 0)
    }
    try LateIndexes.make(in: app.database)
    #expect(try schema() == before)
    try LateIndexes.make(in: app.database)
    #expect(try schema() == before)
  }

  @Test(arguments: LateTrees.all)
  func `only the devices after a row are scanned for a tree`(tree: LateTrees.Tree) throws {
    let plan = try app.database.write { try $0.explain(tree.filling, [.integer(5)]) }
    #expect(
      plan.contains { $0.hasPrefix("SEARCH device USING INTEGER PRIMARY KEY (rowid>?)") }, "\(plan)"
    )
    #expect(!plan.contains { $0.hasPrefix("SCAN device") }, "\(plan)")
  }

  @Test func `the trees are updated at once while requests are served`() throws {
    try app.database.write { try LateIndexes.drop($0, servesNobody: false) }
    try app.device()
    #expect(try app.integer("SELECT count(*) FROM device_box") == 1)
    #expect(try app.integer("SELECT count(*) FROM device_listing") == 1)
  }

  @Test func `trees left incomplete by a killed load are complete after restart`() throws {
    let before = try Self.schema(of: app.database)
    let hidden = try app.device()
    try app.device(longitude: 170, latitude: -80)
    try app.app.write { try app.writer.setHidden(hidden.rowid, true, $0) }
    let author = DeviceWriter.Author(kind: .add)
    try app.database.write { connection in
      try LateIndexes.drop(connection, servesNobody: true)
      for count in [1, 2_000] {
        try BulkAddition.run(count, with: app.writer, by: author, connection) { addition in
          _ = try add(0..<30, to: addition, connection)
        }
      }
    }
    #expect(try app.integer("SELECT count(*) FROM device_box") == 2)
    try app.database.close()
    let again = try TestApp.start(
      app.folder.appendingPathComponent("farol.db"), front: TestFolder.front, clock: app.clock,
      log: app.log)
    defer { try? again.database.close() }
    func count(_ table: String) throws -> Int64? {
      try again.database.read { try $0.integer("SELECT count(*) FROM \(table)") }
    }
    #expect(try count("device_box") == 62)
    #expect(try count("device_listing") == 61)
    #expect(try IndexCheck(database: again.database).findings().isEmpty)
    #expect(try Self.schema(of: again.database) == before)
  }

  @Test func `devices that are already in the trees cause no error`() throws {
    try app.device()
    try app.database.write { try LateIndexes.drop($0, servesNobody: true) }
    try app.device(longitude: 170, latitude: -80)
    try LateIndexes.make(in: app.database)
    for table in ["device_box", "device_listing"] {
      #expect(try app.integer("SELECT count(*) FROM \(table)") == 2)
    }
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
  }

  @Test func `only a large load into a small table defers the trees`() {
    #expect(LateIndexes.mayWait(added: 4_000, known: 0))
    #expect(!LateIndexes.mayWait(added: 3_999, known: 0))
    #expect(LateIndexes.mayWait(added: 100_000, known: 100_000))
    #expect(!LateIndexes.mayWait(added: 99_999, known: 100_000))
    #expect(!LateIndexes.mayWait(added: 900_000, known: 100_001))
  }

  @Test func `a long import builds the trees at its end`() throws {
    let before = try schema()
    let rows = (0..<24_500).map { "\($0),Device \($0),\(Double($0 % 180)),\(Double($0 % 80))" }
    let csv = (["id,name,lon,lat"] + rows).joined(separator: "\n") + "\n"
    #expect(try app.importCSV(csv).added == 24_500)
    #expect(try schema() == before)
    #expect(try IndexCheck(database: app.database).findings().isEmpty)
    // The page numbers of one part of the text index share their upper bits (SQLite FTS5,
    // fts5_index.c).
    let parts = "SELECT count(DISTINCT id >> 37) FROM device_text_data WHERE id >> 37 > 0"
    #expect(try app.integer(parts) == 1)
  }
}
