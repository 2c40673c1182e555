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

  @Test
  func `a primary that becomes a standby refuses writes with a sentence, until it is promoted`()
    throws
  {
    let scratch = try Scratch(on: TestPostgreSQL())
    let pool = scratch.pool(size: 2)
    _ = try pool.transaction(.write()) { try $0.execute("CREATE TABLE item (number bigint)") }

    try scratch.server.demote()
    let refusal = fault { try pool.transaction(.write(turn: 1)) { _ in } }
    #expect(refusal?.kind == .readOnly)
    #expect(
      refusal?.message
        == "PostgreSQL at \(scratch.address) is a standby or read-only; Farol needs the primary.")
    #expect(try pool.transaction(.read) { try $0.value("SELECT count(*) FROM item") } == 0)
    let several = scratch.url.replacing(
      "host=\(scratch.server.folder)", with: "host=\(scratch.server.folder),/nowhere")
    let unusable = fault { _ = try ServerConnection(ServerAddress(url: several), limits: .quick) }
    #expect(unusable?.kind == .readOnly)
    #expect(
      unusable?.message.hasSuffix(" is a standby or read-only; Farol needs the primary.") == true)

    try scratch.server.promote()
    _ = try pool.transaction(.write(turn: 1)) { try $0.execute("INSERT INTO item VALUES (1)") }
    #expect(try pool.transaction(.read) { try $0.value("SELECT count(*) FROM item") } == 1)
    #expect(pool.use.busy == 0)
  }

  @Test func `of several hosts the primary is used`() throws {
    let (standby, primary) = (try Scratch(on: TestPostgreSQL()), try Scratch(on: TestPostgreSQL()))
    try standby.server.demote()
    let url = standby.url.replacing(
      "host=\(standby.server.folder)",
      with: "host=\(standby.server.folder),\(primary.server.folder)")
    let connection = try ServerConnection(ServerAddress(url: url), limits: .quick)
    #expect(try connection.value("SELECT pg_is_in_recovery()") == .boolean(false))
  }
}
