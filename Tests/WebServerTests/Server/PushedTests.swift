import TestClient
import Testing

@testable import WebServer

/// Bodies whose pieces other threads push.
@Suite struct PushedTests {
  @Test func `pieces arrive when they are pushed`() throws {
    let (server, body) = try Self.server()
    let client = try Self.listen(to: server)
    #expect(body.push(Array("first".utf8)))
    #expect(client.receive(until: "first"))
    #expect(body.push(Array("second".utf8)))
    #expect(client.receive(until: "second"))
    body.finish()
    #expect(client.receive(until: "0\r\n\r\n"))
  }

  @Test func `pieces pushed before the answer is sent arrive`() throws {
    let (server, body) = try Self.server()
    #expect(body.push(Array("early".utf8)))
    #expect(try Self.listen(to: server).receive(until: "early"))
  }

  @Test func `a client that does not read is disconnected`() throws {
    let (server, body) = try Self.server(capacity: 100_000)
    let client = try Self.listen(to: server, receiveBuffer: 4_096)
    #expect(body.push(Array("first".utf8)))
    #expect(client.receive(until: "first"))
    let piece = [UInt8](repeating: 65, count: 50_000)
    var pushed = 0
    while body.push(piece), pushed < 1_000 {
      pushed += 1
      pause(.milliseconds(2))
    }
    #expect(pushed < 1_000)
    #expect(!body.isOpen)
    #expect(server.hasNoConnection(within: .seconds(10)))
  }

  @Test func `a client that has stopped reading is disconnected though little is written`() throws {
    let (server, body) = try Self.server { $0.pushedTimeout = .seconds(2) }
    let client = try Self.listen(to: server, receiveBuffer: 4_096)
    #expect(body.push(Array("first".utf8)))
    #expect(client.receive(until: "first"))
    // 200 bytes each 20 ms fill the room of the client in about a second, and never the capacity of the body.
    let piece = [UInt8](repeating: 65, count: 200)
    let start = ContinuousClock.now
    while body.push(piece), start.duration(to: .now) < .seconds(20) { pause(.milliseconds(20)) }
    #expect(!body.isOpen)
    #expect(server.hasNoConnection(within: .seconds(1)))
  }

  @Test func `a client that reads slowly stays`() throws {
    let (server, body) = try Self.server { $0.pushedTimeout = .seconds(3) }
    let client = try Self.listen(to: server, receiveBuffer: 4_096)
    let whole = 240_000
    #expect(body.push([UInt8](repeating: 65, count: whole)))
    var received = 0
    let start = ContinuousClock.now
    while received < whole {
      let piece = client.read(2_000)
      guard !piece.isEmpty else { break }
      received += piece.count
      pause(.milliseconds(50))
    }
    #expect(received >= whole)
    #expect(start.duration(to: .now) > .seconds(5))
    #expect(body.push(Array("last".utf8)))
    #expect(client.receive(until: "last"))
  }

  @Test func `a piece may fill the capacity and not exceed it`() {
    let body = PushedBody(capacity: 10)
    #expect(body.push([UInt8](repeating: 65, count: 10)))
    #expect(!body.push([65]))
    #expect(!body.isOpen)
  }

  @Test func `a client that has gone is noticed with the next pieces`() throws {
    let (server, body) = try Self.server()
    var client: RawClient? = try Self.listen(to: server)
    #expect(body.push(Array("first".utf8)))
    #expect(client?.receive(until: "first") == true)
    client = nil
    var isOpen = true
    for _ in 0..<1_000 where isOpen {
      isOpen = body.push(Array("more".utf8))
      pause(.milliseconds(5))
    }
    #expect(!isOpen)
    #expect(server.hasNoConnection(within: .seconds(10)))
  }

  @Test func `a stop ends the bodies and does not wait for its grace period`() throws {
    let (server, body) = try Self.server()
    let client = try Self.listen(to: server)
    #expect(body.push(Array("first".utf8)))
    #expect(client.receive(until: "first"))
    let start = ContinuousClock.now
    server.server.stop(within: .seconds(30))
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(!body.push(Array("late".utf8)))
  }

  @Test func `HEAD has the headers and no body`() throws {
    let (server, body) = try Self.server()
    let client = try server.client()
    let answer = client.exchange("HEAD /pushed HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer?.status == 200)
    #expect(answer?["Content-Type"] == "text/event-stream")
    #expect(client.readToEnd().isEmpty)
    #expect(body.isOpen)
  }

  private static func server(
    capacity: Int = 262_144, configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> (TestServer, PushedBody) {
    let body = PushedBody(capacity: capacity)
    let server = try TestServer(
      configure: configure,
      routes: { router in
        router.get("/pushed") { _ in
          Response(headers: ["Content-Type": "text/event-stream"], body: .pushed(body))
        }
      })
    return (server, body)
  }

  private static func listen(
    to server: TestServer, receiveBuffer: Int32? = nil
  ) throws -> RawClient {
    let client = try server.client(receiveBuffer: receiveBuffer)
    client.send("GET /pushed HTTP/1.1\r\nHost: a\r\n\r\n")
    return client
  }
}

extension RawClient {
  /// Reads until the bytes contain `text`; false if the server closes the connection before.
  fileprivate func receive(until text: String) -> Bool {
    var received: [UInt8] = []
    while !String(decoding: received, as: UTF8.self).contains(text) {
      let piece = read()
      guard !piece.isEmpty else { return false }
      received += piece
    }
    return true
  }
}

extension TestServer {
  fileprivate func hasNoConnection(within time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while server.connectionCount > 0, ContinuousClock.now < end { pause(.milliseconds(10)) }
    return server.connectionCount == 0
  }
}
