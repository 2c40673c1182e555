import Foundation
import Locking
import TestClient
import Testing

@testable import WebServer

/// Clients that finish sending (FIN): complete requests get a response, and no connection stays
/// open for an incomplete request.
@Suite struct HangupTests {
  private static let health = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let echo = "GET /api/echo HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Long before the ten-second limit of a request header, with time for a busy machine.
  private static let promptly = Duration.seconds(4)

  @Test(arguments: [
    "G", "\r\n", "GET /healthz HTTP/1.1\r\nHost:", "\u{16}\u{3}\u{1}\u{2}",
    "POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
    "POST /api/items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nha",
    health, echo, echo + "GET", echo + echo,
  ])
  func `a connection closes when bytes and FIN arrive together`(text: String) throws {
    let server = try TestServer()
    let started = ContinuousClock.now
    let clients = try (0..<20).map { _ in
      let client = try server.client()
      client.send(text)
      client.finishSending()
      return client
    }
    let complete =
      text.components(separatedBy: "GET /").count - 1 - (text.hasSuffix("Host:") ? 1 : 0)
    for client in clients {
      for _ in 0..<(text.hasPrefix("GET /") ? complete : 0) {
        #expect(client.receive()?.status == 200)
      }
      #expect(client.readToEnd().isEmpty)
    }
    #expect(started.duration(to: .now) < Self.promptly)
    while server.server.connectionCount > 0 { pause(.milliseconds(5)) }
  }

  @Test func `a connection closes when FIN arrives with a later request`() throws {
    let server = try TestServer()
    let client = try server.client()
    for _ in 0..<3 { #expect(client.exchange(Self.echo)?.status == 200) }
    let started = ContinuousClock.now
    client.send(Self.echo)
    client.finishSending()
    #expect(client.receive()?.status == 200)
    #expect(client.isClosedByServer)
    #expect(started.duration(to: .now) < Self.promptly)
  }

  @Test func `a late or slow response reaches a client that has sent FIN`()
    throws
  {
    let server = try TestServer(routes: { router in
      router.addDeferred(.get, "/later") { _, reply in
        Thread.detachNewThread {
          pause(.milliseconds(300))
          reply(.success(.text("later")))
        }
      }
      router.get("/slow") { _ in
        pause(.milliseconds(300))
        return .text("slow")
      }
      router.get("/long") { _ in
        .stream(contentType: "text/plain") { writer in
          for _ in 0..<20 {
            try writer.write(String(repeating: "x", count: 100_000))
            pause(.milliseconds(10))
          }
        }
      }
    })
    for (path, length) in [("later", 5), ("slow", 4), ("long", 2_000_000)] {
      let client = try server.client()
      client.send("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n" + Self.echo)
      client.finishSending()
      #expect(client.receive()?.body.count == length, "\(path)")
      #expect(client.receive()?.text == "nothing")
      #expect(client.isClosedByServer)
    }
  }

  @Test func `a long body followed by FIN arrives complete`() throws {
    let server = try TestServer()
    let client = try server.client()
    let body = String(repeating: "b", count: 1_000)
    client.send("POST /api/items HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + body)
    client.finishSending()
    #expect(client.receive()?.text == body)
    #expect(client.isClosedByServer)
  }

  @Test func `a few connections serve hundreds of clients that send a byte and close`() throws {
    let server = try TestServer(configure: { $0.connections = 8 })
    let started = ContinuousClock.now
    let clients = try (0..<400).map { _ in
      let client = try server.client()
      client.send("G")
      client.finishSending()
      return client
    }
    #expect(try server.get("/healthz").status == 200)
    #expect(started.duration(to: .now) < Self.promptly)
    withExtendedLifetime(clients) {}
  }

  @Test func `with TLS a connection closes after FIN too`() throws {
    let certificate = try TestCertificate()
    let server = try TestServer(configure: { $0.certificate = certificate.files })
    let started = ContinuousClock.now
    for text in ["\u{16}\u{3}\u{1}\u{2}\u{0}", "\u{16}", "GET / HTTP/1.1\r\n\r\n"] {
      let clients = try (0..<10).map { _ in
        let client = try server.client()
        client.send(text)
        client.finishSending()
        return client
      }
      for client in clients { _ = client.readToEnd() }
    }
    #expect(started.duration(to: .now) < Self.promptly)
    while server.server.connectionCount > 0 { pause(.milliseconds(5)) }
  }
}
