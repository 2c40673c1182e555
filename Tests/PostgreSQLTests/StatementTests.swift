import Glibc
import PostgreSQL
import Testing

/// Running statements: faults, preparation, batches and long results.
@Suite struct StatementTests {
  private let scratch: Scratch
  private let connection: ServerConnection

  init() throws {
    scratch = try Scratch.shared.get()
    connection = try scratch.connect()
    try connection.execute(
      """
      CREATE TEMP TABLE place (
        rowid bigint PRIMARY KEY, name text NOT NULL UNIQUE CHECK (length(name) < 100),
        parent bigint REFERENCES place (rowid))
      """)
  }

  @Test func `question marks in every kind of quote reach the server as they are`() throws {
    let found = try connection.first(
      #"""
      SELECT '?', E'\'?', E'a' -- ?
        '\'?', $$?$$, $q$?$$?$q$, U&'\003F', 1 AS "?", /* ? /* ? */ */ -- ?
        CAST(? AS text), '{"a": 1}'::jsonb ?? 'a', '[1]'::jsonb @?? '$[*]', 8/CAST(?2 AS bigint)-?2
      """#, ["x", 2]
    ) { row in (0..<11).map { row.value($0) } }
    #expect(
      found == [
        "?", "'?", "a'?", "?", "?$$?", "?", 1, "x", .boolean(true), .boolean(true), 2,
      ])
  }

  @Test(arguments: [
    ("INSERT INTO place VALUES (1, 'b', NULL)", "23505", ServerFault.Kind.constraint(.unique)),
    ("INSERT INTO place VALUES (2, repeat('x', 100), NULL)", "23514", .constraint(.check)),
    ("INSERT INTO place VALUES (2, 'b', 9)", "23503", .constraint(.foreignKey)),
    ("INSERT INTO place VALUES (2, NULL, NULL)", "23502", .constraint(.notNull)),
    ("DO $$ BEGIN RAISE EXCEPTION 'no'; END $$", "P0001", .constraint(.trigger)),
    ("SELEC 1", "42601", .statement),
    ("SELECT nothing FROM place", "42703", .statement),
    ("SELECT 1 / (rowid - rowid) FROM place", "22012", .statement),
    ("SELECT 1; SELECT 2", "42601", .statement),
  ])
  func `a fault has an SQLSTATE, a kind and the statement`(
    sql: String, state: String, kind: ServerFault.Kind
  ) throws {
    try connection.execute("INSERT INTO place VALUES (1, 'a', NULL)")
    let found = try #require(fault { try connection.execute(sql) })
    #expect(found.sqlState == state)
    #expect(found.kind == kind)
    #expect(found.sql == sql)
    #expect(try connection.value("SELECT 1") == 1)
  }

  @Test func `a fault of a constraint names it but not the value`() throws {
    try connection.execute("INSERT INTO place VALUES (1, 'geheim', NULL)")
    let found = fault {
      try connection.execute("INSERT INTO place VALUES (?, ?, NULL)", [2, "geheim"])
    }
    #expect(found?.constraintName == "place_name_key")
    #expect(found.map { !$0.description.contains("geheim") } == true)
  }

  @Test func `the wrong number of values is refused`() throws {
    #expect(
      fault { try connection.execute("SELECT CAST(? AS text)") }?.message
        == "1 values wanted, 0 given")
    #expect(fault { try connection.execute("SELECT 1", [1]) }?.kind == .statement)
  }

  @Test func `COPY is refused`() throws {
    #expect(fault { try connection.execute("COPY place TO STDOUT") }?.kind == .statement)
  }

  @Test func `a statement is prepared once, and the least used ones are forgotten`() throws {
    func prepared() throws -> Int64? {
      try connection.first("SELECT count(*) FROM pg_prepared_statements") { $0.int(0) }
    }
    for _ in 0..<5 { #expect(try connection.value("SELECT CAST(? AS bigint)", 1) == 1) }
    let few = try prepared()
    #expect(few.map { $0 <= 4 } == true)
    for number in 0..<900 {
      try connection.transaction(.read) { _ = try $0.execute("SELECT \(number)") }
    }
    #expect(try prepared().map { $0 <= 410 } == true)
    #expect(try connection.value("SELECT 899") == 899)
  }

  @Test func `a statement is prepared again after the schema has changed`() throws {
    let sql = "SELECT * FROM place"
    try connection.execute("INSERT INTO place VALUES (1, 'a', NULL)")
    #expect(try connection.first(sql) { $0.columnCount } == 3)
    try connection.execute("ALTER TABLE place ADD COLUMN note text")
    #expect(fault { try connection.execute(sql) }?.sqlState == "0A000")
    #expect(try connection.first(sql) { $0.columnCount } == 4)
  }

  @Test func `a statement may run inside a loop over the rows of the same statement`() throws {
    var pairs: [Int64] = []
    let sql = "SELECT number FROM generate_series(1, CAST(? AS bigint)) AS number"
    try connection.forEach(sql, [3]) { outer in
      try connection.forEach(sql, [2]) { pairs.append(outer.int(0) * 10 + $0.int(0)) }
    }
    #expect(pairs == [11, 12, 21, 22, 31, 32])
  }

  @Test func `a long result is read in pieces, beside other statements`() throws {
    var sum: Int64 = 0
    try connection.transaction(.read) { connection in
      let sql = "SELECT number FROM generate_series(1, CAST(? AS bigint)) AS number"
      try connection.stream(sql, [25_000], chunk: 1_000) { row in
        sum += row.int(0)
        if row.int(0) % 5_000 == 0 { sum += try connection.first("SELECT 1") { $0.int(0) } ?? 0 }
      }
      try connection.stream(sql, [2_000]) { sum += $0.int(0) }
      try connection.stream(sql, [0]) { _ in Issue.record("there is no row") }
    }
    #expect(sum == 25_000 * 25_001 / 2 + 5 + 2_000 * 2_001 / 2)
  }

  @Test func `a batch runs in order and returns changes and rows`() throws {
    var names: [String] = []
    let insert = "INSERT INTO place VALUES (?, ?, NULL)"
    let changed = try connection.batch([
      (insert, [1, "a"]), (insert, [2, "b"]), ("UPDATE place SET name = name || '!'", []),
      ("SELECT name FROM place WHERE rowid >= ? ORDER BY rowid", [1]),
    ]) { place, row in names.append("\(place) \(row.text(0))") }
    #expect(changed == [1, 1, 2, 2])
    #expect(names == ["3 a!", "3 b!"])
    #expect(try connection.batch([]).isEmpty)
  }

  @Test func `a batch larger than the buffers of both sides goes through`() throws {
    let text = String(repeating: "x", count: 100_000)
    var bytes = 0
    let items = (0..<200).map { _ in ("SELECT CAST(? AS text)", [BoundValue.text(text)]) }
    try connection.batch(items) { bytes += $1.text(0).utf8.count }
    #expect(bytes == 20_000_000)
  }

  @Test func `a result that is read ahead is given once, and forgotten after a change`() throws {
    let query = "SELECT name FROM place WHERE rowid = ?"
    func names(_ rowid: Int64) throws -> [String] {
      try connection.rows(query, [.integer(rowid)]) { $0.text(0) }
    }
    try connection.execute("INSERT INTO place VALUES (1, 'a', NULL), (2, 'b', NULL)")
    // Changes by other means than this connection's methods show whether a result was read ahead.
    let change = "WITH changed AS (UPDATE place SET name = name || '+') SELECT 1"
    _ = try connection.rows(change) { $0.int(0) }
    try connection.readAhead([(query, [1]), (query, [2])])
    _ = try connection.rows(change) { $0.int(0) }
    #expect(try names(2) == ["b+"])
    #expect(try names(2) == ["b++"])
    try connection.execute("UPDATE place SET name = 'c' WHERE rowid = 1")
    #expect(try names(1) == ["c"])
  }

  @Test func `the end of a transaction forgets what was read ahead`() throws {
    let query = "SELECT count(*) FROM place"
    try connection.transaction(.read) { try $0.readAhead([(query, [])]) }
    #expect(!connection.isAhead(query, []))
    try connection.execute("INSERT INTO place VALUES (1, 'a', NULL)")
    #expect(try connection.first(query) { $0.int(0) } == 1)
  }

  @Test func `reading ahead a wrong query is its fault, and what follows works`() throws {
    #expect(
      fault { try connection.readAhead([("SELECT 1", []), ("SELECT 1 / 0", [])]) }?.sqlState
        == "22012")
    #expect(try connection.first("SELECT 1") { $0.int(0) } == 1)
  }

  @Test func `a batch with a fault changes nothing`() throws {
    let insert = "INSERT INTO place VALUES (?, ?, NULL)"
    let found = fault {
      try connection.batch([(insert, [1, "a"]), (insert, [1, "b"]), (insert, [3, "c"])])
    }
    #expect(found?.kind == .constraint(.unique))
    #expect(
      fault { try connection.batch([(insert, [1, "a"]), (insert, [2, "b\0"])]) }?.kind == .value)
    #expect(try connection.value("SELECT count(*) FROM place") == 0)
  }

  @Test func `a statement beyond its time is interrupted, and the connection stays usable`() throws
  {
    let start = ContinuousClock.now
    let found = fault {
      try connection.transaction(.read, limit: .milliseconds(200)) { connection in
        _ = try connection.execute("SELECT pg_sleep(30)")
      }
    }
    #expect(found?.kind == .interrupted)
    #expect(ContinuousClock.now - start < .seconds(25))
    #expect(try connection.value("SELECT 1") == 1)
    #expect(!connection.isBroken)
  }

  @Test func `a server that does not react to a cancel request is given up`() throws {
    var limits = ConnectionLimits.quick
    limits.cancel = .milliseconds(200)
    let connection = try ServerConnection(scratch.address, limits: limits)
    let process = try #require(try connection.first("SELECT pg_backend_pid()") { Int32($0.int(0)) })
    let start = ContinuousClock.now
    let found = fault {
      try connection.transaction(.read, limit: .milliseconds(100)) { connection in
        kill(process, SIGSTOP)
        _ = try connection.execute("SELECT 1")
      }
    }
    kill(process, SIGCONT)
    #expect(found?.kind == .unresponsive)
    #expect(connection.isBroken)
    #expect(ContinuousClock.now - start < .seconds(25))
  }

  @Test func `work between statements counts for the time limit`() throws {
    let found = fault {
      try connection.transaction(.read, limit: .milliseconds(50)) { connection in
        try connection.execute("SELECT 1")
        usleep(60_000)
        _ = try connection.execute("SELECT 1")
      }
    }
    #expect(found?.kind == .interrupted)
    #expect(try connection.value("SELECT 1") == 1)
  }
}
