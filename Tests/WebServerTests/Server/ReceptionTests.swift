import Glibc
import TestClient
import Testing

@testable import WebServer

/// Long bodies are accepted or refused by their request header, and may be stored in files.
@Suite struct ReceptionTests {
  private func make(limit: Int = 4 << 20, bodyTime: Duration? = nil) throws -> TestServer {
    try TestServer(
      configure: { $0.bodyTime = .seconds(1) },
      routes: { router in
        let reception = Reception(storesBody: true, bodyTime: bodyTime) { request in
          guard request.headers["Authorization"] == "Bearer me" else {
            throw Problem(.unauthorized, "Sign in first.")
          }
          guard request.parameter("id") != "gone" else { throw Problem(.gone, "It is gone.") }
        }
        router.addDeferred(.post, "/files/{id}", bodyLimit: limit, reception: reception) {
          request, reply in
          let bytes = request.bytes
          let sum = bytes[0..<bytes.count].reduce(0) { ($0 &* 31) &+ Int($1) }
          reply(
            .success(.text("\(bytes.count) \(request.body.count) \(sum) \(request.bytes[1..<3])")))
        }
      })
  }

  private func head(
    _ id: String = "a", length: Int, as who: String = "Bearer me"
  ) -> String {
    """
    POST /files/\(id) HTTP/1.1\r
    Host: localhost\r
    Authorization: \(who)\r
    Content-Length: \(length)\r
    \r

    """
  }

  @Test func `a body is stored in a file and read whole and in parts`() throws {
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    client.send(head(length: body.count))
    client.send(body)
    let sum = body.reduce(0) { ($0 &* 31) &+ Int($1) }
    #expect(client.receive()?.text == "3000000 0 \(sum) [7, 14]")
  }

  @Test func `an empty body needs no file`() throws {
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    #expect(client.exchange(head(length: 0))?.text == "0 0 0 []")
  }

  @Test(arguments: [("a", "Bearer other", 401), ("gone", "Bearer me", 410)])
  func `a client without permission is refused before it sends the body`(
    id: String, who: String, status: Int
  ) throws {
    let server = try make()
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    // Nothing of the body is sent: the response arrives nevertheless.
    client.send(head(id, length: 3_000_000, as: who))
    let answer = try #require(client.receive())
    #expect(answer.status == status)
    #expect(answer["Connection"] == "close")
  }

  @Test func `the size limit applies to files too`() throws {
    let server = try make(limit: 1_000)
    defer { withExtendedLifetime(server) {} }
    let client = try server.client()
    client.send(head(length: 1_001))
    client.send([UInt8](repeating: 1, count: 1_001))
    #expect(client.receive()?.status == 413)
    let whole = try server.client()
    whole.send(head(length: 1_000))
    whole.send([UInt8](repeating: 1, count: 1_000))
    #expect(whole.receive()?.status == 200)
  }

  @Test func `a route may allow its bodies more time`() throws {
    for (time, isAnswered) in [(Duration?.none, false), (.seconds(20), true)] {
      let server = try make(bodyTime: time)
      defer { withExtendedLifetime(server) {} }
      let client = try server.client()
      client.send(head(length: 2))
      pause(.milliseconds(2_500))
      client.send("ab")
      #expect((client.receive()?.status == 200) == isAnswered)
    }
  }

  @Test func `no file is left behind`() throws {
    func files() -> [String] {
      var found: [String] = []
      guard let folder = opendir("/tmp") else { return [] }
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name.hasPrefix("farol-body-") { found.append(name) }
      }
      closedir(folder)
      return found
    }
    let body = try #require(StoredBody())
    #expect([UInt8](repeating: 5, count: 10).withUnsafeBytes { body.append($0) })
    // Another server on this machine may just have made one, which has a name for a moment.
    for _ in 0..<100 where !files().isEmpty { pause(.milliseconds(20)) }
    #expect(files().isEmpty)
    #expect(body.bytes(8..<20) == [5, 5])
    #expect(body.bytes(10..<20).isEmpty)
  }
}
