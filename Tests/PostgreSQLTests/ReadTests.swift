import Glibc
import PostgreSQL
import Testing

/// Reads begin with their first statement and end without a wait; their snapshot and rights do not depend on that.
@Suite struct ReadTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.connect().execute("CREATE TABLE item (number bigint PRIMARY KEY)")
  }

  private static let count = "SELECT count(*) FROM item"

  /// A connection that only reads, with this usual time limit.
  private func reader(limit: Duration = .seconds(20)) throws -> ServerConnection {
    try ServerConnection(scratch.address, limits: limits(limit))
  }

  private func limits(_ limit: Duration) -> ConnectionLimits {
    var limits = ConnectionLimits.quick
    limits.read = limit
    return limits
  }

  private func insert(_ number: Int64) throws {
    try scratch.connect().execute("INSERT INTO item VALUES (?)", [.integer(number)])
  }

  @Test(arguments: [true, false])
  func `a read is over at the server without a further call`(isReader: Bool) throws {
    let connection = isReader ? try reader() : try scratch.connect()
    let process = try connection.transaction(.read) { try $0.value("SELECT pg_backend_pid()") }
    let isIdle = try eventually {
      try scratch.connect().value(
        "SELECT state = 'idle' FROM pg_stat_activity WHERE pid = ?", process ?? .null)
        == .boolean(true)
    }
    #expect(isIdle)
    #expect(try connection.value("SELECT 1") == 1)
  }

  @Test func `a read on a connection that the server ended begins on a new one`() throws {
    let connection = try reader()
    for isLast in [true, false] {
      let found = try connection.transaction(.read) { connection in
        _ = try scratch.terminateOthers()
        var found: Int64 = 0
        try connection.forEach("SELECT 7", isLast: isLast) { found = $0.int(0) }
        return found
      }
      #expect(found == 7)
    }
    // After its first statement it is lost.
    let found = fault {
      try connection.transaction(.read) { connection in
        _ = try connection.value("SELECT 1")
        _ = try scratch.terminateOthers()
        _ = try connection.value("SELECT 1")
      }
    }
    #expect(found?.kind == .connectionLost)
  }

  @Test(arguments: [true, false])
  func `the last statement sees the snapshot of the read, and later ones another`(isReader: Bool)
    throws
  {
    let connection = isReader ? try reader() : try scratch.connect()
    func count(_ connection: ServerConnection, isLast: Bool) throws -> Int64 {
      var found: Int64 = -1
      try connection.forEach(Self.count, isLast: isLast) { found = $0.int(0) }
      return found
    }
    let counts = try connection.transaction(.read) { connection in
      let first = try count(connection, isLast: false)
      try insert(1)
      let last = try count(connection, isLast: true)
      let second = try count(connection, isLast: false)
      try insert(2)
      return [first, last, second, try count(connection, isLast: true)]
    }
    #expect(counts == [0, 0, 1, 1])
    // Alone, and with a time limit that the session does not have.
    for limit in [nil, Duration.seconds(20), .seconds(10)] {
      let alone = try connection.transaction(.read, limit: limit) { try count($0, isLast: true) }
      #expect(alone == 2)
    }
  }

  @Test func `queries read ahead as the last ones see one snapshot`() throws {
    let connection = try reader()
    let (slow, numbers) = ("SELECT count(*) FROM item, pg_sleep(0.5)", "SELECT number FROM item")
    let scratch = scratch
    let other = Running {
      fault {
        usleep(250_000)
        try scratch.connect().execute("INSERT INTO item VALUES (1)")
      }
    }
    let found = try connection.transaction(.read) { connection in
      try connection.readAhead([(slow, []), (numbers, [])], isLast: true)
      return (
        try connection.rows(slow) { $0.int(0) }, try connection.rows(numbers) { $0.int(0) }
      )
    }
    #expect(other.result == .some(nil))
    #expect(found.0 == [0])
    #expect(found.1 == [])
    #expect(try connection.transaction(.read) { try $0.value(Self.count) } == 1)
  }

  @Test func `the last statement of a snapshot does not end it`() throws {
    let connection = try scratch.connect()
    try connection.beginSnapshot(limit: .seconds(20))
    var counts: [Int64] = []
    for number in 1...2 {
      try connection.forEach(Self.count, isLast: true) { counts.append($0.int(0)) }
      try connection.readAhead([(Self.count, [])], isLast: true)
      try insert(Int64(number))
    }
    #expect(counts == [0, 0])
  }

  @Test func `the last statement of a write does not end it`() throws {
    let connection = try scratch.connect()
    _ = fault {
      try connection.transaction(.write()) { connection in
        try connection.execute("INSERT INTO item VALUES (1)")
        try connection.forEach(Self.count, isLast: true) { _ in }
        try connection.readAhead([(Self.count, [])], isLast: true)
        try connection.execute("INSERT INTO item VALUES (1)")
      }
    }
    #expect(try connection.value(Self.count) == 0)
  }

  @Test func `reads refuse changes, also as the last statement, and alone`() throws {
    let connection = try reader()
    let insert = "INSERT INTO item VALUES (1) RETURNING number"
    for isLast in [true, false] {
      let found = fault {
        try connection.transaction(.read) { try $0.forEach(insert, isLast: isLast) { _ in } }
      }
      #expect(found?.kind == .readOnly)
    }
    #expect(fault { try connection.execute(insert) }?.kind == .readOnly)
    #expect(try connection.value(Self.count) == 0)
  }

  @Test func `a read whose statement failed says so, and the next one works`() throws {
    let connection = try reader()
    for isLast in [true, false] {
      let found = fault {
        try connection.transaction(.read) { connection in
          _ = try connection.value(Self.count)
          _ = fault { try connection.forEach("SELECT 1 / 0", isLast: isLast) { _ in } }
        }
      }
      #expect(found?.kind == .transactionLost)
    }
    // The statement of the BEGIN.
    let found = fault { try connection.transaction(.read) { _ = try $0.value("SELECT 1 / 0") } }
    #expect(found?.sqlState == "22012")
    #expect(try connection.transaction(.read) { try $0.value(Self.count) } == 0)
  }

  @Test func `reads do not nest, whether or not a statement has run`() throws {
    let connection = try reader()
    for statements in 0...1 {
      let found = fault {
        try connection.transaction(.read) { connection in
          for _ in 0..<statements { _ = try connection.value("SELECT 1") }
          try connection.transaction(.read) { _ in }
        }
      }
      #expect(found?.message == "transactions cannot be nested: use a savepoint")
    }
    #expect(try connection.transaction(.read) { try $0.value("SELECT 1") } == 1)
  }

  @Test func `the server has the time limit of each read`() throws {
    func limits(of connection: ServerConnection) throws -> [BoundValue?] {
      try [nil, Duration.seconds(7), .seconds(20)].map { limit in
        try connection.transaction(.read, limit: limit) {
          try $0.value("SELECT current_setting('statement_timeout')")
        }
      }
    }
    #expect(try limits(of: reader()) == ["0", "8s", "21s"])
    #expect(try limits(of: scratch.connect()) == ["0", "8s", "21s"])
  }

  @Test func `a read with a role has its rights only, and the next one has its own`() throws {
    let connection = try reader()
    let role =
      "reader_\(try #require(try scratch.connect().first("SELECT pg_backend_pid()") { $0.int(0) }))"
    let owner = try scratch.connect()
    try owner.execute("CREATE ROLE \(role) NOLOGIN")
    defer { _ = fault { try owner.execute("DROP ROLE \(role)") } }
    for _ in 0..<2 {
      let found = fault {
        try connection.transaction(.readAs(role)) { _ = try $0.value(Self.count) }
      }
      #expect(found?.sqlState == "42501")
      #expect(try connection.transaction(.read) { try $0.value(Self.count) } == 0)
    }
  }

  @Test func `a pool replaces a connection that ends after a read`() throws {
    let pool = ConnectionPool(
      scratch.address, size: 1, timeout: .seconds(20), limits: limits(.seconds(20)))
    for _ in 0..<3 {
      #expect(try pool.transaction(.read) { try $0.value("SELECT 1") } == 1)
      _ = try scratch.terminateOthers()
    }
    #expect(pool.use == (0, 1))
  }

  @Test func `a read that shall begin at once finds out whether the server answers`() throws {
    let pool = scratch.pool(size: 1)
    let state = try pool.transaction(.read, isOpen: true) { _ in
      try scratch.connect().value(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = current_database()"
      )
    }
    #expect(state == 1)
    #expect(try pool.transaction(.read, isOpen: true) { try $0.value(Self.count) } == 0)
  }
}
