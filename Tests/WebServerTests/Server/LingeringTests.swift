import TestClient
import Testing

@testable import WebServer

/// Clients that send a long body despite an early response still receive that response.
@Suite struct LingeringTests {
  private func make(lingerTime: Duration = .seconds(30)) throws -> TestServer {
    try TestServer(
      configure: { $0.lingerTime = lingerTime },
      routes: { router in
        let reception = Reception(storesBody: true, bodyTime: nil) { _ in
          throw Problem(.unauthorized, "Sign in first.")
        }
        router.addDeferred(.post, "/files", bodyLimit: 100 << 20, reception: reception) {
          _, reply in reply(.success(.text("taken")))
        }
      })
  }

  private func head(_ path: String, _ length: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\n\(length)\r\n\r\n"
  }

  @Test(arguments: [("/files", 401), ("/api/items", 413), ("/nowhere", 404), ("/healthz", 405)])
  func `a refused body of megabytes is read, and the response arrives complete`(
    path: String, status: Int
  ) throws {
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    let body = [UInt8](repeating: 0x61, count: 12 << 20)
    #expect(client.send(Array(head(path, "Content-Length: \(body.count)").utf8) + body))
    let answer = try #require(client.receive())
    #expect(answer.status == status)
    #expect(answer["Connection"] == "close")
    try Shape.expectProblem(answer.body, status: status)
    #expect(client.isClosedByServer)
  }

  @Test func `a body of more than twice the longest permitted one is read too`() throws {
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    client.send(head("/api/items", "Content-Length: \(150 * piece.count)"))
    for _ in 0..<150 { #expect(client.send(piece)) }
    #expect(client.receive()?.status == 413)
  }

  @Test func `a chunked body above the limit gets its response at its end`() throws {
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    client.send(head("/api/items", "Transfer-Encoding: chunked"))
    let piece = Array("100000\r\n".utf8) + [UInt8](repeating: 0x61, count: 1 << 20) + [13, 10]
    for _ in 0..<12 { #expect(client.send(piece)) }
    client.send("0\r\n\r\n")
    #expect(client.receive()?.status == 413)
  }

  @Test func `a client that never stops sending is cut after a while and not before`() throws {
    let server = try make(lingerTime: .milliseconds(1_500))
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    client.send(head("/api/items", "Content-Length: 1000000000"))
    #expect(client.receive()?.status == 413)
    let start = ContinuousClock.now
    let piece = [UInt8](repeating: 0x61, count: 1_000)
    while client.send(piece), start.duration(to: .now) < .seconds(15) { pause(.milliseconds(50)) }
    let lasted = start.duration(to: .now)
    #expect(lasted > .milliseconds(1_200))
    #expect(lasted < .seconds(10))
  }

  @Test func `a client that sends far more than an honest one is cut at once`() throws {
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    client.send(head("/api/items", "Content-Length: 1000000000"))
    #expect(client.receive()?.status == 413)
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    var sent = 0
    while sent < 400, client.send(piece) { sent += 1 }
    #expect((200..<400).contains(sent))
  }

  @Test func `closed connections of refused clients leave room for others`() throws {
    let server = try make(lingerTime: .seconds(60))
    defer { withExtendedLifetime(server) {} }
    let head = head("/api/items", "Content-Length: \(12 << 20)")
    // Twice as many as may linger at a time.
    for _ in 0..<128 {
      let client = try server.client()
      client.send(head)
      #expect(client.receive()?.status == 413)
    }
    // The server must notice that the last ones have closed.
    pause(.milliseconds(300))
    let client = try server.client()
    #expect(client.send(Array(head.utf8) + [UInt8](repeating: 0x61, count: 12 << 20)))
    #expect(client.receive()?.status == 413)
  }
}
