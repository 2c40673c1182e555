import JSON
import Locking
@testable import SpatialDatabase
import Testing

/// The rows of another table as one column, and reads of one query.
@Suite struct NestedRowsTests {
  private let test: TestDatabase

  init() throws { test = try TestDatabase() }

  private func rows(_ source: String, keys: Int = 1) throws -> [[JSONValue]] {
    let sql = "SELECT \(NestedRows.column("a, b, c", "FROM (\(source)) AS given")) AS found"
    return try test.database.read { connection in
      try connection.first(sql) { try $0.rows(0, keys: keys) } ?? []
    }
  }

  @Test func `values keep their kind, and quotes and control characters their meaning`() throws {
    let found = try rows("SELECT -7 AS a, 'x\"\\\n\u{1F}ü' AS b, NULL AS c")
    #expect(found == [[-7, "x\"\\\n\u{1F}ü", .null]])
  }

  @Test func `rows are in the order of their keys, numbers before texts by bytes`() throws {
    let source = """
      SELECT 10 AS a, 'b' AS b, 1 AS c UNION ALL SELECT 9, 'z', 2 UNION ALL SELECT 10, 'B', 3
      """
    #expect(try rows(source, keys: 2).map { $0.last } == [2, 3, 1])
  }

  @Test func `without rows there are none`() throws {
    #expect(try rows("SELECT 1 AS a, 'x' AS b, 2 AS c WHERE FALSE").isEmpty)
  }

  @Test func `a read of one query needs no transaction`() throws {
    let database = test.database
    _ = try database.readQuickly { try $0.integer("SELECT 1") }
    let before = database.statementCount
    try SocketThread.running {
      let seven = try database.readOnce { try $0.integer("SELECT 7") }
      #expect(seven == 7)
    }
    #expect(database.statementCount - before == 1)
    #expect(try database.readOnce { try $0.integer("SELECT 7") } == 7)
  }

  @Test func `a connection works as usual after a read of one query that failed`() throws {
    try SocketThread.running {
      #expect(throws: DatabaseFault.self) {
        _ = try test.database.readOnce { try $0.integer("SELECT nothing") }
      }
      let one = try test.database.readQuickly { try $0.integer("SELECT 1") }
      #expect(one == 1)
    }
  }
}
