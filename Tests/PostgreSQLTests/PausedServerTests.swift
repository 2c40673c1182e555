import Glibc
import Locking
@testable import PostgreSQL
import TestPostgreSQL
import Testing

/// The kernel of a machine whose programs are paused still accepts connections and bytes, but nothing answers.
@Suite struct PausedServerTests {
  /// Copies bytes between clients and the server, and none while `isPaused`.
  private static func relay(to folder: String, isPaused: Monitor<Bool>) throws -> FakeServer {
    try FakeServer { client in
      func waitForEnd() { isPaused.wait(until: { !$0 }, orUntil: .now + .seconds(60)) { _ in } }
      waitForEnd()
      let server = FakeServer.connect(toSocketIn: folder)
      defer { close(server) }
      while true {
        var waiting = [
          pollfd(fd: client, events: Int16(POLLIN), revents: 0),
          pollfd(fd: server, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&waiting, 2, 60_000) > 0 else { return }
        waitForEnd()
        for (place, target) in [(0, server), (1, client)] where waiting[place].revents != 0 {
          let bytes = FakeServer.receive(waiting[place].fd)
          if bytes.isEmpty { return }
          FakeServer.send(bytes, to: target)
        }
      }
    }
  }

  private let scratch: Scratch
  private let isPaused = Monitor(false)
  private let relay: FakeServer

  init() throws {
    scratch = try Scratch()
    try scratch.connect().execute("CREATE TABLE item (number bigint PRIMARY KEY)")
    relay = try Self.relay(to: scratch.server.folder, isPaused: isPaused)
  }

  private func connect(_ change: (inout ConnectionLimits) -> Void) throws -> ServerConnection {
    var limits = ConnectionLimits.quick
    change(&limits)
    return try ServerConnection(
      ServerAddress(url: url("127.0.0.1", "\(relay.port)")), limits: limits)
  }

  private func url(_ hosts: String, _ ports: String) throws -> String {
    let name = try #require(scratch.url.firstMatch(of: /test_[0-9]+/)).output
    return "postgresql:///\(name)?user=farol&host=\(hosts)&port=\(ports)"
  }

  /// Runs `body` while the server is paused, and wakes the server afterwards, at the latest after 20 seconds.
  private func paused(_ body: () throws -> Void) rethrows -> Duration {
    let start = ContinuousClock.now
    isPaused.withLock { $0 = true }
    let waking = Running { [isPaused] in
      isPaused.wait(until: { !$0 }, orUntil: .now + .seconds(20)) { $0 = false }
    }
    defer {
      isPaused.withLock { $0 = false }
      _ = waking.result
    }
    try body()
    return ContinuousClock.now - start
  }

  @Test func `a host that is paused leaves time for the next one`() throws {
    let address = try ServerAddress(
      url: url("127.0.0.1,\(scratch.server.folder)", "\(relay.port),5432"))
    var limits = ConnectionLimits.quick
    limits.connect = .seconds(2)
    let time = try paused {
      let answer = try ServerConnection(address, limits: limits).value("SELECT 1")
      #expect(answer == 1)
    }
    #expect(time < .seconds(15))
  }

  @Test func `of several hosts a standby is taken if one answers, and else any`() throws {
    let folder = scratch.server.folder
    let address = try ServerAddress(
      url: url("127.0.0.1,\(folder)", "\(relay.port),5432"), target: "prefer-standby")
    #expect(try ServerConnection(address, limits: .quick).value("SELECT 1") == 1)
    let onlyStandbys = try ServerAddress(
      url: url("127.0.0.1,\(folder)", "\(relay.port),5432") + "&target_session_attrs=standby")
    #expect(
      fault { _ = try ServerConnection(onlyStandbys, limits: .quick) }?.kind == .unreachable)
  }

  @Test func `a statement ends at its limit although nothing takes the request to cancel it`()
    throws
  {
    let connection = try connect { $0.cancel = .milliseconds(200) }
    let time = paused {
      let found = fault {
        try connection.transaction(.read, limit: .milliseconds(200)) {
          _ = try $0.execute("SELECT 1")
        }
      }
      #expect(found?.kind == .unresponsive)
    }
    #expect(time < .seconds(15))
    #expect(connection.isBroken)
  }

  @Test func `a quick read waits neither for long nor for a connection to be made`() throws {
    let pool = ConnectionPool(
      try ServerAddress(url: url("127.0.0.1", "\(relay.port)")), size: 2, limits: .quick)
    func read(quickly: Duration?) throws {
      _ = try pool.transaction(.read, limit: .seconds(60), quickly: quickly) {
        try $0.value("SELECT 1")
      }
    }
    #expect(fault { try read(quickly: .seconds(20)) }?.kind == .busy)
    try read(quickly: nil)
    try read(quickly: .seconds(20))
    let time = paused {
      #expect(fault { try read(quickly: .milliseconds(200)) }?.kind == .unresponsive)
      // Its connection was given up.
      #expect(fault { try read(quickly: .milliseconds(200)) }?.kind == .busy)
    }
    #expect(time < .seconds(4))
    try read(quickly: nil)
    try read(quickly: .seconds(20))
  }

  @Test func `a COMMIT without an answer is given up, and its outcome is unknown`() throws {
    let connection = try connect {
      ($0.silence, $0.signOfLife) = (.milliseconds(200), .seconds(2))
      ($0.outcome, $0.connect) = (.seconds(1), .seconds(1))
    }
    let time = try paused(afterInsertOn: connection) { #expect($0?.kind == .unknownOutcome) }
    #expect(time < .seconds(15))
  }

  @Test func `a COMMIT without an answer is looked for over another connection`() throws {
    let connection = try connect {
      ($0.silence, $0.signOfLife) = (.milliseconds(200), .seconds(2))
    }
    let woken = Running { [isPaused] in
      isPaused.wait(until: { $0 }, orUntil: .now + .seconds(20)) { _ in }
      usleep(5_000_000)
      isPaused.withLock { $0 = false }
    }
    let time = try paused(afterInsertOn: connection) { found in
      let isStored = try scratch.connect().value("SELECT count(*) FROM item") == 1
      #expect(isStored == (found == nil))
      #expect(found == nil || found?.kind == .connectionLost)
    }
    #expect(woken.result != nil)
    #expect(time < .seconds(15))
  }

  /// Pauses the server between an insert and its COMMIT, and passes the fault of the transaction to `check`.
  private func paused(
    afterInsertOn connection: ServerConnection, _ check: (ServerFault?) throws -> Void
  ) throws -> Duration {
    var start = ContinuousClock.now
    let found = fault {
      try connection.transaction(.write()) { connection in
        _ = try connection.execute("INSERT INTO item VALUES (1)")
        start = .now
        isPaused.withLock { $0 = true }
      }
    }
    let time = ContinuousClock.now - start
    isPaused.withLock { $0 = false }
    try check(found)
    return time
  }

  @Test func `a time limit that the database sets for its users does not end a COMMIT`() throws {
    let name = try #require(scratch.url.firstMatch(of: /test_[0-9]+/)).output
    try scratch.connect().executeScript(
      "ALTER ROLE CURRENT_USER IN DATABASE \(name) SET statement_timeout = '1s'")
    #expect(try scratch.connect().value("SHOW statement_timeout") == "0")
  }
}
