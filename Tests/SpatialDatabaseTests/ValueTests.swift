import SpatialDatabase
import Testing

@Suite struct ValueTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase(["CREATE TABLE thing (a);"]) }

  private func roundTrip(_ value: SQLValue) throws -> SQLValue? {
    try test.database.write { try $0.execute("DELETE FROM thing") }
    try test.database.write { try $0.execute("INSERT INTO thing VALUES (?)", [value]) }
    return try test.database.read { try $0.scalar("SELECT a FROM thing") }
  }

  @Test(arguments: [
    "", "a", "a\0b", "\0", "👩🏽‍🚀🇵🇹", "e\u{301}", "é", "日本語", "'; DROP TABLE thing; --",
    String(repeating: "x", count: 100_000),
  ])
  func `text reads back byte for byte`(text: String) throws {
    let found = try roundTrip(.text(text))?.textValue
    #expect(found.map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(
    arguments: [
      .null, .integer(.min), .integer(.max), .integer(0), .real(0.1), .real(-179.9999999),
      .real(.greatestFiniteMagnitude), .blob([]), .blob([0, 255, 0]),
    ] as [SQLValue])
  func `a value reads back unchanged`(value: SQLValue) throws {
    #expect(try roundTrip(value) == value)
  }

  @Test func `NaN is stored as NULL`() throws {
    #expect(try roundTrip(.real(.nan)) == .null)
  }

  @Test func `NULL reads as nil`() throws {
    _ = try roundTrip(.null)
    try test.database.read { connection in
      try connection.forEach("SELECT a FROM thing") { row in
        #expect(row.isNull(0))
        #expect(row.int(0) == 0)
        #expect(row.text(0) == "")
        #expect(row.blob(0) == [])
        #expect(row.optionalInt(0) == nil)
        #expect(row.optionalDouble(0) == nil)
        #expect(row.optionalText(0) == nil)
        #expect(row.optionalBlob(0) == nil)
      }
    }
  }

  @Test(arguments: [-1, 1, 99, Int.max, Int.min])
  func `a missing column reads as NULL`(column: Int) throws {
    _ = try roundTrip(1)
    #expect(
      try test.database.read { try $0.first("SELECT a FROM thing") { $0.isNull(column) } } == true)
  }

  @Test func `a query without rows returns nil`() throws {
    try test.database.read { connection throws in
      #expect(try connection.integer("SELECT a FROM thing") == nil)
      #expect(try connection.text("SELECT a FROM thing") == nil)
      #expect(try connection.scalar("SELECT a FROM thing") == nil)
    }
  }

  @Test(arguments: [0, 2]) func `too few or too many values are a fault`(count: Int) throws {
    let fault = fault {
      try test.database.read { connection in
        try connection.execute("SELECT ?", Array(repeating: 1, count: count))
      }
    }
    #expect(fault?.kind == .statement)
  }

  @Test(arguments: [
    "SELECT 1; SELECT 2", "", "-- nothing", "SELEC 1", "SELECT 1; x", "SELECT 1\0x",
  ])
  func `SQL with no or several statements is a fault`(sql: String) throws {
    #expect(fault { try test.database.read { try $0.execute(sql) } }?.kind == .statement)
  }

  @Test(arguments: ["SELECT 1;", "SELECT 1 ;\n ", " SELECT 1"])
  func `one statement may end with a semicolon`(sql: String) throws {
    #expect(try test.database.read { try $0.integer(sql) } == 1)
  }

  @Test func `a statement can run within the rows of the same statement`() throws {
    try test.database.write { connection in
      for n in 1...3 { try connection.execute("INSERT INTO thing VALUES (?)", [SQLValue(n)]) }
    }
    let sql = "SELECT a FROM thing ORDER BY a"
    let pairs = try test.database.read { connection in
      try connection.rows(sql) { outer in
        try connection.rows(sql) { inner in outer.int(0) * 10 + inner.int(0) }
      }
    }
    #expect(pairs == [[11, 12, 13], [21, 22, 23], [31, 32, 33]])
  }

  @Test func `a statement runs for one key after another`() throws {
    try test.database.write { connection in
      for n in 1...3 { try connection.execute("INSERT INTO thing VALUES (?)", [SQLValue(n)]) }
    }
    let sql = "SELECT a FROM thing WHERE a >= ? ORDER BY a"
    let pairs = try test.database.read { connection in
      var pairs: [[Int64]] = []
      try connection.forEach(sql, keys: [3, 9, 2]) { pairs.append([Int64($0), $1.int(0)]) }
      return pairs
    }
    #expect(pairs == [[0, 3], [2, 2], [2, 3]])
  }

  @Test func `a statement for keys has exactly one parameter`() throws {
    let fault = fault {
      try test.database.read { try $0.forEach("SELECT ?, ?", keys: [1]) { _, _ in } }
    }
    #expect(fault?.kind == .statement)
  }

  @Test func `more distinct statements than the cache holds all run`() throws {
    try test.database.read { connection throws in
      for _ in 0..<2 {
        for n in 0..<400 { #expect(try connection.integer("SELECT \(n)") == Int64(n)) }
      }
    }
  }
}
