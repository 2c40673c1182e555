import Locking
import Logging
import TestClient
import Testing

@testable import WebServer

/// A server on a free port of 127.0.0.1, with a few routes; it stops when the value is released.
final class TestServer: Sendable {
  let server: Server
  let records: Records

  /// The finished requests, as the request log sees them.
  final class Records: Sendable {
    private let held = Locked<[AccessRecord]>([])
    func add(_ record: AccessRecord) { held.withLock { $0.append(record) } }
    var all: [AccessRecord] { held.withLock { $0 } }
  }

  init(
    configure: (inout ServerConfiguration) -> Void = { _ in },
    routes: (inout Router) -> Void = { _ in }
  ) throws {
    let records = Records()
    var configuration = ServerConfiguration(port: 0)
    configuration.accessLog = { records.add($0) }
    configure(&configuration)
    var router = Router()
    Self.addCommonRoutes(to: &router)
    routes(&router)
    self.records = records
    server = try Server(
      configuration: configuration, router: router,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  deinit { server.stop(within: .zero) }

  private static func addCommonRoutes(to router: inout Router) {
    router.get("/healthz") { _ in .text("alive") }
    router.get("/api/echo", query: ["text"]) { .text($0.query["text"] ?? "nothing") }
    router.get("/api/items/{id}") { .text($0.parameter("id")) }
    router.get("/api/tagged") { _ in
      var response = Response.text(String(repeating: "tagged ", count: 300))
      response.etag = EntityTag("version1")
      response.acceptsRanges = true
      return response
    }
    router.add(.post, "/api/items", bodyLimit: 1_000) {
      .bytes($0.body, contentType: "application/octet-stream", status: .created)
    }
  }

  func client(receiveBuffer: Int32? = nil) throws -> RawClient {
    try RawClient(port: server.port, receiveBuffer: receiveBuffer)
  }

  /// One request on a new connection.
  func exchange(_ text: String) throws -> RawAnswer {
    let client = try client()
    return try #require(client.exchange(text))
  }

  /// A GET with the usual headers.
  func get(_ target: String, _ headers: String...) throws -> RawAnswer {
    try exchange(
      (["GET \(target) HTTP/1.1", "Host: localhost"] + headers).joined(separator: "\r\n")
        + "\r\n\r\n")
  }
}
