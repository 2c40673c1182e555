import Foundation
import SpatialDatabase
import Testing

@Suite struct TransactionTests {
  let test: TestDatabase

  init() throws { test = try TestDatabase() }

  struct Refusal: Error {}

  private func count() throws -> Int64? {
    try test.database.read { try $0.integer("SELECT count(*) FROM place") }
  }

  private func add(_ name: String, _ connection: Connection) throws {
    try connection.execute(
      "INSERT INTO place (name, kind, longitude, latitude, point) "
        + "VALUES (?, 'camera', 0, 0, MakePoint(0, 0, 4326))", [.text(name)])
  }

  @Test func `a write that throws is rolled back`() throws {
    #expect(throws: Refusal.self) {
      try test.database.write { connection in
        try add("one", connection)
        throw Refusal()
      }
    }
    #expect(try count() == 0)
    try test.addPlace("one")
    #expect(try count() == 1)
  }

  @Test func `an item that throws rolls back only itself`() throws {
    try test.database.write { connection in
      try connection.savepoint { try add("one", connection) }
      #expect(throws: Refusal.self) {
        try connection.savepoint {
          try add("two", connection)
          try connection.savepoint { try add("three", connection) }
          throw Refusal()
        }
      }
      try connection.savepoint { try add("four", connection) }
    }
    #expect(try test.names { _ in "TRUE" } == ["four", "one"])
  }

  @Test func `readers see the state before a write until it commits`() throws {
    try test.addPlace("one")
    try test.database.read { early throws in
      #expect(try early.integer("SELECT count(*) FROM place") == 1)
      try test.database.write { connection in
        try add("two", connection)
        #expect(try count() == 1)
        #expect(try connection.integer("SELECT count(*) FROM place") == 2)
      }
      #expect(try early.integer("SELECT count(*) FROM place") == 1)
      #expect(try count() == 2)
    }
  }

  @Test func `writes from many threads run one after another`() throws {
    try test.database.write { try $0.execute("CREATE TABLE tally (n INTEGER)") }
    try test.database.write { try $0.execute("INSERT INTO tally VALUES (0)") }
    let database = test.database
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<25 {
        try? database.write { connection in
          let n = try connection.integer("SELECT n FROM tally") ?? 0
          try connection.execute("UPDATE tally SET n = ?", [.integer(n + 1)])
        }
      }
    }
    #expect(try database.read { try $0.integer("SELECT n FROM tally") } == 200)
  }

  @Test func `reads beyond the number of readers wait and succeed`() throws {
    try test.addPlace("one")
    let database = test.database
    let sum = DispatchQueue(label: "sum")
    nonisolated(unsafe) var total: Int64 = 0  // touched on the queue above only
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      for _ in 0..<50 {
        let found = (try? database.read { try $0.integer("SELECT count(*) FROM place") }) ?? 0
        sum.sync { total += found }
      }
    }
    #expect(sum.sync { total } == 800)
  }

  @Test func `a transaction rolled back by SQLite refuses further statements`() throws {
    let fault = fault {
      try test.database.write { connection in
        try add("one", connection)
        // SQLite does so itself on a full disk or an input/output error.
        _ = try? connection.execute("ROLLBACK")
        try add("two", connection)
      }
    }
    #expect(fault?.kind == .transactionLost)
    #expect(try count() == 0)
  }

  @Test func `a full disk has a separate error, and writes continue after it has space`() throws {
    let database = test.database
    let pages = try #require(try database.write { try $0.integer("PRAGMA page_count") })
    // SQLite's own size limit raises the same error as a full disk.
    try database.write { try $0.execute("PRAGMA max_page_count = \(pages)") }
    let fault = fault {
      try database.write { connection in
        try add("one", connection)
        try connection.execute("CREATE TABLE big (a)")
        try connection.execute("INSERT INTO big VALUES (zeroblob(100000))")
      }
    }
    #expect(fault?.kind == .diskFull)
    #expect(try count() == 0)
    try database.write { try $0.execute("PRAGMA max_page_count = \(pages + 1000)") }
    try test.addPlace("one")
    #expect(try count() == 1)
  }

  @Test func `a read that finds no free reader ends at its time limit`() throws {
    var configuration = Database.Configuration.small
    configuration.readers = 1
    configuration.busyTimeout = .milliseconds(50)
    let test = try TestDatabase([], configuration: configuration)
    try test.database.read { _ in
      #expect(fault { try test.database.read { _ in } }?.kind == .busy)
    }
    try test.database.read { _ in }
  }

  @Test func `a write returns the row id and the number of changes`() throws {
    try test.database.write { connection in
      try add("one", connection)
      let first = connection.lastInsertedRowID
      try add("two", connection)
      #expect(connection.lastInsertedRowID == first + 1)
      try connection.execute("UPDATE place SET tags = '[1]'")
      #expect(connection.changedRowCount == 2)
    }
  }
}

