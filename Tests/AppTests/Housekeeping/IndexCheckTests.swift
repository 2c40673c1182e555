import Foundation
@testable import Operations
@testable import Pictures
import PrivacyMap
import Service
import SpatialDatabase
import Testing

/// `farol check` detects damage of each kind, planted one at a time in a sound instance.
@Suite struct IndexCheckTests {
  let app: TestApp
  let device: TestDevice

  init() throws {
    app = try TestApp()
    device = try app.device(name: "Harbour camera", longitude: -16.9, latitude: 32.6)
    try app.device(name: "Town hall", longitude: -16.8, latitude: 32.7) { fields in
      fields.answersFor = Operator(name: "Council", kind: .public)
    }
  }

  private var findings: [String] {
    get throws { try IndexCheck(database: app.database).findings().map(\.description) }
  }

  private func plant(_ sql: String) throws { try app.database.write { try $0.execute(sql) } }

  private func shell(_ commands: String...) throws { try app.shell(commands) }

  @Test func `a sound instance has no findings`() throws {
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses")
    _ = try RandomWorld(app, count: 40)
    #expect(try findings == [])
  }

  @Test(
    .onlySQLite("about damage inside the file"),
    arguments: [
      ("DELETE FROM entry WHERE name = 'Town hall'", "row 2 missing from index device_by_name"),
      ("INSERT INTO entry VALUES ('Nobody', 99, 99)", "wrong # of entries in index device_by_name"),
    ])
  func `an index that does not match its table is found`(damage: String, finding: String) throws {
    try shell(".imposter device_by_name entry", damage)
    let found = try findings
    #expect(found.contains(finding), "\(found)")
  }

  @Test(.onlySQLite("about damage inside the file"))
  func `a row without its parent is found`() throws {
    try shell(
      "PRAGMA foreign_keys = OFF",
      "INSERT INTO device_key (namespace, key, device_rowid) VALUES ('osm', 'node/1', 99)")
    #expect(try findings == ["row 0 of device_key refers to no row of device"])
  }

  @Test(arguments: [
    ("DELETE FROM device_box WHERE rowid = 1", "1 devices have a wrong box in the box tree"),
    (
      "UPDATE device_box SET west = west + 1, east = east + 1 WHERE rowid = 1",
      "1 devices have a wrong box in the box tree"
    ),
    (
      "UPDATE device_box SET category_low = 99, category_high = 99 WHERE rowid = 1",
      "1 devices have a wrong box in the box tree"
    ),
    ("INSERT INTO device_box VALUES (9, 0, 0, 0, 0, 1, 1)", "1 boxes belong to no device"),
    ("DELETE FROM device_text WHERE rowid = 1", "1 devices have no full text"),
    (
      "INSERT INTO device_text (rowid, name) VALUES (9, 'Ghost')",
      "1 full texts belong to no device"
    ),
    (
      "DELETE FROM device_listing WHERE key & 4294967295 = 1",
      "1 devices have a wrong or missing listing"
    ),
    (
      "UPDATE device_listing SET listed = replace(listed, 'Town', 'Down')",
      "1 devices have a wrong or missing listing"
    ),
    (
      "UPDATE device_listing SET operator_rowid = NULL",
      "1 devices have a wrong or missing listing"
    ),
    (
      "INSERT INTO device_listing VALUES (9, NULL, 'Ghost')",
      "1 listings belong to no public device"
    ),
    ("DELETE FROM device_location WHERE device_rowid = 1", "1 devices have no true position"),
    (
      "UPDATE device SET revision = 7 WHERE rowid = 1",
      "1 devices have another revision than their history"
    ),
    (
      "DELETE FROM change WHERE device_rowid = 1", "1 devices are missing from the change sequence"
    ),
    (
      "INSERT INTO revision_location VALUES (1, 9, 0, 0)",
      "1 former positions belong to no revision"
    ),
    (
      """
      INSERT INTO tombstone (id, deleted_at, role, reason)
      SELECT id, created_at, 'admin', 'other' FROM device WHERE rowid = 1
      """, "1 devices are on the map and deleted"
    ),
    (
      "UPDATE device_location SET latitude = latitude + 1 WHERE device_rowid = 1",
      "1 devices have a wrong public point"
    ),
    (
      "UPDATE device SET public_point = MakePoint(1, 2, 4326) WHERE rowid = 1",
      "1 devices have a point that differs from their coordinates"
    ),
  ])
  func `an inconsistent row is found`(damage: String, finding: String) throws {
    try plant(damage)
    #expect(try findings == [finding])
  }

