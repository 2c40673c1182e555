import Compression
import Synchronization
import TestClient
import Testing

@testable import WebServer

/// Bodies that are produced while they are sent.
@Suite struct StreamingTests {
  @Test func `a stream arrives complete, in chunks`() throws {
    let server = try TestServer(routes: Self.addCount)
    let answer = try server.get("/count")
    #expect(answer["Transfer-Encoding"] == "chunked")
    #expect(answer["Content-Length"] == nil)
    #expect(answer.text == Self.counted)
  }

  @Test func `a stream is compressed for clients that accept it`() throws {
    let server = try TestServer(routes: Self.addCount)
    let answer = try server.get("/count", "Accept-Encoding: gzip")
    #expect(answer["Content-Encoding"] == "gzip")
    #expect(try Gzip.decompress(answer.body, limit: 10_000_000) == Array(Self.counted.utf8))
  }

  @Test func `HEAD of a stream does not run the writer`() throws {
    let server = try TestServer(routes: { router in
      router.get("/never") { _ in
        .stream(contentType: "text/plain") { _ in
          Issue.record("a stream was written for HEAD")
        }
      }
    })
    let client = try server.client()
    let answer = client.exchange("HEAD /never HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer?.status == 200)
    #expect(client.readToEnd().isEmpty)
  }

  @Test func `HTTP 1_0 gets a stream that ends with the connection`() throws {
    let server = try TestServer(routes: Self.addCount)
    let answer = try server.exchange("GET /count HTTP/1.0\r\n\r\n")
    #expect(answer["Transfer-Encoding"] == nil)
    #expect(answer.text == Self.counted)
  }

  @Test func `a pulled body arrives complete`() throws {
    let server = try TestServer(routes: { router in
      router.get("/pulled") { _ in
        let given = Progress()
        return Response(
          headers: ["Content-Type": "text/plain"],
          body: .pull {
            given.add(1)
            return given.value <= 50 ? [UInt8](repeating: 65, count: 1_000) : nil
          })
      }
    })
    let answer = try server.get("/pulled")
    #expect(answer.body.count == 50 * 1_000)
    #expect(answer["Transfer-Encoding"] == "chunked")
  }

  @Test func `a writer waits for a slow reader`() throws {
    let written = Progress()
    let server = try TestServer(routes: { router in
      router.get("/big") { _ in
        .stream(contentType: "application/octet-stream") { writer in
          for _ in 0..<640 {
            try writer.write([UInt8](repeating: 0, count: 65_536))
            written.add(65_536)
          }
        }
      }
    })
    let client = try server.client(receiveBuffer: 16_384)
    client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
    pause(.milliseconds(800))
    let ahead = written.value
    pause(.milliseconds(300))
    // Socket buffers and the pipe hold several megabytes at most; then the writer blocks.
    #expect(written.value == ahead)
    #expect(ahead < 20_000_000)
    #expect(client.receive()?.body.count == 640 * 65_536)
  }

  @Test func `a writer past its waiting limit buffers the rest in a file, and all arrives`() throws
  {
    let written = Progress()
    let server = try TestServer(routes: { router in
      router.get("/big") { _ in
        .stream(contentType: "application/octet-stream") { writer in
          writer.putAside(after: .milliseconds(300))
          for number in 0..<640 {
            try writer.write([UInt8](repeating: UInt8(number & 0xFF), count: 65_536))
            written.add(65_536)
          }
        }
      }
    })
    let client = try server.client(receiveBuffer: 16_384)
    client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
    waitUntil { written.value == 640 * 65_536 }
    #expect(written.value == 640 * 65_536)
    let body = try #require(client.receive()?.body)
    #expect(body.count == 640 * 65_536)
    #expect((0..<640).allSatisfy { body[$0 * 65_536] == UInt8($0 & 0xFF) })
  }

  @Test func `without disk space for the buffer a body is cut off, not ended`() throws {
    let ended = Progress()
    let server = try TestServer(
      configure: { $0.asideBytes = 1_000_000 },
      routes: { router in
        router.get("/big") { _ in
          .stream(contentType: "application/octet-stream") { writer in
            defer { ended.add(1) }
            writer.putAside(after: .milliseconds(100))
            for _ in 0..<640 { try writer.write([UInt8](repeating: 0, count: 65_536)) }
          }
        }
      })
    let client = try server.client(receiveBuffer: 16_384)
    client.send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
    waitUntil { ended.value == 1 }
    #expect(ended.value == 1)
    // The last chunk of a complete body has length 0; here it never arrives.
    #expect(client.receive()?.body == nil)
  }

  @Test func `a pulled body of a known length has Content-Length`() throws {
    let server = try TestServer(routes: { router in
      router.get("/file") { _ in
        let given = Progress()
        return Response(
          headers: ["Content-Type": "application/octet-stream"],
          body: .pull(
            {
              given.add(1)
              return given.value <= 3 ? [UInt8](repeating: 65, count: 10) : nil
            }, length: 30))
      }
    })
    let answer = try server.get("/file")
    #expect(answer["Content-Length"] == "30")
    #expect(answer.body.count == 30)
  }

  @Test func `a writer gets an error when the reader has disconnected`() throws {
    let ended = Progress()
    let server = try TestServer(routes: { router in
      router.get("/endless") { _ in
        .stream(contentType: "application/octet-stream") { writer in
          defer { ended.add(1) }
          while true { try writer.write([UInt8](repeating: 0, count: 65_536)) }
        }
      }
    })
    do {
      let client = try server.client()
      client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
      _ = client.read()
    }
    #expect(ended.reaches(1, within: .seconds(10)))
    #expect(try server.get("/healthz").status == 200)
  }

  @Test func `a stream that fails is cut off, not ended`() throws {
    struct Broken: Error {}
    let server = try TestServer(routes: { router in
      router.get("/broken") { _ in
        .stream(contentType: "text/plain") { writer in
          try writer.write("half")
          try writer.flush()
          throw Broken()
        }
      }
    })
    let client = try server.client()
    client.send("GET /broken HTTP/1.1\r\nHost: a\r\n\r\n")
    let text = String(decoding: client.readToEnd(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(!text.hasSuffix("0\r\n\r\n"))
  }

  @Test func `the number of concurrent streams is limited`() throws {
    let server = try TestServer(
      configure: { $0.streams = 2 },
      routes: { router in
        router.get("/endless") { _ in
          .stream(contentType: "application/octet-stream") { writer in
            while true { try writer.write([UInt8](repeating: 0, count: 65_536)) }
          }
        }
      })
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients {
      client.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(!client.read(100).isEmpty)
    }
    let refused = try server.get("/endless")
    #expect(refused.status == 503)
    #expect(refused["Retry-After"] != nil)
    try Shape.expectProblem(refused.body, status: 503)
  }

  private static func addCount(to router: inout Router) {
    router.get("/count") { _ in
      .stream(contentType: "text/plain") { writer in
        for number in 0..<50_000 { try writer.write("\(number)\n") }
      }
    }
  }

  private static let counted = (0..<50_000).map { "\($0)\n" }.joined()
}

/// A number that threads increment and tests wait for.
final class Progress: Sendable {
  private let count = Atomic<Int>(0)

  func add(_ amount: Int) { count.add(amount, ordering: .relaxed) }

  var value: Int { count.load(ordering: .relaxed) }

  func reaches(_ goal: Int, within time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    while value < goal, ContinuousClock.now < end { pause(.milliseconds(10)) }
    return value >= goal
  }
}
