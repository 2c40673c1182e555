import Dispatch
import Locking
import TestClient
import Testing

@testable import WebServer

/// Responses sent later, from another thread.
@Suite struct DeferredTests {
  /// Holds replies until the test sends them.
  final class PendingReplies: Sendable {
    private let held = Locked<[Reply]>([])
    func add(_ reply: @escaping Reply) { held.withLock { $0.append(reply) } }
    var count: Int { held.withLock { $0.count } }
    func take() -> [Reply] {
      held.withLock { replies in
        defer { replies = [] }
        return replies
      }
    }
    func waits(for goal: Int) -> Bool {
      for _ in 0..<500 where count < goal { pause(.milliseconds(10)) }
      return count >= goal
    }
  }

  let pending = PendingReplies()
  let server: TestServer

  init() throws {
    let pending = pending
    server = try TestServer(routes: { router in
      router.addDeferred(.post, "/api/writes", bodyLimit: 1_000) { _, reply in pending.add(reply) }
      router.addDeferred(.get, "/at-once") { _, reply in reply(.success(.text("now"))) }
      router.addDeferred(.get, "/elsewhere") { _, reply in
        DispatchQueue.global().async { reply(.success(.text("from elsewhere"))) }
      }
    })
  }

  private let write = "POST /api/writes HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"

  @Test func `a reply within the handler is sent`() throws {
    let client = try server.client()
    for _ in 0..<50 {
      #expect(client.exchange("GET /at-once HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "now")
    }
  }

  @Test func `a reply from another thread is sent`() throws {
    let client = try server.client()
    for _ in 0..<50 {
      let answer = client.exchange("GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(answer?.text == "from elsewhere")
    }
  }

  @Test func `waiting requests do not delay other requests`() throws {
    let clients = try (0..<20).map { _ in try server.client() }
    for client in clients { client.send(write) }
    #expect(pending.waits(for: 20))
    #expect(try server.get("/healthz").text == "alive")
    for reply in pending.take() { reply(.success(.text("written", status: .created))) }
    for client in clients {
      let answer = client.receive()
      #expect(answer?.status == 201)
      #expect(answer?.text == "written")
    }
  }

  @Test func `a deferred error gets the same response as any other`() throws {
    let client = try server.client()
    client.send(write)
    #expect(pending.waits(for: 1))
    for reply in pending.take() { reply(.failure(Problem(.conflict, "It is there already."))) }
    let answer = try #require(client.receive())
    #expect(answer.status == 409)
    try Shape.expectProblem(answer.body, status: 409)
  }

  @Test func `only the first reply counts`() throws {
    let client = try server.client()
    client.send(write)
    #expect(pending.waits(for: 1))
    for reply in pending.take() {
      reply(.success(.text("first")))
      reply(.success(.text("second")))
    }
    #expect(client.receive()?.text == "first")
    #expect(client.exchange("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "alive")
  }

  @Test func `a client that has disconnected does no harm`() throws {
    do {
      let client = try server.client()
      client.send(write)
      #expect(pending.waits(for: 1))
    }
    for reply in pending.take() { reply(.success(.text("too late"))) }
    #expect(try server.get("/healthz").status == 200)
  }

  @Test func `a stop responds with 503 to requests that still wait`() throws {
    let client = try server.client()
    client.send(write)
    #expect(pending.waits(for: 1))
    server.server.stop(within: .milliseconds(100))
    let answer = try #require(client.receive())
    #expect(answer.status == 503)
    #expect(answer["Retry-After"] != nil)
    // A reply after the stop does no harm.
    for reply in pending.take() { reply(.success(.text("too late"))) }
  }

  @Test func `a router without a socket waits for the reply`() {
    var router = Router()
    router.addDeferred(.get, "/elsewhere") { _, reply in
      DispatchQueue.global().async { reply(.success(.text("from elsewhere"))) }
    }
    #expect(router.respond(to: Request(.get, "/elsewhere")).text == "from elsewhere")
  }
}
