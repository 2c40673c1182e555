import Glibc
import Locking
@testable import PostgreSQL
import TestPostgreSQL
import Testing

/// A process uses one run of a server at a time.
@Suite struct ServerFenceTests {
  /// Counts its checks, and refuses on demand.
  private final class Checks: Sendable {
    let count = Locked(0)
    let refusal = Locked<ServerFault?>(nil)

    func fence(silence: Duration = .seconds(60)) -> ServerFence {
      ServerFence(silence: silence) { [self] _ in
        count.withLock { $0 += 1 }
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
      }
    }
  }

  private let checks = Checks()

  private func pool(_ scratch: Scratch, _ fence: ServerFence, size: Int = 2) -> ConnectionPool {
    ConnectionPool(
      scratch.address, size: size, timeout: .seconds(20), limits: .quick, fence: fence)
  }

  @Test func `a run is checked once, and a new run again`() throws {
    let scratch = try Scratch(on: TestPostgreSQL())
    let pool = pool(scratch, checks.fence())
    for _ in 0..<3 {
      try pool.transaction(.read) { _ in
        _ = try pool.transaction(.read) { try $0.value("SELECT 1") }
      }
    }
    #expect(checks.count.withLock { $0 } == 1)
    try scratch.server.stop(crashing: true)
    try scratch.server.start()
    _ = try pool.transaction(.read) { try $0.value("SELECT 1") }
    #expect(checks.count.withLock { $0 } == 2)
  }

  @Test func `a server that the check refuses answers nothing, until it is admitted`() throws {
    let scratch = try Scratch()
    let pool = pool(scratch, checks.fence(), size: 1)
    checks.refusal.withLock { $0 = ServerFault(.behind, "behind") }
    for mode in [TransactionMode.read, .write(turn: 1)] {
      var hasRun = false
      #expect(fault { try pool.transaction(mode) { _ in hasRun = true } }?.kind == .behind)
      #expect(!hasRun)
    }
    #expect(fault { try pool.batch([("SELECT 1", [])], limit: .seconds(5)) }?.kind == .behind)
    #expect(pool.use == (0, 1))
    checks.refusal.withLock { $0 = nil }
    #expect(try pool.transaction(.read) { try $0.value("SELECT 1") } == .integer(1))
  }

  @Test func `after a silence connections are replaced and the server is checked again`() throws {
    let scratch = try Scratch()
    let pool = pool(scratch, checks.fence(silence: .milliseconds(200)))
    func process() throws -> BoundValue? {
      try pool.transaction(.read) { try $0.value("SELECT pg_backend_pid()") }
    }
    let first = try process()
    #expect(try process() == first)
    usleep(400_000)
    #expect(try process() != first)
    #expect(checks.count.withLock { $0 } == 2)
  }

  @Test func `a late answer does not end a silence`() throws {
    let scratch = try Scratch()
    let pool = pool(scratch, checks.fence(silence: .milliseconds(200)))
    _ = try pool.transaction(.read) { try $0.value("SELECT pg_sleep(0.4)") }
    _ = try pool.transaction(.read) { try $0.value("SELECT 1") }
    #expect(checks.count.withLock { $0 } == 2)
  }

  @Test func `an answer of a server that was replaced meanwhile is refused`() throws {
    let (old, new) = (try Scratch(on: TestPostgreSQL()), try Scratch(on: TestPostgreSQL()))
    let fence = checks.fence()
    let pool = pool(old, fence)
    let admit = { _ = try ServerConnection(new.address, limits: .quick, fence: fence) }
    let read = fault {
      _ = try pool.transaction(.read) { connection in
        _ = try connection.value("SELECT 1")
        try admit()
      }
    }
    #expect(read?.kind == .connectionLost)
    let write = fault {
      try pool.transaction(.write()) { connection in
        try connection.execute("CREATE TABLE item (number bigint)")
        try admit()
      }
    }
    #expect(write?.kind == .unknownOutcome)
  }

  @Test func `of several hosts the highest timeline is found`() throws {
    let (low, high) = (try Scratch(on: TestPostgreSQL()), try Scratch(on: TestPostgreSQL()))
    try high.server.demote()
    try high.server.promote()
    // The same name of the database on both.
    let url = low.url.replacing(
      "host=\(low.server.folder)",
      with: "host=\(low.server.folder),\(high.server.folder),/nowhere")
    let connection = try ServerConnection(ServerAddress(url: url), limits: .quick)
    #expect(connection.timeline == 1)
    #expect(connection.highestTimeline() == 2)
    #expect(try low.connect().highestTimeline() == nil)
  }
}
