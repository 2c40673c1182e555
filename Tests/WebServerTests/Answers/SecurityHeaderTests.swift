import Testing

@testable import WebServer

@Suite struct SecurityHeaderTests {
  let router: Router

  init() {
    var router = Router()
    router.get("/") { _ in .html("<!doctype html>") }
    router.get("/worker.js") { _ in
      .file(StaticFile(Array("x".utf8), mediaType: MediaType.of("worker.js")))
    }
    router.get("/api/open") { _ in
      var response = Response.json(Array("{}".utf8))
      response.etag = EntityTag("1")
      return response
    }
    router.get("/api/session", isPublic: false) { _ in .json(Array("{}".utf8)) }
    router.add(.post, "/api/open", bodyLimit: 1) { _ in .noContent }
    router.get("/api/gone") { _ in throw Problem(.gone, "Gone.") }
    router.get("/own") { _ in
      Response(headers: ["Referrer-Policy": "no-referrer", "Content-Security-Policy": "sandbox"])
    }
    self.router = router
  }

  static let requests: [(Method, String, Headers)] = [
    (.get, "/", [:]), (.get, "/worker.js", [:]), (.get, "/api/open", [:]),
    (.head, "/api/open", [:]), (.get, "/api/open", ["If-None-Match": "*"]),
    (.post, "/api/open", [:]), (.put, "/api/open", [:]), (.options, "/api/open", [:]),
    (.get, "/nowhere", [:]), (.get, "/api/nowhere", [:]), (.get, "/api/open?x=1", [:]),
    (.get, "/api/gone", [:]), (.get, "/own", [:]),
    (.get, "/worker.js", ["Range": "bytes=0-0"]), (.get, "/worker.js", ["Range": "bytes=9-"]),
  ]

  @Test(arguments: requests)
  func `every response has each security header once`(
    method: Method, target: String, headers: Headers
  ) {
    let answer = router.respond(to: Request(method, target, headers: headers))
    for name in Shape.securityHeaders {
      #expect(answer.headers.values(name).count == 1, "\(name) of \(answer.status.code)")
    }
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
    #expect(answer.headers["Cross-Origin-Opener-Policy"] == "same-origin")
    #expect(answer.headers["Content-Security-Policy"]?.contains("unsafe") == false)
    #expect(answer.headers["Strict-Transport-Security"] == nil)
  }

  @Test func `pages may load only resources of this server, other responses nothing`() {
    let page = router.respond(to: Request(.get, "/")).headers["Content-Security-Policy"] ?? ""
    for part in [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
      "connect-src 'self'", "worker-src 'self' blob:", "font-src 'self'", "media-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
    ] { #expect(page.split(separator: ";").map(\.trimmed).contains(part), "\(part)") }
    let data = router.respond(to: Request(.get, "/api/open")).headers["Content-Security-Policy"]
    #expect(data == "default-src 'none'; frame-ancestors 'none'")
  }

  @Test func `a 304 for a page has the policy of the page`() {
    var router = router
    router.get("/kept") { request in
      var response =
        request.headers["If-None-Match"] == nil ? .html("kept") : Response(.notModified)
      response.etag = EntityTag("1")
      return response
    }
    let first = router.respond(to: Request(.get, "/kept"))
    let again = router.respond(to: Request(.get, "/kept", headers: ["If-None-Match": "\"1\""]))
    #expect(again.status == .notModified)
    let policy = "Content-Security-Policy"
    #expect(again.headers[policy] == first.headers[policy])
  }

  @Test func `a service worker may send fetch requests`() {
    let policy = router.respond(to: Request(.get, "/worker.js")).headers["Content-Security-Policy"]
    #expect(policy?.contains("connect-src 'self'") == true)
  }

  @Test func `the policy includes other origins that the operator configures`() {
    var router = router
    router.security.connectSources = ["https://tiles.example.org"]
    router.security.imageSources = ["https://images.example.org"]
    router.security.referrerPolicy = "strict-origin-when-cross-origin"
    router.security.secure = true
    let headers = router.respond(to: Request(.get, "/")).headers
    let policy = headers["Content-Security-Policy"] ?? ""
    #expect(policy.contains("connect-src 'self' https://tiles.example.org;"))
    #expect(policy.contains("img-src 'self' data: blob: https://images.example.org;"))
    #expect(headers["Referrer-Policy"] == "strict-origin-when-cross-origin")
    #expect(headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains")
    router.security.securesSubdomains = false
    let fewer = router.respond(to: Request(.get, "/")).headers
    #expect(fewer["Strict-Transport-Security"] == "max-age=31536000")
  }

  @Test(arguments: [
    (Method.get, "/api/open", true), (.head, "/api/open", true), (.get, "/api/open?x=1", true),
    (.get, "/api/gone", true), (.get, "/api/nowhere", true), (.put, "/api/open", true),
    (.get, "/api/session", false), (.post, "/api/open", false), (.get, "/", false),
    (.get, "/nowhere", false), (.post, "/api/nowhere", false),
  ])
  func `any origin may read public responses and their errors, no others`(
    method: Method, target: String, isPublic: Bool
  ) {
    let headers = router.respond(to: Request(method, target)).headers
    #expect(headers["Access-Control-Allow-Origin"] == (isPublic ? "*" : nil))
    #expect(
      headers["Cross-Origin-Resource-Policy"] == (isPublic ? "cross-origin" : "same-origin"))
    #expect(headers["Access-Control-Allow-Credentials"] == nil)
  }

  @Test func `a header of the handler takes precedence`() {
    let headers = router.respond(to: Request(.get, "/own")).headers
    #expect(headers.values("Referrer-Policy") == ["no-referrer"])
    #expect(headers.values("Content-Security-Policy") == ["sandbox"])
  }

  @Test func `every response has Cache-Control`() {
    for target in ["/", "/api/open", "/api/gone", "/nowhere"] {
      #expect(router.respond(to: Request(.get, target)).headers.contains("Cache-Control"))
    }
  }
}