  @Test func `a full text with other words is found`() throws {
    try plant("UPDATE device_text SET name = 'Another' WHERE rowid = 1")
    #expect(
      try findings == [
        "1 devices have a wrong or missing full text",
        "1 devices are not found by their names",
      ])
  }

  @Test(.onlySQLite("about damage inside the file"))
  func `a full text without its index is found`() throws {
    try shell(
      "UPDATE device_text_data SET block = (SELECT block FROM device_text_data WHERE id = 1) "
        + "WHERE id > 10")
    let found = try findings
    #expect(found.count == 1)
    #expect(found.first?.contains("full text is damaged") == true, "\(found)")
  }

  @Test(.onlySQLite("about damage inside the file"))
  func `an internally damaged tree is found`() throws {
    try shell("UPDATE device_box_rowid SET nodeno = 7 WHERE rowid = 1")
    #expect(try findings.contains { $0.contains("the tree device_box is damaged") })
  }

  @Test(arguments: [
    (
      "UPDATE collection SET feature_count = 9",
      "1 collections have a wrong count of features"
    ),
    (
      "DELETE FROM collection_feature_box WHERE rowid = 1",
      "1 features of collections have a wrong box in the box tree"
    ),
    (
      "INSERT INTO collection_feature_box VALUES (99, 0, 0, 0, 0)",
      "1 boxes belong to no feature of a collection"
    ),
    (
      "UPDATE collection_feature SET geometry = MakePoint(1, 2, 4326) WHERE rowid = 1",
      "1 features of collections extend beyond their boxes"
    ),
  ])
  func `an inconsistent collection is found`(damage: String, finding: String) throws {
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses")
    try plant(damage)
    #expect(try findings == [finding])
  }

  @Test func `an outdated count of accounts is found`() throws {
    _ = try app.account("ana")
    try plant("UPDATE account_number SET last = 0")
    #expect(
      try findings
        == ["1 counts of accounts are too low, so that a number could be given twice"])
  }

  @Test func `overdue erasures are reported, but not for a copy`() throws {
    try plant(
      """
      INSERT INTO tombstone (id, deleted_at, role, reason)
      VALUES (printf('%036d', 7), '2020-01-01T00:00:00Z', 'admin', 'other')
      """)
    try plant(
      "INSERT INTO tombstone_content VALUES (printf('%036d', 7), 'A name', '{}', '2020-02-01')")
    #expect(try findings == ["1 deleted devices should have been erased a week ago"])
    #expect(try IndexCheck(database: app.database, isCopy: true).findings().isEmpty)
  }

  @Test(
    .onlySQLite("changes files; SharedFileTests changes pictures in the database"),
    arguments: [
      ([0xFF, 0xD8, 1, 2, 4, 0xFF, 0xD9] as [UInt8], "1 photos have modified files"),
      ([0xFF, 0xD8], "1 photos have modified files"),
    ])
  func `a picture with changed bytes is found`(bytes: [UInt8], finding: String) throws {
    let picture = try app.keptPhoto(of: device)
    func found() throws -> [String] {
      try IndexCheck.mediaFindings(database: app.database, media: app.media.path)
    }
    #expect(try found() == [])
    let file = URL(fileURLWithPath: "\(app.media.path)/\(MediaFolder.file(picture, .thumb))")
    try Data(bytes).write(to: file)
    #expect(try found() == [finding])
    try FileManager.default.removeItem(at: file)
    #expect(try found() == ["1 photos have lost their files"])
  }
}
