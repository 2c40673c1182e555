@testable import PostgreSQL
import TestPostgreSQL
import Testing

/// A server that stops and starts again.
@Suite struct RestartTests {
  @Test(arguments: [false, true])
  func `a pool survives a stop of the server, in order or by a crash`(crashing: Bool) throws {
    let scratch = try Scratch(on: TestPostgreSQL())
    let pool = scratch.pool(size: 2)
    let listener = try NotificationListener(
      scratch.address, channel: "farol_change", limits: .quick)
    _ = try listener.wait(upTo: .zero)
    try pool.transaction(.write()) { connection in
      try connection.execute("CREATE TABLE item (number bigint PRIMARY KEY)")
      try connection.execute("INSERT INTO item VALUES (1)")
    }
    let old = try scratch.connect()
    let number = try #require(try old.begin(.write(), limit: nil))

    try scratch.server.stop(crashing: crashing)
    let refusal = fault { _ = try pool.transaction(.read) { try $0.value("SELECT 1") } }
    #expect(refusal?.kind == .unreachable)
    #expect(fault { _ = try listener.wait(upTo: .zero) }?.kind == .unreachable)

    try scratch.server.start()
    let count = try pool.transaction(.read) { try $0.value("SELECT count(*) FROM item") }
    #expect(count == 1)
    #expect(try listener.wait(upTo: .zero) == .connected)
    #expect(pool.use == (0, 2))

    // The server runs anew, so a stored transaction with this number could be another one.
    let new = try scratch.connect()
    #expect(new.incarnation != nil)
    #expect(new.incarnation != old.incarnation)
    let lost = ServerFault(.connectionLost, "lost")
    let outcome = fault { try old.confirmCommit(of: number, after: lost) }
    #expect(outcome == lost)
    let other = try #require(try new.begin(.write(), limit: nil))
    try new.control("COMMIT")
    #expect(fault { try old.confirmCommit(of: other, after: lost) }?.kind == .unknownOutcome)
    #expect(fault { try new.confirmCommit(of: other, after: lost) } == nil)
  }
}
