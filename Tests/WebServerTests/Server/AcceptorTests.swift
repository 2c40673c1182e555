import Glibc
import Locking
import TestClient
import Testing

@testable import WebServer

/// The acceptor passes connections to the worker threads.
@Suite struct AcceptorTests {
  private let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `simultaneous connections are distributed evenly`() throws {
    let server = try TestServer(
      configure: { $0.threads = 3 },
      routes: { $0.get("/thread") { _ in .text("\(pthread_self())") } })
    let clients = try (0..<12).map { _ in try server.client() }
    var counts: [String: Int] = [:]
    for client in clients {
      let answer = try #require(client.exchange("GET /thread HTTP/1.1\r\nHost: a\r\n\r\n"))
      counts[answer.text, default: 0] += 1
    }
    #expect(counts.values.sorted() == [4, 4, 4])
  }

  @Test(arguments: ["GET /healthz", "HEAD /healthz", "GET /healthz?why=not"])
  func `the health check responds while every worker thread is busy`(request: String) throws {
    let gate = Monitor(false)
    defer { gate.withLock { $0 = true } }
    let server = try TestServer(
      configure: { $0.threads = 2 },
      routes: {
        $0.get("/busy") { _ in
          while !gate.withLock({ $0 }) { pause(.milliseconds(1)) }
          return .text("done")
        }
      })
    let busy = try (0..<2).map { _ in try server.client() }
    for client in busy { #expect(client.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n")) }
    while server.server.requestCount < 2 { pause(.milliseconds(1)) }
    let probe = try server.client()
    for _ in 0..<3 {
      #expect(probe.send("\(request) HTTP/1.1\r\nHost: a\r\n\r\n"))
      #expect(probe.receive(isHead: request.hasPrefix("HEAD"))?.status != nil)
    }
    gate.withLock { $0 = true }
    for client in busy { #expect(client.receive()?.text == "done") }
  }

  @Test func `a connection without a request at first is handled later`() throws {
    let server = try TestServer()
    let client = try server.client()
    pause(.milliseconds(100))
    #expect(client.exchange(health)?.status == 200)
  }

  @Test func `a request sent in pieces gets a response`() throws {
    let server = try TestServer()
    let client = try server.client()
    for piece in ["G", "ET /he", "althz HTTP/1.1\r\n", "Host: a\r\n\r", "\n"] {
      #expect(client.send(piece))
      pause(.milliseconds(30))
    }
    #expect(client.receive()?.status == 200)
  }

  @Test func `a connection closed without a request is released`() throws {
    let server = try TestServer(configure: { $0.connections = 8 })
    for _ in 0..<50 { try server.client().finishSending() }
    #expect(try server.get("/healthz").status == 200)
    while server.server.connectionCount > 0 { pause(.milliseconds(5)) }
  }

  @Test func `a connection stays on its worker thread`() throws {
    let server = try TestServer(routes: { $0.get("/thread") { _ in .text("\(pthread_self())") } })
    let client = try server.client()
    let answers = (0..<5).map { _ in
      client.exchange("GET /thread HTTP/1.1\r\nHost: a\r\n\r\n")?.text
    }
    #expect(Set(answers).count == 1 && answers.first != .some(nil))
  }

  @Test func `thousands of short connections leave as much capacity as before`() throws {
    let server = try TestServer(configure: { $0.connections = 8 })
    for _ in 0..<2_000 { _ = try server.client() }
    let clients = try (0..<8).map { _ in try server.client() }
    for client in clients { #expect(client.exchange(health)?.status == 200) }
  }
}
