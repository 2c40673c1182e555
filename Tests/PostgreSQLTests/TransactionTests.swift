import Glibc
import Locking
import PostgreSQL
import Testing

/// Transactions store everything or nothing, also when connections end in the middle.
@Suite struct TransactionTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.connect().execute("CREATE TABLE item (number bigint PRIMARY KEY)")
  }

  private func numbers() throws -> [Int64] {
    try scratch.connect().rows("SELECT number FROM item ORDER BY number") { $0.int(0) }
  }

  private static func insert(_ number: Int64, _ connection: ServerConnection) throws {
    try connection.execute("INSERT INTO item VALUES (?)", [.integer(number)])
  }

  private struct Stop: Error {}

  @Test func `an error of the closure rolls back`() throws {
    let connection = try scratch.connect()
    #expect(throws: Stop.self) {
      try connection.transaction(.write()) { connection in
        try Self.insert(1, connection)
        throw Stop()
      }
    }
    try connection.transaction(.write()) { try Self.insert(2, $0) }
    #expect(try numbers() == [2])
  }

  @Test func `a savepoint takes back its changes only`() throws {
    try scratch.connect().transaction(.write()) { connection in
      try Self.insert(1, connection)
      let refusal = fault {
        try connection.savepoint {
          try Self.insert(2, connection)
          try connection.savepoint { try Self.insert(1, connection) }
        }
      }
      guard refusal?.kind == .constraint(.unique) else { throw Stop() }
      try connection.savepoint { try Self.insert(3, connection) }
    }
    #expect(try numbers() == [1, 3])
  }

  @Test func `a transaction whose statement failed is never reported as stored`() throws {
    let connection = try scratch.connect()
    let refusal = fault {
      try connection.transaction(.write()) { connection in
        try Self.insert(1, connection)
        _ = fault { try Self.insert(1, connection) }
      }
    }
    #expect(refusal?.kind == .transactionLost)
    #expect(try numbers() == [])
    let next = fault {
      try connection.transaction(.write()) { connection in
        _ = fault { try connection.execute("SELEC") }
        try Self.insert(1, connection)
      }
    }
    #expect(next?.kind == .transactionLost)
  }

  @Test func `a transaction in a transaction is refused and leaves the outer one whole`() throws {
    let connection = try scratch.connect()
    let refusal = try connection.transaction(.write()) { connection in
      try Self.insert(1, connection)
      let refusal = fault { try connection.transaction(.write()) { try Self.insert(2, $0) } }
      try Self.insert(3, connection)
      return refusal
    }
    #expect(refusal?.message == "transactions cannot be nested: use a savepoint")
    #expect(try numbers() == [1, 3])
  }

  @Test func `a read sees one snapshot and cannot write`() throws {
    let (connection, other) = (try scratch.connect(), try scratch.connect())
    let counts = try connection.transaction(.read) { connection in
      let before = try connection.value("SELECT count(*) FROM item")
      try other.transaction(.write()) { try Self.insert(1, $0) }
      return [before, try connection.value("SELECT count(*) FROM item")]
    }
    #expect(counts == [0, 0])
    #expect(
      fault { try connection.transaction(.read) { try Self.insert(2, $0) } }?.kind == .readOnly)
    #expect(try numbers() == [1])
  }

  @Test func `two writers with the same turn write one after the other`() throws {
    try scratch.connect().execute(
      "CREATE TABLE change (sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, writer bigint)"
    )
    let scratch = scratch
    let writers = (0..<2).map { writer in
      Running {
        fault {
          let connection = try scratch.connect()
          for _ in 0..<100 {
            try connection.transaction(.write(turn: 26)) { connection in
              let items: [ServerConnection.Item] = [
                ("INSERT INTO change (writer) VALUES (?)", [.integer(Int64(writer))])
              ]
              try connection.batch(items + items)
            }
          }
        }
      }
    }
    // A follower that reads beyond the highest number that it has seen.
    let follower = try scratch.connect()
    var (seen, count): (Int64, Int64) = (0, 0)
    let hasAll = try eventually {
      try follower.forEach(
        "SELECT sequence FROM change WHERE sequence > ? ORDER BY sequence", [.integer(seen)]
      ) {
        seen = $0.int(0)
        count += 1
      }
      return count == 400
    }
    #expect(hasAll)
    for writer in writers { #expect(writer.result == .some(nil)) }
  }

  @Test func `a writer that waits too long for its turn is refused`() throws {
    var limits = ConnectionLimits.quick
    limits.lock = .milliseconds(100)
    let impatient = try ServerConnection(scratch.address, limits: limits)
    try scratch.connect().transaction(.write(turn: 26)) { connection in
      let refusal = fault { try impatient.transaction(.write(turn: 26)) { try Self.insert(1, $0) } }
      guard refusal?.kind == .busy, refusal?.sqlState == "55P03" else { throw Stop() }
    }
    try impatient.transaction(.write(turn: 26)) { try Self.insert(2, $0) }
    #expect(try numbers() == [2])
  }

  @Test func `a writer that hangs in its turn loses it`() throws {
    #expect(ConnectionLimits().idleTransaction <= .seconds(8))
    var limits = ConnectionLimits.quick
    limits.idleTransaction = .seconds(1)
    let (hanging, other) = (
      try ServerConnection(scratch.address, limits: limits), try scratch.connect()
    )
    let lost = fault {
      try hanging.transaction(.write(turn: 26)) { connection in
        try Self.insert(1, connection)
        // Waits until the turn is free.
        try other.transaction(.write(turn: 26)) { try Self.insert(2, $0) }
      }
    }
    #expect(lost != nil)
    #expect(try numbers() == [2])
  }

  @Test func `two writers that exclude each other get a conflict, and one goes on`() throws {
    try scratch.connect().execute("INSERT INTO item VALUES (1), (2)")
    let (scratch, met) = (scratch, Monitor(0))
    let writers = [(1, 2), (2, 1)].map { first, second in
      Running {
        fault {
          try scratch.connect().transaction(.write()) { connection in
            let update = "UPDATE item SET number = number WHERE number = ?"
            try connection.execute(update, [.integer(Int64(first))])
            met.withLock { $0 += 1 }
            met.wait(until: { $0 == 2 }, orUntil: .now + .seconds(20)) { _ in }
            try connection.execute(update, [.integer(Int64(second))])
          }
        }
      }
    }
    var faults: [ServerFault?] = []
    for writer in writers { faults.append(try #require(writer.result)) }
    #expect(faults.filter { $0 == nil }.count == 1)
    #expect(faults.compactMap { $0?.kind } == [.conflict])
  }

  @Test func `a connection that is ended in the middle stores nothing`() throws {
    let connection = try scratch.connect()
    let refusal = fault {
      try connection.transaction(.write()) { connection in
        try Self.insert(1, connection)
        _ = try scratch.terminateOthers()
        try Self.insert(2, connection)
      }
    }
    #expect(refusal?.kind == .connectionLost)
    #expect(connection.isBroken)
    #expect(fault { try connection.execute("SELECT 1") }?.kind == .connectionLost)
    #expect(try numbers() == [])
  }

  @Test func `a connection that is ended before its COMMIT stores nothing and says so`() throws {
    let connection = try scratch.connect()
    let refusal = fault {
      try connection.transaction(.write()) { connection in
        try Self.insert(1, connection)
        _ = try scratch.terminateOthers()
        usleep(50_000)
      }
    }
    #expect(refusal?.kind == .connectionLost)
    #expect(try numbers() == [])
  }

  @Test func `a connection that is ended during its COMMIT stores nothing and says so`() throws {
    // COMMIT runs the trigger, which waits.
    let connection = try scratch.connect()
    try connection.execute(
      """
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN PERFORM pg_sleep(60); RETURN NULL; END$$
      """)
    try connection.execute(
      """
      CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION wait()
      """)
    let committing = Running {
      fault { try connection.transaction(.write()) { try Self.insert(1, $0) } }
    }
    let commits = "query = 'COMMIT' AND state = 'active'"
    let isCommitting = try eventually {
      try scratch.connect().value(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND \(commits)")
        == 1
    }
    #expect(isCommitting)
    #expect(try scratch.terminateOthers(where: commits) == 1)
    #expect(committing.result??.kind == .connectionLost)
    #expect(try numbers() == [])
  }

  @Test func `a constraint that is checked by COMMIT rolls back`() throws {
    let connection = try scratch.connect()
    try connection.execute(
      "CREATE TABLE part (number bigint REFERENCES item (number) DEFERRABLE INITIALLY DEFERRED)")
    let refusal = fault {
      try connection.transaction(.write()) { _ = try $0.execute("INSERT INTO part VALUES (9)") }
    }
    #expect(refusal?.kind == .constraint(.foreignKey))
    #expect(!connection.isBroken)
  }
}
