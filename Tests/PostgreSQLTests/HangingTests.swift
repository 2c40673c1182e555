@testable import PostgreSQL
import TestPostgreSQL
import Testing

/// A server that hangs, as a machine does that is paused: connections exist and nothing answers.
@Suite struct HangingTests {
  private let scratch: Scratch
  private let pool: ConnectionPool

  init() throws {
    scratch = try Scratch(on: TestPostgreSQL())
    var limits = ConnectionLimits()
    (limits.cancel, limits.begin) = (.milliseconds(300), .milliseconds(300))
    pool = ConnectionPool(scratch.address, size: 2, limits: limits)
    _ = try pool.transaction(.write()) { try $0.execute("CREATE TABLE item (number bigint)") }
  }

  /// The fault of `body`, which must end soon although nothing answers.
  private func soon(_ body: () throws -> Void) throws -> ServerFault.Kind? {
    let begun = ContinuousClock.now
    try scratch.server.hang()
    let found = fault(body)
    let passed = ContinuousClock.now - begun
    try scratch.server.wake()
    #expect(passed < .seconds(5), "\(passed)")
    return found?.kind
  }

  private func count() throws -> BoundValue? {
    try pool.transaction(.read) { try $0.value("SELECT count(*) FROM item") }
  }

  @Test func `a read ends at its limit, and later ones succeed`() throws {
    let kind = try soon {
      _ = try pool.transaction(.read, limit: .milliseconds(200)) { try $0.value("SELECT 1") }
    }
    #expect(kind == .unresponsive)
    for _ in 0..<3 { #expect(try count() == 0) }
  }

  @Test func `a write ends before it begins, and nothing is stored`() throws {
    let kind = try soon {
      _ = try pool.transaction(.write()) { try $0.execute("INSERT INTO item VALUES (1)") }
    }
    #expect(kind == .unresponsive)
    #expect(try count() == 0)
  }

  @Test func `a quick read neither waits for a connection nor establishes one`() throws {
    let quick = Duration.milliseconds(100)
    func read() throws {
      _ = try pool.transaction(.read, limit: .seconds(60), quickly: quick) {
        try $0.value("SELECT 1")
      }
    }
    #expect(try soon(read) == .unresponsive)
    // Its connection was given up, and another caller makes the next one.
    #expect(fault(read)?.kind == .busy)
    #expect(try count() == 0)
    #expect(fault(read) == nil)
  }
}
