import TestClient
import Testing

@testable import WebServer

/// HTTP/1.1 over real sockets.
@Suite struct ConnectionTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  private let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `a connection serves many requests`() throws {
    let client = try server.client()
    for number in 0..<20 {
      let answer = client.exchange("GET /api/echo?text=\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(answer?.text == "\(number)")
      #expect(answer?["Connection"] == nil)
    }
  }

  @Test func `pipelined requests get responses in order`() throws {
    let client = try server.client()
    client.send(
      (0..<10).map { "GET /api/echo?text=\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
    for number in 0..<10 { #expect(client.receive()?.text == "\(number)") }
  }

  @Test func `a request may arrive byte by byte`() throws {
    let client = try server.client()
    for byte in health.utf8 { client.send([byte]) }
    #expect(client.receive()?.status == 200)
  }

  @Test func `Connection close is obeyed`() throws {
    let client = try server.client()
    let answer = client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(answer?["Connection"] == "close")
    #expect(client.isClosedByServer)
  }

  @Test func `HEAD has the headers of GET and no body`() throws {
    let client = try server.client()
    let get = try #require(client.exchange("GET /api/tagged HTTP/1.1\r\nHost: a\r\n\r\n"))
    let head = try #require(client.exchange("HEAD /api/tagged HTTP/1.1\r\nHost: a\r\n\r\n"))
    for name in ["Content-Length", "Content-Type", "ETag", "Cache-Control", "Vary"] {
      #expect(head[name] == get[name], "\(name)")
    }
    #expect(head["Content-Length"] == "2100")
    #expect(client.exchange(health)?.text == "alive")
  }

  @Test func `an unchanged resource is a 304 and the connection stays open`() throws {
    let client = try server.client()
    let answer = client.exchange(
      "GET /api/tagged HTTP/1.1\r\nHost: a\r\nIf-None-Match: \"version1\"\r\n\r\n")
    #expect(answer?.status == 304)
    #expect(answer?["ETag"] == "\"version1\"")
    #expect(client.exchange(health)?.text == "alive")
  }

  @Test func `a range is sent as 206`() throws {
    let answer = try server.get("/api/tagged", "Range: bytes=7-12")
    #expect(answer.status == 206)
    #expect(answer.text == "tagged")
    #expect(answer["Content-Range"] == "bytes 7-12/2100")
  }

  @Test func `a body is compressed for clients that accept it`() throws {
    let answer = try server.get("/api/tagged", "Accept-Encoding: br, gzip")
    #expect(answer["Content-Encoding"] == "gzip")
    #expect(answer["ETag"] == "\"version1-gz\"")
    #expect(answer.body.count < 200)
    #expect(answer.body.prefix(2) == [0x1F, 0x8B])
  }

  @Test func `a body of exactly the limit is accepted and one more byte returns 413`() throws {
    func post(_ count: Int) -> String {
      "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n"
        + String(repeating: "x", count: count)
    }
    let client = try server.client()
    #expect(client.exchange(post(1_000))?.body.count == 1_000)
    let refused = client.exchange(post(1_001))
    #expect(refused?.status == 413)
    // The excess bytes have been read, so the connection can continue.
    #expect(client.exchange(health)?.status == 200)
  }

  @Test func `a body far above the limit is refused before it is sent`() throws {
    let client = try server.client()
    let answer = client.exchange(
      "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n")
    #expect(answer?.status == 413)
    #expect(answer?["Connection"] == "close")
  }

  @Test func `an endless chunked body is cut`() throws {
    let client = try server.client()
    client.send("POST /api/items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    let chunk = "10000\r\n\(String(repeating: "x", count: 65_536))\r\n"
    var sent = 0
    while sent < 8_000, client.send(chunk), !client.hasEnded { sent += 1 }
    // After 256 MiB; up to that size the response follows the end of the body. The response to the
    // body that was too long may or may not have been sent before the connection was closed.
    #expect(sent >= 4_096)
    #expect(sent < 8_000)
  }

  @Test func `a body for a route without bodies returns 413`() throws {
    let answer = try server.exchange(
      "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    #expect(answer.status == 413)
  }

  @Test func `Expect 100-continue gets a 100 response`() throws {
    let client = try server.client()
    client.send(
      "POST /api/items HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    #expect(client.receive100())
    client.send("hi")
    #expect(client.receive()?.text == "hi")
  }

  @Test(arguments: ["QUERY", "TRACE", "CONNECT", "PROPFIND", "get"])
  func `an unknown method returns 405 with Allow`(method: String) throws {
    let answer = try server.exchange("\(method) /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.status == 405)
    #expect(answer["Allow"] == "GET, HEAD, OPTIONS")
    try Shape.expectProblem(answer.body, status: 405)
  }

  @Test func `OPTIONS for the whole server is supported`() throws {
    let answer = try server.exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer.status == 204)
  }

  @Test func `malformed precedes missing, and missing precedes too large`() throws {
    let malformed = try server.exchange("GET /nowhere?a=%zz HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(malformed.status == 400)
    let missing = try server.exchange(
      "POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    #expect(missing.status == 404)
    let method = try server.exchange(
      "PUT /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
    #expect(method.status == 405)
  }
}

extension RawClient {
  fileprivate func receive100() -> Bool {
    String(decoding: read(), as: UTF8.self).hasPrefix("HTTP/1.1 100 ")
  }
}
