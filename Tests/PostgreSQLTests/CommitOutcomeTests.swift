import Glibc
import Locking
@testable import PostgreSQL
import TestPostgreSQL
import Testing

/// A COMMIT whose response is lost is never reported wrongly.
@Suite struct CommitOutcomeTests {
  /// The moment at which a proxy cuts the connection of the first COMMIT.
  private enum Cut: Sendable { case before, after, never }

  /// Copies bytes between a client and the server, and closes both connections at a COMMIT.
  private static func proxy(to folder: String, cutting cut: Monitor<Cut>) throws -> FakeServer {
    try FakeServer { client in
      let server = FakeServer.connect(toSocketIn: folder)
      defer { close(server) }
      while true {
        var waiting = [
          pollfd(fd: client, events: Int16(POLLIN), revents: 0),
          pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waiting, 2, 60_000) > 0 else { return }
        if waiting[1].revents != 0 {
          let bytes = FakeServer.receive(server)
          if bytes.isEmpty { return }
          FakeServer.send(bytes, to: client)
        }
        guard waiting[0].revents != 0 else { continue }
        let bytes = FakeServer.receive(client)
        if bytes.isEmpty { return }
        let now =
          bytes.starts(with: message("Q", Array("COMMIT\0".utf8)))
          ? cut.withLock { state -> Cut in
            defer { state = .never }
            return state
          } : .never
        if now == .before { return }
        FakeServer.send(bytes, to: server)
        if now == .after {
          // The answer: COMMIT has run.
          _ = FakeServer.receive(server)
          return
        }
      }
    }
  }

  private func connect(_ scratch: Scratch, _ proxy: FakeServer) throws -> ServerConnection {
    let name = try #require(scratch.url.firstMatch(of: /test_[0-9]+/)).output
    return try ServerConnection(
      ServerAddress(url: "postgresql://farol@127.0.0.1:\(proxy.port)/\(name)"), limits: .quick)
  }

  private func prepare() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.connect().execute("CREATE TABLE item (number bigint PRIMARY KEY)")
    return scratch
  }

  @Test func `a COMMIT whose response is lost is found to be stored`() throws {
    let scratch = try prepare()
    let proxy = try Self.proxy(to: scratch.server.folder, cutting: Monitor(.after))
    let connection = try connect(scratch, proxy)
    try connection.transaction(.write()) { _ = try $0.execute("INSERT INTO item VALUES (1)") }
    #expect(connection.isBroken)
    #expect(try scratch.connect().value("SELECT count(*) FROM item") == 1)
  }

  @Test func `a COMMIT that is lost is found not to be stored`() throws {
    let scratch = try prepare()
    let proxy = try Self.proxy(to: scratch.server.folder, cutting: Monitor(.before))
    let connection = try connect(scratch, proxy)
    let refusal = fault {
      try connection.transaction(.write()) { _ = try $0.execute("INSERT INTO item VALUES (1)") }
    }
    #expect(refusal?.kind == .connectionLost)
    #expect(try scratch.connect().value("SELECT count(*) FROM item") == 0)
  }

  @Test func `a COMMIT whose server does not come back has an unknown outcome`() throws {
    let scratch = try prepare()
    let proxy = try Self.proxy(to: scratch.server.folder, cutting: Monitor(.after))
    let name = try #require(scratch.url.firstMatch(of: /test_[0-9]+/)).output
    var limits = ConnectionLimits.quick
    limits.outcome = .milliseconds(300)
    let connection = try ServerConnection(
      ServerAddress(url: "postgresql://farol@127.0.0.1:\(proxy.port)/\(name)"), limits: limits)
    let refusal = fault {
      try connection.transaction(.write()) { connection in
        try connection.execute("INSERT INTO item VALUES (1)")
        proxy.stop()
      }
    }
    #expect(refusal?.kind == .unknownOutcome)
    #expect(try scratch.connect().value("SELECT count(*) FROM item") == 1)
  }

  @Test(
    arguments: [
      ("committed", true, CommitOutcome.committed), ("committed", false, .unknown),
      ("aborted", true, .rolledBack), ("aborted", false, .rolledBack),
      ("in progress", true, .inProgress), ("in progress", false, .unknown),
      (nil, true, .unknown), ("anything", true, .unknown),
    ] as [(String?, Bool, CommitOutcome)])
  func `only what a server can know is believed`(
    status: String?, isSameRun: Bool, outcome: CommitOutcome
  ) {
    #expect(CommitOutcome(status: status, isSameRun: isSameRun) == outcome)
  }

  @Test func `the outcome of transactions that the server knows is found`() throws {
    let connection = try prepare().connect()
    let lost = ServerFault(.connectionLost, "lost")
    let stored = try connection.transaction(.write()) { connection in
      try connection.first("SELECT CAST(pg_current_xact_id() AS text)") { $0.text(0) } ?? ""
    }
    let rolledBack = try #require(try connection.begin(.write(), limit: nil))
    try connection.control("ROLLBACK")
    #expect(fault { try connection.confirmCommit(of: stored, after: lost) } == nil)
    #expect(fault { try connection.confirmCommit(of: rolledBack, after: lost) } == lost)
    // Numbers that no transaction has: the server that took over never saw it.
    #expect(fault { try connection.confirmCommit(of: "4000000000", after: lost) } == lost)
  }
}
