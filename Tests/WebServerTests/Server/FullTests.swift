import Foundation
import Locking
import Metrics
import TestClient
import Testing

@testable import WebServer

/// A server with as many connections as it may have.
@Suite struct FullTests {
  private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let echo = "GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n"

  /// The longest that health may take, with time for a busy machine; the connections that are held
  /// would stay for ten seconds.
  private static let promptly = Duration.seconds(2)

  /// What those who hold connections have sent.
  @Test(arguments: [
    "", "G", "GET /api/echo HTTP/1.1\r\nHost: a\r\nX-Slow: ", health, echo,
    "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\nslow",
    "GET /long HTTP/1.1\r\nHost: a\r\n\r\n",
  ])
  func `health is answered whatever the others are at`(beginning: String) throws {
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
  func `an honest request takes the place of who has been silent longest`(beginning: String) throws
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

  @Test func `nobody is cut who is being answered, and who finds no room is told to come again`()
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

  @Test func `the reserve cannot be held`() throws {
    let server = try Self.server()
    let held = try (0..<8).map { _ in
      let client = try server.client(receiveBuffer: 2_048)
      client.send("GET /long HTTP/1.1\r\nHost: a\r\n\r\n")
      return client
    }
    while server.server.requestCount < 8 { pause(.milliseconds(5)) }
    // They ask for health again and again, and do not read.
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

  /// Other clients send their requests at once and fill the waiting room between the connection of the
  /// client that checks health and its request. A busy machine may take too long in between, so that one
  /// answer of many is enough.
  @Test func `health is answered although its request comes a moment after its connection`() throws
  {
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

  /// libmicrohttpd's thread would wait for itself for ever if it were given more connections than it may have.
  @Test func `a flood of those who ask for health and stay stops no thread`() throws {
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

  @Test func `over TLS health is answered as well`() throws {
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

  @Test func `once they have gone everything is as before`() throws {
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

  /// A server whose eight connections all wait for an answer until the gate opens.
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

  /// One with eight places, which stay taken for ten seconds.
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
