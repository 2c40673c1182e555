import TestClient
import Testing

@testable import WebServer

/// Limits on connections, and the request log.
@Suite struct LimitTests {
  private let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test func `the number of connections of an address is limited`() throws {
    let server = try TestServer(configure: { $0.connectionsPerAddress = 5 })
    var clients = try (0..<5).map { _ in try server.client() }
    for client in clients { #expect(client.exchange(health)?.status == 200) }
    let sixth = try server.client()
    #expect(sixth.exchange(health) == nil)
    #expect(clients.first?.exchange(health)?.status == 200)
    clients.removeLast()
    while server.server.connectionCount > 4 { pause(.milliseconds(5)) }
    #expect(try server.client().exchange(health)?.status == 200)
  }

  @Test func `a trusted proxy may have any number of connections`() throws {
    let block = try #require(AddressBlock("127.0.0.0/8"))
    let server = try TestServer(configure: {
      $0.connectionsPerAddress = 2
      $0.trustedProxies = [block]
    })
    let clients = try (0..<6).map { _ in try server.client() }
    for client in clients { #expect(client.exchange(health)?.status == 200) }
  }

  @Test(arguments: [
    (true, "203.0.113.9", "203.0.113.9"),
    (true, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
    (true, "203.0.113.9, 127.0.0.2", "203.0.113.9"),
    (true, "nonsense", "127.0.0.1"),
    (true, "203.0.113.9, nonsense", "127.0.0.1"),
    (false, "203.0.113.9", "127.0.0.1"),
  ])
  func `the client address is accepted only from a trusted proxy`(
    trusted: Bool, field: String, expected: String
  ) throws {
    let block = try #require(AddressBlock("127.0.0.0/8"))
    let server = try TestServer(
      configure: { $0.trustedProxies = trusted ? [block] : [] },
      routes: { router in
        router.get("/me") {
          .text($0.clientAddress == ClientAddress(expected) ? "yes" : "no")
        }
      })
    #expect(try server.get("/me", "X-Forwarded-For: \(field)").text == "yes")
  }

  @Test func `an overloaded server sheds all requests except health checks`() throws {
    let server = try TestServer(configure: { $0.shedsFrom = 4 })
    let clients = try (0..<3).map { _ in try server.client() }
    let echo = "GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n"
    for client in clients { #expect(client.exchange(echo)?.status == 200) }
    let fourth = try server.client()
    #expect(fourth.exchange(health)?.status == 200)
    let shed = try #require(fourth.exchange(echo))
    #expect(shed.status == 503)
    #expect(shed["Retry-After"] == "10")
    try Shape.expectProblem(shed.body, status: 503)
  }

  @Test func `the log names the route and contains nothing about the client`() throws {
    let server = try TestServer()
    _ = try server.get("/api/items/secret?", "User-Agent: secret")
    _ = try server.get("/nowhere/secret")
    _ = try server.exchange("HEAD /api/tagged HTTP/1.1\r\nHost: a\r\n\r\n")
    for _ in 0..<500 where server.records.all.count < 3 { pause(.milliseconds(10)) }
    let records = server.records.all.sorted { ($0.route ?? "") < ($1.route ?? "") }
    try #require(records.count == 3)
    #expect(records.map(\.route) == [nil, "/api/items/{id}", "/api/tagged"])
    #expect(records.map(\.status) == [.notFound, .ok, .ok])
    #expect(records.map(\.method) == [.get, .get, .head])
    #expect(records[1].bytes == 6)
    #expect(records[2].bytes == 0)
    #expect(
      records.allSatisfy { $0.isComplete && $0.duration > .zero && $0.duration < .seconds(5) })
    #expect(!"\(records)".contains("secret"))
  }
}
