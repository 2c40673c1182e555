import TestClient
import Testing

@testable import WebServer

/// A client that sends very slowly holds its connection no longer than the limit.
@Suite struct SlowClientTests {
  @Test func `a slow request header is cut at its limit and not before`() throws {
    let server = try TestServer(configure: {
      $0.headTime = .milliseconds(1_500)
      $0.bodyTime = .seconds(60)
    })
    let client = try server.client()
    client.send("GET /healthz HTTP/1.1\r\n")
    let start = ContinuousClock.now
    drip("X-A: a\r\n", into: client, for: .seconds(10))
    let lasted = start.duration(to: .now)
    #expect(lasted >= .milliseconds(1_300))
    #expect(lasted < .seconds(8))
  }

  @Test func `a slow body is cut at its limit and not before`() throws {
    let server = try TestServer(configure: {
      $0.headTime = .milliseconds(500)
      $0.bodyTime = .milliseconds(1_500)
    })
    let client = try server.client()
    client.send("POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
    let start = ContinuousClock.now
    drip("a", into: client, for: .seconds(10))
    let lasted = start.duration(to: .now)
    #expect(lasted >= .milliseconds(1_300))
    #expect(lasted < .seconds(8))
  }

  @Test func `a silent connection is cut`() throws {
    let server = try TestServer(configure: { $0.headTime = .milliseconds(500) })
    let client = try server.client()
    #expect(client.isClosedByServer)
  }

  @Test func `a slow handler does not count as a slow client`() throws {
    let server = try TestServer(
      configure: {
        $0.headTime = .milliseconds(300)
        $0.bodyTime = .milliseconds(300)
      },
      routes: {
        $0.get("/slow") { _ in
          pause(.milliseconds(1_200))
          return .text("done")
        }
      })
    #expect(try server.get("/slow").text == "done")
  }

  @Test func `sixty slow clients leave room for others`() throws {
    let server = try TestServer(configure: { $0.headTime = .seconds(5) })
    let slow = try (0..<60).map { _ in try server.client() }
    for client in slow { client.send("GET /healthz HTTP/1.1\r\nHost:") }
    for _ in 0..<20 { #expect(try server.get("/healthz").status == 200) }
  }

  /// Sends `text` every 100 ms until the server cuts the connection.
  private func drip(_ text: String, into client: RawClient, for time: Duration) {
    let end = ContinuousClock.now + time
    while ContinuousClock.now < end {
      guard client.send(text), !client.hasEnded else { return }
      pause(.milliseconds(100))
    }
  }
}
