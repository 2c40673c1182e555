import TestClient
import Testing

@testable import WebServer

/// Requests that libmicrohttpd 0.9.75 passes on and that Farol refuses.
@Suite struct GuardTests {
  let server: TestServer

  init() throws { server = try TestServer() }

  /// Each is refused before its body is read: the connection closes at once.
  private func expectRefused(
    _ request: String, status: Int = 400, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let client = try server.client()
    client.send(request)
    let answer = try #require(client.receive(), sourceLocation: sourceLocation)
    #expect(answer.status == status, sourceLocation: sourceLocation)
    #expect(answer["Connection"] == "close", sourceLocation: sourceLocation)
    #expect(
      answer["Content-Type"] == "application/problem+json", sourceLocation: sourceLocation)
    for name in Shape.securityHeaders {
      #expect(answer[name] != nil, "\(name)", sourceLocation: sourceLocation)
    }
    try Shape.expectProblem(answer.body, status: status, sourceLocation: sourceLocation)
    #expect(client.isClosedByServer, sourceLocation: sourceLocation)
  }

  @Test func `an ordinary request is accepted`() throws {
    let answer = try server.get("/api/echo?text=hi", "User-Agent: a b", "X-Tab: a\tb")
    #expect(answer.status == 200)
    #expect(answer.text == "hi")
  }

  @Test(arguments: [
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 5",
    "Content-Length: 5\r\nContent-Length: 5",
    "Content-Length: 5\r\nContent-Length: 6",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: gzip",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked ",
    "Transfer-Encoding:\tchunked\t",
    "Transfer-Encoding: identity",
    "Transfer-Encoding : chunked",
    "Content-Type: a/b\r\nContent-Type: c/d",
  ])
  func `a body with ambiguous framing is refused`(fields: String) throws {
    try expectRefused(
      "POST /api/items HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n0\r\n\r\n")
  }

  @Test func `a chunked body is accepted`() throws {
    let answer = try server.exchange(
      "POST /api/items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ChunkED\r\n\r\n"
        + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    #expect(answer.status == 201)
    #expect(answer.text == "abcde")
  }

  @Test func `chunks are refused in HTTP 1_0`() throws {
    try expectRefused(
      "POST /api/items HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
  }

  @Test(arguments: [
    "", "Host: a\r\nHost: a\r\n", "Host: a\r\nHost: b\r\n", "Host: a b\r\n", "Host: a,b\r\n",
    "Host: a/b\r\n", "Host: a@b\r\n",
  ])
  func `a request must have exactly one Host field`(fields: String) throws {
    try expectRefused("GET /healthz HTTP/1.1\r\n\(fields)\r\n")
  }

  @Test(arguments: ["Host: a:8080\r\n", "Host: [::1]:8080\r\n", "Host: münchen\r\n"])
  func `a Host with invalid characters is refused`(field: String) throws {
    let answer = try server.exchange("GET /healthz HTTP/1.1\r\n\(field)\r\n")
    #expect(answer.status == (field.contains("ü") ? 400 : 200))
  }

  @Test func `HTTP 1_0 needs no Host`() throws {
    #expect(try server.exchange("GET /healthz HTTP/1.0\r\n\r\n").status == 200)
  }

  @Test(arguments: [
    "X-A: a\u{1}b", "X-A: a\u{7F}b", "X-A: a\rb", "X-A: a\u{0}b", "X-A: \u{0}", "X A: b",
    "X\u{1}: b",
    "X(A): b", ": b", "X-A: b\r\n folded", "X-A: b\r\n\tfolded", " X-A: b",
  ])
  func `a malformed header field is refused`(field: String) throws {
    try expectRefused("GET /healthz HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")
  }

  @Test(arguments: [
    "GET /healthz HTTP/1.1\nHost: a\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: b\nX-B: c\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\r\n\n",
    "GET /healthz HTTP/1.1\nHost: a\n\n",
  ])
  func `a line that ends in a bare LF is refused`(request: String) throws {
    try expectRefused(request)
  }

  @Test(arguments: [
    "GET  /healthz HTTP/1.1", "GET /healthz  HTTP/1.1", "GET /heal thz HTTP/1.1",
    "GET /healthz\u{0} HTTP/1.1", "G(T /healthz HTTP/1.1", "GET healthz HTTP/1.1",
    "GET ftp://a/healthz HTTP/1.1", "GET /healthz HTTP/1.2",
  ])
  func `a malformed request line is refused`(line: String) throws {
    try expectRefused("\(line)\r\nHost: a\r\n\r\n")
  }

  @Test(arguments: [
    "/api/%00", "/api/echo?text=%00", "/api/%", "/api/%2", "/api/%zz", "/api/../healthz",
    "/api/%2e%2e/healthz", "/..", "/.", "/api/./echo", "//healthz", "/api//echo",
    "/api/%2Fecho", "/api\\echo", "/api/%5Cecho", "/api/%0Aecho", "/api/%ff", "/healthz\u{7F}",
  ])
  func `an ambiguous path is refused`(target: String) throws {
    try expectRefused("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
  }

  @Test(arguments: [
    ("/api/items/a%20b", "a b"), ("/api/items/a..b", "a..b"), ("/api/items/%C3%BC", "ü"),
  ])
  func `a path is decoded once`(target: String, text: String) throws {
    #expect(try server.get(target).text == text)
    #expect(try server.get("/api/items/%2525").text == "%25")
  }

  @Test func `the target for the whole server is accepted with OPTIONS only`() throws {
    try expectRefused("GET * HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try server.exchange("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").status == 204)
  }

  @Test func `a target in absolute form is accepted`() throws {
    #expect(try server.get("http://localhost/healthz").text == "alive")
  }

  @Test func `a target of 32 KiB is accepted and one more byte is not`() throws {
    let longest = "/api/echo?text=" + String(repeating: "a", count: 32_768 - 15)
    #expect(try server.get(longest).status == 200)
    try expectRefused("GET \(longest)a HTTP/1.1\r\nHost: a\r\n\r\n", status: 414)
  }

  @Test func `a request header far too large gets a response, then the connection closes`() throws {
    let client = try server.client()
    client.send(
      "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: \(String(repeating: "a", count: 100_000))\r\n\r\n")
    #expect(client.receive()?.status == 431)
    #expect(client.isClosedByServer)
  }

  @Test func `256 query parameters are accepted, one more and 4000 are not`() throws {
    func query(_ count: Int) -> String {
      Array(repeating: "a", count: count).joined(separator: "&")
    }
    let maximum = try server.get("/healthz?\(query(256))")
    #expect(maximum.status == 200)
    try expectRefused("GET /healthz?\(query(257)) HTTP/1.1\r\nHost: a\r\n\r\n")
    try expectRefused("GET /healthz?\(query(600)) HTTP/1.1\r\nHost: a\r\n\r\n")
    try expectRefused("GET /healthz?\(query(4_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
  }

  @Test func `100 header fields are accepted and one more is not`() throws {
    func fields(_ count: Int) -> String {
      (1..<count).map { "X-\($0): a\r\n" }.joined()
    }
    let maximum = "GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields(100))\r\n"
    #expect(try server.exchange(maximum).status == 200)
    try expectRefused("GET /healthz HTTP/1.1\r\nHost: a\r\n\(fields(101))\r\n")
  }

  @Test(arguments: ["abc", "-1", "+5", "5 5", "0x5", "99999999999999999999999"])
  func `a length that is not a number never reaches a handler`(length: String) throws {
    let client = try server.client()
    client.send(
      "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\nhello")
    let text = String(decoding: client.readToEnd(), as: UTF8.self)
    // libmicrohttpd responds to these itself, with its own page.
    #expect(text.hasPrefix("HTTP/1.1 400") || text.hasPrefix("HTTP/1.1 413"))
    #expect(!text.contains("201"))
  }
}