@Suite struct ConstraintTests {
  let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    try test.addPlace("taken")
  }

  @Test func `a duplicate of a unique name has a separate error`() {
    let fault = fault { try test.addPlace("taken") }
    #expect(fault?.kind == .constraint(.unique))
    #expect(fault?.message == "UNIQUE constraint failed: place.name")
    #expect(fault?.sql?.contains("INSERT INTO place") == true)
  }

  @Test func `a name at its length limit is accepted, one more character is not`() throws {
    try test.addPlace(String(repeating: "a", count: 99))
    let fault = fault { try test.addPlace(String(repeating: "a", count: 100)) }
    #expect(fault?.kind == .constraint(.check))
  }

  @Test func `a missing parent is a foreign key error`() {
    #expect(fault { try test.addPlace("x", kind: "none") }?.kind == .constraint(.foreignKey))
  }

  @Test func `a parent with children cannot be deleted`() {
    let fault = fault { try test.database.write { try $0.execute("DELETE FROM kind") } }
    #expect(fault?.kind == .constraint(.foreignKey))
  }

  @Test func `NULL in a required column has a separate error`() {
    let fault = fault { try test.database.write { try $0.execute("UPDATE place SET kind = NULL") } }
    #expect(fault?.kind == .constraint(.notNull))
  }
}

@Suite struct TimeLimitTests {
  private static let endless = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """
  private static let long = """
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000000)
    SELECT count(*) FROM n
    """

  let test: TestDatabase

  init() throws {
    var configuration = Database.Configuration.small
    configuration.queryTimeLimit = .milliseconds(60)
    test = try TestDatabase(configuration: configuration)
  }

  @Test func `an endless query ends at its time limit`() throws {
    let time = ContinuousClock().measure {
      let fault = fault { try test.database.read { try $0.execute(Self.endless) } }
      #expect(fault?.kind == .interrupted)
    }
    #expect(time > .milliseconds(60))
    #expect(time < .seconds(2))
  }

  @Test func `the readers work again after it`() throws {
    for _ in 0..<5 {
      _ = fault { try test.database.read { try $0.execute(Self.endless) } }
      #expect(try test.database.read { try $0.integer("SELECT 1") } == 1)
    }
  }

  @Test func `an export may exceed the time limit`() throws {
    #expect(fault { try test.database.read { try $0.execute(Self.long) } }?.kind == .interrupted)
    let count = try test.database.read(limit: .none) { try $0.integer(Self.long) }
    #expect(count == 3_000_000)
  }

  @Test func `a read may have a separate limit`() throws {
    let fault = fault {
      try test.database.read(limit: .after(.milliseconds(1))) { try $0.execute(Self.long) }
    }
    #expect(fault?.kind == .interrupted)
  }

  @Test func `the time limit does not apply to a write`() throws {
    #expect(try test.database.write { try $0.integer(Self.long) } == 3_000_000)
  }
}
