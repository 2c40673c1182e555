import Dispatch
import Locking
@testable import SpatialDatabase
import Testing

/// Threads that serve sockets run only reads that are declared to be quick, and a debug build checks their plans.
@Suite struct QuickReadTests {
  private let test: TestDatabase

  init() throws {
    test = try TestDatabase()
    try test.addPlace("Lisbon")
  }

  private static let byName = "SELECT kind FROM place WHERE name = 'Lisbon'"

  @Test func `a thread that serves sockets cannot run a read of variable cost`() throws {
    let database = test.database
    try SocketThread.running {
      #expect(SocketThread.isCurrent)
      let kind = try database.readQuickly { try $0.text(Self.byName) }
      #expect(kind == "camera")
    }
    for costly in [
      { _ = try database.read { try $0.text(Self.byName) } },
      { _ = try database.readPrivate { try $0.text(Self.byName) } },
      { _ = try database.snapshot(limit: .seconds(1)) },
      // Code in between that catches the error cannot make a result without what it did not read.
      { _ = try? database.read { try $0.text(Self.byName) } },
    ] as [() throws -> Void] {
      #expect(throws: TooCostly.self) { try SocketThread.running(costly) }
    }
    #expect(!SocketThread.isCurrent)
    #expect(try database.read { try $0.text(Self.byName) } == "camera")
    #expect(try database.readQuickly { try $0.text(Self.byName) } == "camera")
  }

  @Test(arguments: [
    "SELECT count(*) FROM place", "SELECT name FROM place WHERE kind = 'camera'",
    "SELECT name FROM place AS p ORDER BY longitude LIMIT 1",
    "SELECT rowid FROM place_text WHERE place_text MATCH 'lisbon'",
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM place WHERE tags = 'x')",
  ])
  func `a quick read must not go through a table`(sql: String) throws {
    #expect(throws: DatabaseFault.self) {
      _ = try SocketThread.running { try test.database.readQuickly { try $0.integer(sql) } }
    }
    // Elsewhere it may.
    #expect(throws: Never.self) { try test.database.readQuickly { try $0.integer(sql) } }
  }

  @Test(arguments: [
    byName, "SELECT 1", "SELECT name FROM place WHERE rowid = 1",
    "SELECT name FROM place WHERE rowid IN (SELECT value FROM json_each('[1]'))",
    "SELECT rowid FROM place_box WHERE west >= -1 AND east <= 1",
  ])
  func `a quick read finds its rows by a key or an index`(sql: String) throws {
    try SocketThread.running {
      _ = try test.database.readQuickly { try $0.rows(sql) { $0.value(0) } }
    }
  }

  @Test func `costly reads leave a connection to quick ones`() throws {
    var configuration = Database.Configuration.small
    configuration.readers = 3
    let test = try TestDatabase(configuration: configuration)
    try test.addPlace("Lisbon")
    let database = test.database
    let count = 2
    let (begun, end, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup()
    )
    for _ in 0..<count + 2 {
      DispatchQueue.global().async(group: done) {
        _ = try? database.read { _ in
          begun.signal()
          end.wait()
        }
      }
    }
    for _ in 0..<count { begun.wait() }
    let started = ContinuousClock.now
    let kind = try SocketThread.running {
      try database.readQuickly { try $0.text(Self.byName) }
    }
    #expect(kind == "camera")
    #expect(.now - started < .seconds(1))
    for _ in 0..<count + 2 { end.signal() }
    done.wait()
  }
}
