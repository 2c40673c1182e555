import Dispatch
import Logging
import TestClient
import Testing

@testable import WebServer

/// Starting and stopping.
@Suite struct StopTests {
  @Test func `a request in progress is finished before the stop`() throws {
    let started = Progress()
    let server = try TestServer(routes: { router in
      router.get("/slow") { _ in
        started.add(1)
        pause(.milliseconds(500))
        return .text("done")
      }
    })
    let client = try server.client()
    client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(started.reaches(1, within: .seconds(5)))
    server.server.stop(within: .seconds(10))
    #expect(client.receive()?.text == "done")
    #expect(client.isClosedByServer)
  }

  @Test func `a stop does not wait for idle connections`() throws {
    let server = try TestServer()
    let client = try server.client()
    #expect(client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
    let start = ContinuousClock.now
    server.server.stop(within: .seconds(10))
    #expect(start.duration(to: .now) < .seconds(5))
    #expect(client.isClosedByServer)
  }

  @Test func `a stop waits no longer than its grace period`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
    while server.server.requestCount == 0 { pause(.milliseconds(5)) }
    let start = ContinuousClock.now
    server.server.stop(within: .milliseconds(300))
    let lasted = start.duration(to: .now)
    #expect(lasted >= .milliseconds(300))
    #expect(lasted < .seconds(5))
  }

  @Test func `new connections are refused during a stop`() throws {
    let pending = DeferredTests.PendingReplies()
    let server = try TestServer(
      configure: { configuration in
        // On a busy machine the test may return to the idle connection after a long time.
        configuration.headTime = .seconds(300)
        configuration.idleSeconds = 300
      },
      // A deferred response occupies no thread, which the idle connection may share.
      routes: { $0.addDeferred(.get, "/slow") { _, reply in pending.add(reply) } })
    let client = try server.client()
    let idle = try server.client()
    #expect(idle.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
    client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(pending.waits(for: 1))
    let stopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.server.stop(within: .seconds(120))
      stopped.signal()
    }
    let start = ContinuousClock.now
    while (try? server.client()) != nil, start.duration(to: .now) < .seconds(60) {
      pause(.milliseconds(5))
    }
    #expect(throws: RawClient.ConnectFailure.self) { try server.client() }
    let refused = idle.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(refused?.status == 503)
    #expect(refused?["Connection"] == "close")
    for reply in pending.take() { reply(.success(.text("done"))) }
    #expect(client.receive()?.text == "done")
    stopped.wait()
  }

  @Test func `a stop cuts an endless stream`() throws {
    let ended = Progress()
    let server = try TestServer(routes: { router in
      router.get("/trickle") { _ in
        .stream(contentType: "text/plain") { writer in
          defer { ended.add(1) }
          while true {
            try writer.write("x")
            try writer.flush()
            pause(.milliseconds(20))
          }
        }
      }
    })
    let client = try server.client()
    client.send("GET /trickle HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(!client.read(50).isEmpty)
    server.server.stop(within: .milliseconds(200))
    #expect(ended.reaches(1, within: .seconds(5)))
  }

  @Test func `stopping twice has the same effect as stopping once`() throws {
    let server = try TestServer()
    server.server.stop(within: .zero)
    server.server.stop(within: .zero)
  }

  @Test func `the error for a port in use is a sentence`() throws {
    let server = try TestServer()
    let port = server.server.port
    let error = #expect(throws: ServerError.self) {
      try Server(
        configuration: ServerConfiguration(port: port), router: Router(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
    #expect(error == .addressInUse(host: "127.0.0.1", port: port))
    #expect(error?.description.contains("\(port)") == true)
  }

  @Test(arguments: ["192.0.2.1", "no such host", "256.1.1.1"])
  func `the error for an address of another machine is a sentence`(host: String) {
    #expect(throws: ServerError.unknownHost(host)) {
      try Server(
        configuration: ServerConfiguration(host: host, port: 0), router: Router(),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }
  }

  @Test func `the server listens on IPv6 too`() throws {
    let server = try TestServer(configure: { $0.host = "::1" })
    #expect(server.server.port > 0)
  }
}
