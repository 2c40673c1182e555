import Dispatch
import Locking
import TestClient
import Testing

@testable import WebServer

/// Handlers that are too costly for the threads that serve sockets run once more, elsewhere.
@Suite struct RelayTests {
  /// Runs requests when the test says so.
  private final class PendingReplies: Sendable {
    private let held = Locked<[(request: Request, run: @Sendable () -> Void, reply: Reply)]>([])

    func add(_ request: Request, _ run: @escaping @Sendable () -> Void, _ reply: @escaping Reply) {
      held.withLock { $0.append((request, run, reply)) }
    }

    /// The first request, as soon as there is one.
    func take() throws -> (request: Request, run: @Sendable () -> Void, reply: Reply) {
      for _ in 0..<500 where held.withLock({ $0.isEmpty }) { pause(.milliseconds(10)) }
      return try #require(held.withLock { $0.isEmpty ? nil : $0.removeFirst() })
    }
  }

  private let pending = PendingReplies()
  private let server: TestServer
  /// How often the handlers began.
  private let begun = Counting()

  private final class Counting: Sendable {
    private let value = Locked(0)
    func add() { value.withLock { $0 += 1 } }
    var count: Int { value.withLock { $0 } }
  }

  init() throws {
    let (pending, begun) = (pending, begun)
    server = try TestServer(routes: { router in
      router.relay = { pending.add($0, $1, $2) }
      router.get("/costly") { _ in
        begun.add()
        try SocketThread.leave()
        return .text("after a while")
      }
      router.get("/quick") { _ in .text("\(SocketThread.isCurrent)") }
      router.addDeferred(.post, "/later") { _, reply in
        begun.add()
        reply(
          Result {
            try SocketThread.leave()
            return .text("later")
          })
      }
    })
  }

  @Test func `a quick handler runs on the thread of its connection, with the mark`() throws {
    #expect(try server.get("/quick").text == "true")
    #expect(!SocketThread.isCurrent)
  }

  @Test(arguments: ["GET /costly", "POST /later"])
  func `a costly handler runs once more elsewhere, without delaying others`(target: String) throws {
    let client = try server.client()
    client.send("\(target) HTTP/1.1\r\nHost: a\r\n\r\n")
    let held = try pending.take()
    #expect(begun.count == 1)
    for _ in 0..<20 { #expect(try server.get("/quick").status == 200) }
    DispatchQueue.global().async(execute: held.run)
    #expect(client.receive()?.status == 200)
    #expect(begun.count == 2)
    // The connection still works.
    #expect(client.exchange("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "true")
  }

  @Test func `a refusal of the relay is the response`() throws {
    let client = try server.client()
    client.send("GET /costly HTTP/1.1\r\nHost: a\r\n\r\n")
    try pending.take().reply(
      .failure(Problem(.tooManyRequests, "Later.", headers: ["Retry-After": "7"])))
    let answer = client.receive()
    #expect(answer?.status == 429)
    #expect(answer?["Retry-After"] == "7")
  }

  @Test func `a client that has closed its connection is known to be gone`() throws {
    let (gone, here) = (try server.client(), try server.client())
    here.send("GET /costly HTTP/1.1\r\nHost: a\r\n\r\n")
    let first = try pending.take()
    gone.send("GET /costly HTTP/1.1\r\nHost: a\r\n\r\nGET /quick")
    let second = try pending.take()
    gone.finishSending()
    for _ in 0..<500 where !second.request.isAbandoned { pause(.milliseconds(10)) }
    #expect(second.request.isAbandoned)
    #expect(!first.request.isAbandoned)
    first.run()
    second.run()
    #expect(here.receive()?.status == 200)
  }

  @Test func `without a relay every handler runs at once`() throws {
    let server = try TestServer(routes: { router in
      router.get("/costly") { _ in
        try SocketThread.leave()
        return .text("at once")
      }
    })
    #expect(try server.get("/costly").text == "at once")
  }

  @Test func `a request without a socket is relayed too`() throws {
    var router = Router()
    router.relay = { _, run, _ in DispatchQueue.global().async(execute: run) }
    router.get("/costly") { _ in
      try SocketThread.leave()
      return .text("elsewhere")
    }
    #expect(router.respond(to: Request(.get, "/costly")).status == .ok)
    #expect(!SocketThread.isCurrent)
  }
}
