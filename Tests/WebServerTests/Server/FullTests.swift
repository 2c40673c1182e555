import Foundation
import Locking
import Metrics
import TestClient
import Testing

@testable import WebServer

/// A server at its connection limit.
@Suite struct FullTests {
  private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let echo = "GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n"

  /// The longest acceptable duration of a health check, with time for a busy machine. The held
  /// connections would stay open for ten seconds.
  private static let promptly = Duration.seconds(2)

  /// The requests that the held connections have sent.
  @Test(arguments: [
    "", "G", "GET /api/echo HTTP/1.1\r\nHost: a\r\nX-Slow: ", health, echo,
    "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nslow",
    "GET /long HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func `the health check responds whatever the other connections do`(beginning: String) throws {
    let server = try Self.server()
    let held = try (0..<24).map { _ in
      let client = try server.client(receiveBuffer: 2_048)
      client.send(beginning)
      return client
    }
    pause(.milliseconds(200))
    for _ in 0..<5 {
      let started = ContinuousClock.now
      #expect(try server.get("/healthz").status == 200)
      #expect(started.duration(to: .now) < Self.promptly)
    }
    withExtendedLifetime(held) {}
  }

  @Test(arguments: ["", "G", health])
  func `a new request takes the place of the connection idle the longest`(beginning: String) throws
  {
    let activity = ServerActivity()
    let server = try Self.server { $0.activity = activity }
    let held = try (0..<8).map { _ in
      let client = try server.client()
      if beginning == Self.health {
        #expect(client.exchange(beginning)?.status == 200)
      } else {
        client.send(beginning)
      }
      pause(.milliseconds(10))
      return client
    }
    pause(.milliseconds(200))
    let started = ContinuousClock.now
    #expect(try server.get("/api/echo").status == 200)
    #expect(started.duration(to: .now) < Self.promptly)
    #expect(held[0].isClosedByServer)
    #expect(!held[7].hasEnded)
    #expect(activity.evictedConnections.value == 1)
  }

  @Test func `a connection being served stays open, others get 503 with Retry-After`()
    throws
  {
    let gate = Monitor(false)
    defer { gate.withLock { $0 = true } }
    let (server, held) = try Self.occupied(until: gate)
    let refused = try server.get("/api/echo")
    #expect(refused.status == 503)
    #expect(refused["Retry-After"] == "10" && refused["Connection"] == "close")
    let health = try server.get("/healthz")
    #expect(health.status == 200 && health["Connection"] == "close")
    gate.withLock { $0 = true }
    for client in held { #expect(client.receive()?.text == "later") }
  }

  @Test func `clients cannot occupy the reserved connections`() throws {
    let server = try Self.server()
    let held = try (0..<8).map { _ in
      let client = try server.client(receiveBuffer: 2_048)
      client.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n")
      return client
    }
    while server.server.requestCount < 8 { pause(.milliseconds(5)) }
    // They repeat the health check and do not read the responses.
    let greedy = try (0..<40).map { _ in
      let client = try server.client(receiveBuffer: 2_048)
      client.send(String(repeating: Self.health, count: 300))
      return client
    }
    let silent = try (0..<40).map { _ in try server.client() }
    let started = ContinuousClock.now
    #expect(try server.get("/healthz").status == 200)
    #expect(started.duration(to: .now) < Self.promptly)
    withExtendedLifetime((held, greedy, silent)) {}
  }

  /// Other clients send their requests at once. They fill the waiting room between the connection
  /// of the health check and its request. On a busy machine the time in between may be too long, so
  /// one response of many is enough.
  @Test func `the health check responds although its request follows its connection`() throws {
    let gate = Monitor(false)
    defer { gate.withLock { $0 = true } }
    let (server, held) = try Self.occupied(until: gate) { $0.waitingRoom = 4 }
    var answered = 0
    for _ in 0..<20 {
      let client = try server.client()
      let others = try (0..<64).map { _ in
        let other = try server.client()
        other.send(Self.echo)
        return other
      }
      if client.exchange(Self.health)?.status == 200 { answered += 1 }
      withExtendedLifetime(others) {}
    }
    #expect(answered > 0)
    withExtendedLifetime(held) {}
  }

  /// With more connections than its limit, libmicrohttpd's thread would wait for itself forever.
  @Test func `a flood of persistent health check clients stops no worker thread`() throws {
    let server = try Self.server()
    let port = server.server.port
    let end = ContinuousClock.now + .seconds(2)
    let flooding = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: flooding) {
        var held: [RawClient] = []
        while ContinuousClock.now < end {
          guard let client = try? RawClient(port: port) else { continue }
          client.send(Self.health)
          held.append(client)
          if held.count > 50 { held.removeFirst(25) }
        }
      }
    }
    flooding.wait()
    #expect(try server.get("/healthz").status == 200)
    #expect(try server.get("/api/echo").status == 200)
  }

  @Test func `the health check responds over TLS as well`() throws {
    let certificate = try TestCertificate()
    for beginning in ["", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}"] {
      let server = try Self.server { $0.certificate = certificate.files }
      let held = try (0..<24).map { _ in
        let client = try server.client()
        client.send(beginning)
        return client
      }
      pause(.milliseconds(200))
      let started = ContinuousClock.now
      let client = try TLSClient(port: server.server.port, trusting: certificate)
      #expect(client.exchange(Self.health, until: "alive").hasPrefix("HTTP/1.1 200 "))
      #expect(started.duration(to: .now) < Self.promptly)
      withExtendedLifetime(held) {}
    }
  }

  @Test func `after the connections close the server works as before`() throws {
    let server = try Self.server()
    var held = try (0..<30).map { _ in try server.client() }
    pause(.milliseconds(100))
    held = []
    while server.server.connectionCount > 0 { pause(.milliseconds(5)) }
    let clients = try (0..<8).map { _ in try server.client() }
    for _ in 0..<3 {
      for client in clients {
        let answer = client.exchange(Self.echo)
        #expect(answer?.status == 200 && answer?["Connection"] == nil)
      }
    }
    #expect(server.server.connectionCount == 8)
    withExtendedLifetime(held) {}
  }

  /// A server whose eight connections all wait for a response until the gate opens.
  private static func occupied(
    until gate: Monitor<Bool>, configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> (server: TestServer, held: [RawClient]) {
    let server = try server(configure: configure) { router in
      router.addDeferred(.get, "/later") { _, reply in
        Thread.detachNewThread {
          while !gate.withLock({ $0 }) { pause(.milliseconds(5)) }
          reply(.success(.text("later")))
        }
      }
    }
    let held = try (0..<8).map { _ in
      let client = try server.client()
      client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      return client
    }
    while server.server.requestCount < 8 { pause(.milliseconds(5)) }
    return (server, held)
  }

  /// A server with eight connections, which stay occupied for ten seconds.
  private static func server(
    configure: (inout ServerConfiguration) -> Void = { _ in },
    routes: (inout Router) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(
      configure: {
        $0.connections = 8
        configure(&$0)
      },
      routes: { router in
        router.get("/long") { _ in
          .bytes([UInt8](repeating: 1, count: 4 << 20), contentType: "application/octet-stream")
        }
        routes(&router)
      })
  }
}
