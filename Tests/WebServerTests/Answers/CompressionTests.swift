import Compression
import Testing

@testable import WebServer

@Suite struct AnswerCompressionTests {
  let router: Router
  static let text = String(repeating: "compress me ", count: 200)

  init() {
    var router = Router()
    router.get("/text") { _ in
      var response = Response.text(Self.text)
      response.etag = EntityTag("v1")
      response.headers["Vary"] = "Accept"
      return response
    }
    router.get("/picture") { _ in
      .bytes([UInt8](repeating: 1, count: 5_000), contentType: "image/png")
    }
    router.get("/refusing") { _ in
      var response = Response.text(Self.text)
      response.mayCompress = false
      return response
    }
    router.get("/tile") { _ in
      var response = Response.bytes(
        Gzip.compress(Array(Self.text.utf8)), contentType: "application/vnd.mapbox-vector-tile")
      response.headers["Content-Encoding"] = "gzip"
      response.etag = EntityTag("t1")
      return response
    }
    for size in [999, 1_000] {
      router.get("/\(size)") { _ in .text(String(repeating: "a", count: size)) }
    }
    self.router = router
  }

  private func get(_ path: String, _ accepted: String?) -> Response {
    var headers = Headers()
    if let accepted { headers["Accept-Encoding"] = accepted }
    return router.respond(to: Request(.get, path, headers: headers))
  }

  @Test(arguments: [
    ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.5", true), ("*", true),
    ("gzip;q=0.001", true), ("gzip;q=1, identity;q=0.5", true), ("identity;q=0, *;q=0.1", true),
    ("gzip;q=0", false), ("gzip;q=0.0", false), ("*;q=0", false), ("gzip;q=0, *", false),
    ("identity", false), ("br", false), ("", false), ("gzip;q=0.4, identity;q=0.5", false),
    ("gzip;q=2", false), ("gzip;q=abc", false), ("gzipped", false),
  ])
  func `the weights in Accept-Encoding apply`(field: String, isCompressed: Bool) throws {
    let answer = get("/text", field)
    #expect(answer.headers["Content-Encoding"] == (isCompressed ? "gzip" : nil))
    #expect(answer.headers["Vary"] == "Accept, Accept-Encoding")
    let bytes = try #require(answer.body.bytes)
    let plain = isCompressed ? try Gzip.decompress(bytes, limit: 100_000) : bytes
    #expect(plain == Array(Self.text.utf8))
    #expect(answer.headers["Content-Length"] == "\(bytes.count)")
  }

  @Test func `each encoding has a separate ETag, and both give a 304`() {
    #expect(get("/text", nil).headers["ETag"] == "\"v1\"")
    #expect(get("/text", "gzip").headers["ETag"] == "\"v1-gz\"")
    let again = router.respond(
      to: Request(
        .get, "/text", headers: ["Accept-Encoding": "gzip", "If-None-Match": "\"v1-gz\""]))
    #expect(again.status == .notModified)
    #expect(again.headers["ETag"] == "\"v1-gz\"")
  }

  @Test func `bodies of a thousand bytes are compressed and shorter ones are not`() {
    #expect(get("/1000", "gzip").headers["Content-Encoding"] == "gzip")
    #expect(get("/999", "gzip").headers["Content-Encoding"] == nil)
  }

  @Test func `a body that compression does not shrink stays uncompressed`() {
    #expect(get("/picture", "gzip").headers["Content-Encoding"] == nil)
    #expect(get("/picture", "gzip").headers["Vary"] == nil)
    #expect(get("/refusing", "gzip").headers["Content-Encoding"] == nil)
  }

  @Test func `a gzip body is sent as it is, or decompressed for other clients`() throws {
    let packed = get("/tile", "gzip")
    #expect(packed.headers["Content-Encoding"] == "gzip")
    #expect(packed.headers["ETag"] == "\"t1-gz\"")
    #expect(try Gzip.decompress(packed.body.bytes ?? [], limit: 100_000).count == 2_400)
    let plain = get("/tile", nil)
    #expect(plain.headers["Content-Encoding"] == nil)
    #expect(plain.headers["ETag"] == "\"t1\"")
    #expect(plain.text == Self.text)
    #expect(plain.headers["Vary"] == "Accept-Encoding")
    #expect(packed.headers["Vary"] == "Accept-Encoding")
  }

  @Test(arguments: [
    ("text/html; charset=utf-8", true), ("application/geo+json", true),
    ("application/problem+json", true), ("image/svg+xml", true), ("Application/JSON", true),
    ("application/vnd.oai.openapi+json;version=3.0", true), ("image/webp", false),
    ("application/octet-stream", false), ("font/woff2", false), ("", false),
  ])
  func `only compressible media types are compressed`(type: String, helps: Bool) {
    #expect(ContentCoding.isWorthwhile(type) == helps)
  }
}
