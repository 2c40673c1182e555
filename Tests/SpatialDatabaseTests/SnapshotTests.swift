import Testing

@testable import SpatialDatabase

/// Reads that outlast a single call.
@Suite struct SnapshotTests {
  let test: TestDatabase

  var database: Database { test.database }

  init() throws {
    test = try TestDatabase([])
    try test.database.write { connection in
      try connection.execute("CREATE TABLE thing (rowid INTEGER PRIMARY KEY, name TEXT)")
      for name in ["a", "b", "c"] {
        try connection.execute("INSERT INTO thing (name) VALUES (?)", [.text(name)])
      }
    }
  }

  private func names(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT name FROM thing ORDER BY rowid") { $0.text(0) }
  }

  @Test func `a snapshot keeps the data of its start`() throws {
    let snapshot = try database.snapshot(limit: .seconds(10))
    try database.write { try $0.execute("DELETE FROM thing") }
    #expect(try snapshot.read(names) == ["a", "b", "c"])
    #expect(try database.read(names).isEmpty)
  }

  @Test func `the restrictions of a reader apply to a snapshot`() throws {
    try database.forbidReading(["thing"])
    let snapshot = try database.snapshot(limit: .seconds(10))
    #expect(throws: DatabaseFault.self) { try snapshot.read(names) }
  }

  @Test func `an ended snapshot is closed and frees its connection`() throws {
    let all = try (0..<4).map { _ in try database.snapshot(limit: .seconds(10)) }
    let fault = #expect(throws: DatabaseFault.self) { try database.snapshot(limit: .seconds(10)) }
    #expect(fault?.kind == .busy)
    all[0].end()
    all[0].end()
    #expect(throws: DatabaseFault.self) { try all[0].read(names) }
    #expect(try database.snapshot(limit: .seconds(10)).read(names).count == 3)
  }

  @Test func `a read past its time limit is interrupted, until the limit is raised`() throws {
    let snapshot = try database.snapshot(limit: .milliseconds(1))
    let long = """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
      SELECT count(*) FROM n
      """
    let fault = #expect(throws: DatabaseFault.self) { try snapshot.read { try $0.integer(long) } }
    #expect(fault?.kind == .interrupted)
    snapshot.limit(to: .seconds(30))
    #expect(try snapshot.read { try $0.integer(long) } == 300_000)
  }

  @Test func `two cursors advance independently, and restart at a given key`() throws {
    try database.read { connection in
      let sql = "SELECT rowid, name FROM thing WHERE rowid >= ? ORDER BY rowid"
      let one = try connection.cursor(sql, [.integer(1)])
      let other = try connection.cursor(sql, [.integer(2)])
      #expect(try one.next()?.text(1) == "a")
      #expect(try other.next()?.text(1) == "b")
      #expect(try one.next()?.text(1) == "b")
      try one.restart(with: 3)
      #expect(try one.next()?.text(1) == "c")
      #expect(try one.next() == nil)
      #expect(try other.next()?.text(1) == "c")
    }
  }

  @Test func `a scratch file has a size limit and is deleted`() throws {
    var scratch: ScratchFile? = try ScratchFile(limit: 1 << 20)
    let path = try #require(scratch?.path)
    let fault = #expect(throws: DatabaseFault.self) {
      try scratch?.write { connection in
        try connection.execute("CREATE TABLE big (bytes BLOB)")
        try connection.execute("INSERT INTO big VALUES (zeroblob(3000000))")
      }
    }
    #expect(fault?.kind == .diskFull)
    #expect(FileFormat.size(path) != nil)
    scratch = nil
    #expect(FileFormat.size(path) == nil)
  }
}
