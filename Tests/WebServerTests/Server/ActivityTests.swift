import Foundation
import Locking
import Metrics
import TestClient
import Testing

@testable import WebServer

/// The server counts its connections, requests and bytes.
@Suite struct ActivityTests {
  private let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

  private func wait(_ condition: () -> Bool) {
    let deadline = ContinuousClock.now + .seconds(5)
    while !condition(), ContinuousClock.now < deadline { usleep(2_000) }
    #expect(condition())
  }

  @Test func `connections are counted as they open and close`() throws {
    let activity = ServerActivity()
    let server = try TestServer { $0.activity = activity }
    var clients = try (0..<3).map { _ in try server.client() }
    for client in clients { #expect(client.exchange(health)?.status == 200) }
    #expect(activity.openConnections.value == 3)
    clients.removeAll()
    wait { activity.openConnections.value == 0 }
    #expect(activity.connections.value == 3)
    #expect(activity.refusedConnections.value == 0)
  }

  @Test func `a connection over the limit of its address is counted as refused`() throws {
    let activity = ServerActivity()
    let server = try TestServer {
      $0.activity = activity
      $0.connectionsPerAddress = 1
    }
    let first = try server.client()
    #expect(first.exchange(health)?.status == 200)
    let second = try server.client()
    #expect(second.exchange(health) == nil)
    #expect(activity.refusedConnections.value == 1)
  }

  @Test func `a shed request is counted, and a health check is not`() throws {
    let activity = ServerActivity()
    let server = try TestServer {
      $0.activity = activity
      $0.shedsFrom = 1
    }
    #expect(activity.shedsFrom.value == 1)
    #expect(try server.get("/api/echo").status == 503)
    #expect(try server.get("/healthz").status == 200)
    #expect(activity.shedRequests.value == 1)
  }

  @Test func `an observer receives requests that are not logged`() throws {
    let reported = Locked<[String?]>([])
    let server = try TestServer {
      $0.logsRequests = false
      $0.observer = { record in reported.withLock { $0.append(record.route) } }
    }
    #expect(try server.get("/api/items/7").status == 200)
    #expect(try server.get("/nowhere").status == 404)
    wait { reported.withLock { $0.count } == 2 }
    // Records follow the responses, so records of two connections have no order.
    #expect(Set(reported.withLock { $0 }) == ["/api/items/{id}", nil])
    #expect(server.records.all.isEmpty)
  }

  @Test func `bytes are those of bodies that were sent`() throws {
    let activity = ServerActivity()
    let server = try TestServer { $0.activity = activity }
    #expect(try server.get("/api/echo?text=twelve+bytes").text.utf8.count == 12)
    #expect(
      try server.exchange("HEAD /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").status
        == 200)
    wait { activity.requests.value == 0 && activity.sentBytes.value >= 12 }
    #expect(activity.sentBytes.value == 12)
  }

  @Test func `a long download above the limit is counted`() throws {
    let activity = ServerActivity()
    let server = try TestServer(
      configure: {
        $0.activity = activity
        $0.streams = 0
      },
      routes: { router in
        router.get("/api/long") { _ in .stream(contentType: "text/plain") { try $0.write("a") } }
      })
    #expect(try server.get("/api/long").status == 503)
    #expect(activity.refusedStreams.value == 1)
    #expect(activity.streams.value == 0)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
    ("126.0.0.1", false), ("128.0.0.1", false), ("::2", false), ("::", false), ("10.0.0.1", false),
    ("fe80::1", false), ("1::1", false),
  ])
  func `only addresses of this machine count as loopback`(text: String, isLoopback: Bool) throws {
    #expect(try #require(ClientAddress(text)).isLoopback == isLoopback)
    #expect(!ClientAddress.unknown.isLoopback)
  }
}
