import Foundation
import SpatialDatabase
import Testing

@Suite struct ConnectionSettingsTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase() }

  @Test(arguments: [
    ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("secure_delete", "1"),
    ("busy_timeout", "5000"), ("mmap_size", "0"), ("cell_size_check", "1"),
    ("trusted_schema", "1"), ("query_only", "0"), ("wal_autocheckpoint", "4000"),
    ("cache_size", "-4096"), ("temp_store", "2"), ("application_id", "1180791407"),
    ("user_version", "1"),
  ])
  func `the open writer connection has its settings`(pragma: String, value: String) throws {
    let found = try test.database.write { try $0.text("PRAGMA \(pragma)") }
    #expect(found == value)
  }

  @Test(arguments: [
    ("journal_mode", "wal"), ("foreign_keys", "1"), ("busy_timeout", "5000"), ("mmap_size", "0"),
    ("cell_size_check", "1"), ("trusted_schema", "0"), ("query_only", "1"),
    ("wal_autocheckpoint", "0"), ("cache_size", "-1024"),
  ])
  func `an open reader connection has its settings`(pragma: String, value: String) throws {
    let found = try test.database.read { try $0.text("PRAGMA \(pragma)") }
    #expect(found == value)
  }

  @Test(arguments: [
    "DELETE FROM place", "CREATE TABLE more (a)", "DROP TABLE place", "PRAGMA user_version = 9",
  ])
  func `a reader cannot write`(sql: String) throws {
    let fault = fault { try test.database.read { try $0.execute(sql) } }
    #expect(fault?.kind == .readOnly)
  }

  @Test func `only a permitted write sorts in files, also when it fails`() throws {
    func place(_ connection: Connection) throws -> Int64? {
      try connection.integer("PRAGMA temp_store")
    }
    #expect(try test.database.write(sortingInFiles: true, place) == 1)
    #expect(try test.database.write(place) == 2)
    #expect(throws: TransactionTests.Refusal.self) {
      try test.database.write(sortingInFiles: true) { _ in throw TransactionTests.Refusal() }
    }
    #expect(try test.database.write(place) == 2)
  }

  @Test func `a reader cannot switch off its read-only mode`() throws {
    let fault = fault {
      try test.database.read { connection in
        try connection.execute("PRAGMA query_only = OFF")
        try connection.execute("DELETE FROM place")
      }
    }
    #expect(fault?.kind == .readOnly)
  }

  @Test func `no library can be loaded from SQL`() throws {
    let fault = fault { try test.database.write { try $0.execute("SELECT load_extension('x')") } }
    #expect(fault?.kind == .statement)
    #expect(fault?.message == "not authorized")
  }

  @Test(arguments: ["place_box_node", "place_text_data"])
  func `the internal tables of an R-tree or an index cannot be written`(table: String) throws {
    let fault = fault { try test.database.write { try $0.execute("DELETE FROM \(table)") } }
    #expect(fault?.message == "table \(table) may not be modified")
  }

  @Test func `a name in double quotes is never a text`() throws {
    let sql = #"SELECT name FROM place WHERE kind = "camera""#
    let faults = [
      fault { try test.database.read { try $0.execute(sql) } },
      fault { try test.database.write { try $0.execute(sql) } },
      fault {
        try test.database.write { try $0.execute(#"CREATE INDEX a ON place (kind, "camera")"#) }
      },
    ]
    for fault in faults {
      #expect(fault?.kind == .statement)
      #expect(fault?.message.contains("camera") == true)
    }
  }

  @Test func `the schema cannot be rewritten`() throws {
    let fault = fault {
      try test.database.write { connection in
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.execute("UPDATE sqlite_schema SET sql = '' WHERE name = 'place'")
      }
    }
    #expect(fault?.message == "table sqlite_master may not be modified")
  }

  @Test func `a LIKE pattern has at most 1,000 bytes`() throws {
    let allowed = String(repeating: "a", count: 1_000)
    let found = try test.database.read { connection in
      try connection.integer("SELECT ? LIKE ?", [.text(allowed), .text(allowed)])
    }
    #expect(found == 1)
    let fault = fault {
      try test.database.read { connection in
        _ = try connection.integer("SELECT 'a' LIKE ?", [.text(allowed + "a")])
      }
    }
    #expect(fault?.kind == .statement)
  }

  @Test func `an expression has a depth of at most 200`() throws {
    func sum(_ terms: Int) -> String {
      "SELECT " + Array(repeating: "1", count: terms).joined(separator: "+")
    }
    #expect(try test.database.read { try $0.integer(sum(200)) } == 200)
    #expect(fault { try test.database.read { try $0.execute(sum(201)) } }?.kind == .statement)
  }

  @Test func `no other file can be attached`() throws {
    let fault = fault {
      try test.database.read { try $0.execute("ATTACH ? AS other", [.text(":memory:")]) }
    }
    #expect(fault?.message == "too many attached databases - max 0")
  }

  @Test func `only the owner can read the database file and its companion files`() throws {
    try test.addPlace("one")
    for name in ["", "-wal", "-shm", ".lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: test.path + name)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func `a geometry column stores a point and returns it`() throws {
    try test.addPlace("one", longitude: -9.139, latitude: 38.722)
    let point = try test.database.read { connection in
      try connection.first("SELECT ST_X(point), ST_Y(point), ST_SRID(point) FROM place") {
        [$0.double(0), $0.double(1), $0.double(2)]
      }
    }
    #expect(point == [-9.139, 38.722, 4326])
  }

  @Test func `a geometry column refuses another reference system`() throws {
    let fault = fault {
      try test.database.write { connection in
        try connection.execute(
          """
          INSERT INTO place (name, kind, longitude, latitude, point)
          VALUES ('a', 'camera', 0, 0, MakePoint(0, 0, 32633))
          """)
      }
    }
    #expect(fault?.kind == .constraint(.trigger))
  }
}
