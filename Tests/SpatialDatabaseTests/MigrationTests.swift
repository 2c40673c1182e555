import Foundation
import SpatialDatabase
import Testing

@Suite struct MigrationTests {
  @Test func `migrations run in order and only once`() throws {
    let test = try TestDatabase([])
    try test.addMigration(1, "first", "CREATE TABLE one (a TEXT);")
    try test.addMigration(
      2, "second", "INSERT INTO one VALUES ('x;y'); INSERT INTO one VALUES ('z')")
    #expect(try test.database.migrate(directory: test.migrations) == ["0001_first", "0002_second"])
    #expect(try test.database.migrate(directory: test.migrations) == [])
    #expect(
      try test.database.read { try $0.rows("SELECT a FROM one") { $0.text(0) } } == ["x;y", "z"])
  }

  @Test func `a later migration runs alone`() throws {
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try test.addMigration(2, "second", "CREATE TABLE two (a);")
    #expect(try test.database.migrate(directory: test.migrations) == ["0002_second"])
    #expect(try test.database.read { try $0.integer("PRAGMA user_version") } == 2)
  }

  @Test func `a failed migration leaves no changes, and earlier ones stay`() throws {
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try test.addMigration(2, "second", "CREATE TABLE two (a);")
    try test.addMigration(3, "third", "CREATE TABLE three (a); INSERT INTO nowhere VALUES (1);")
    let fault = fault { _ = try test.database.migrate(directory: test.migrations) }
    #expect(fault?.kind == .migration)
    #expect(fault?.message == "migration 0003_third: no such table: nowhere")
    #expect(fault.map { "\($0)" } == "migration 0003_third: no such table: nowhere (SQLite 1)")
    #expect(try tables(test) == ["migration", "one", "two"])
    #expect(try test.database.read { try $0.integer("PRAGMA user_version") } == 2)
  }

  @Test func `a migration that was corrected after a failure runs`() throws {
    let test = try TestDatabase([])
    try test.addMigration(1, "first", "CREATE TABL one (a);")
    #expect(fault { _ = try test.database.migrate(directory: test.migrations) } != nil)
    try test.addMigration(1, "first", "CREATE TABLE one (a);")
    #expect(try test.database.migrate(directory: test.migrations) == ["0001_first"])
  }

  @Test func `the message of a failed migration does not contain the whole statement`() throws {
    let columns = (1...200).map { "  column_\($0) INTEGER CHECK (column_\($0) < 0)" }
      .joined(separator: ",\n")
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try test.addMigration(
      2, "second",
      """
      CREATE TABLE two (
      \(columns));
      INSERT INTO two (column_1,
        column_2) VALUES (1, 2);
      """)
    let fault = fault { _ = try test.database.migrate(directory: test.migrations) }
    let text = try #require(fault.map { "\($0)" })
    #expect(text.hasPrefix("migration 0002_second: CHECK constraint failed: column_1 < 0"))
    #expect(text.hasSuffix(" in the statement “INSERT INTO two (column_1, …”"))
    #expect(!text.contains("\n") && text.count < 200)
  }

  @Test func `a SELECT that returns 0 is a failure`() throws {
    let test = try TestDatabase()
    // For a missing table SpatiaLite returns 0 and no error.
    try test.addMigration(
      2, "geometry",
      "CREATE TABLE two (a); SELECT AddGeometryColumn('no', 'p', 4326, 'POINT', 'XY');")
    let fault = fault { _ = try test.database.migrate(directory: test.migrations) }
    #expect(fault?.message == "migration 0002_geometry: a statement answered 0")
    #expect(fault?.sql?.contains("AddGeometryColumn") == true)
    #expect(try !tables(test).contains("two"))
  }

  @Test func `a SELECT that returns 1 is a success`() throws {
    let test = try TestDatabase(["SELECT 1; SELECT 'text'; SELECT NULL;"])
    #expect(try test.database.migrate(directory: test.migrations) == [])
  }

  @Test func `a migration edited after it ran is refused`() throws {
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try test.addMigration(1, "step", "CREATE TABLE one (a); ")
    let fault = fault { _ = try test.database.migrate(directory: test.migrations) }
    #expect(fault?.kind == .migration)
    #expect(fault?.message == "migration 0001_step was edited after it ran")
  }

  @Test func `a schema newer than the folder is refused`() throws {
    let test = try TestDatabase(["CREATE TABLE one (a);", "CREATE TABLE two (a);"])
    try FileManager.default.removeItem(atPath: test.migrations + "/0002_step.sql")
    let fault = fault { _ = try test.database.migrate(directory: test.migrations) }
    #expect(fault?.kind == .newerSchema)
    #expect(fault?.message.contains("has schema 2 and this Farol knows 1") == true)
  }

  @Test func `a migration renamed after it ran is refused`() throws {
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try FileManager.default.moveItem(
      atPath: test.migrations + "/0001_step.sql", toPath: test.migrations + "/0001_other.sql")
    #expect(fault { _ = try test.database.migrate(directory: test.migrations) }?.kind == .migration)
  }

  @Test(arguments: ["0001_again.sql", "0003_gap.sql", "two.sql", "2_short.sql", "-002_x.sql"])
  func `a file out of order is refused`(name: String) throws {
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try Data("SELECT 1;".utf8).write(to: URL(fileURLWithPath: test.migrations + "/" + name))
    #expect(fault { _ = try test.database.migrate(directory: test.migrations) }?.kind == .migration)
  }

  @Test(arguments: ["COMMIT;", "ROLLBACK;", "COMMIT; BEGIN;", "CREATE TABLE two (a); END;"])
  func `a migration cannot end its transaction`(sql: String) throws {
    let test = try TestDatabase(["CREATE TABLE one (a);"])
    try test.addMigration(2, "escape", sql)
    #expect(fault { _ = try test.database.migrate(directory: test.migrations) }?.kind == .migration)
    try test.database.write { try $0.execute("INSERT INTO one VALUES (1)") }
  }

  @Test func `a migration that leaves orphaned rows is refused`() throws {
    let test = try TestDatabase()
    try test.addPlace("one")
    try test.addMigration(2, "orphan", "DELETE FROM kind;")
    let fault = fault { _ = try test.database.migrate(directory: test.migrations) }
    #expect(fault?.message == "migration 0002_orphan leaves rows of place without their parents")
    #expect(try test.database.read { try $0.integer("SELECT count(*) FROM kind") } == 2)
  }

  @Test func `a migration may rebuild a table that others refer to`() throws {
    let test = try TestDatabase([
      """
      CREATE TABLE parent (code TEXT PRIMARY KEY);
      CREATE TABLE child (code TEXT NOT NULL REFERENCES parent (code) ON DELETE CASCADE);
      INSERT INTO parent VALUES ('a');
      INSERT INTO child VALUES ('a');
      """
    ])
    try test.addMigration(
      2, "rebuild",
      """
      CREATE TABLE parent_new (code TEXT PRIMARY KEY, more TEXT);
      INSERT INTO parent_new SELECT code, NULL FROM parent;
      DROP TABLE parent;
      ALTER TABLE parent_new RENAME TO parent;
      """)
    #expect(try test.database.migrate(directory: test.migrations) == ["0002_rebuild"])
    #expect(try test.database.read { try $0.integer("SELECT count(*) FROM child") } == 1)
    #expect(try test.database.write { try $0.integer("PRAGMA foreign_keys") } == 1)
  }

  @Test func `a missing folder is a fault`() throws {
    let test = try TestDatabase([])
    #expect(fault { _ = try test.database.migrate(directory: "/nowhere") }?.kind == .migration)
  }

  private func tables(_ test: TestDatabase) throws -> [String] {
    try test.database.read { connection in
      try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
        $0.text(0)
      }
    }
  }
}
