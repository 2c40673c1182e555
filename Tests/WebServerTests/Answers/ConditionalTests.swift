import Testing

@testable import WebServer

@Suite struct ConditionalTests {
  let router: Router
  static let text = String(repeating: "0123456789", count: 200)

  init() {
    var router = Router()
    router.get("/tagged") { _ in
      var response = Response.text(Self.text)
      response.etag = EntityTag("v1")
      response.lastModified = HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")
      response.acceptsRanges = true
      response.headers["Cache-Control"] = "public, max-age=60"
      return response
    }
    router.get("/weak") { _ in
      var response = Response.text("weak")
      response.etag = EntityTag("v1", weak: true)
      return response
    }
    router.get("/untagged") { _ in .text(Self.text) }
    router.get("/missing") { _ in throw Problem(.notFound, "No.") }
    self.router = router
  }

  private func get(_ path: String, _ headers: Headers, _ method: Method = .get) -> Response {
    router.respond(to: Request(method, path, headers: headers))
  }

  @Test(arguments: [
    ("\"v1\"", true), ("W/\"v1\"", true), ("\"v1-gz\"", true), ("W/\"v1-gz\"", true), ("*", true),
    ("\"v0\", \"v1\"", true), ("\"v0\",W/\"v1\"", true), ("\"v0\"", false), ("v1", false),
    ("\"V1\"", false), ("", false), ("\"v1", false), ("\"v0, v1\"", false),
  ])
  func `If-None-Match uses the weak comparison`(field: String, matches: Bool) {
    for method in [Method.get, .head] {
      let answer = get("/tagged", ["If-None-Match": field], method)
      #expect(answer.status == (matches ? .notModified : .ok))
      #expect(answer.headers["ETag"] == "\"v1\"")
      #expect(answer.headers["Cache-Control"] == "public, max-age=60")
      if matches {
        #expect(answer.body.bytes == [])
        #expect(answer.headers["Content-Type"] == nil)
        #expect(answer.headers["Vary"] == "Accept-Encoding")
      }
    }
  }

  @Test func `several If-None-Match fields count as one list`() {
    var headers: Headers = ["If-None-Match": "\"v0\""]
    headers.add("If-None-Match", "\"v1\"")
    #expect(get("/tagged", headers).status == .notModified)
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", true),
    ("Sun, 06 Nov 1994 08:49:36 GMT", false), ("nonsense", false), ("", false),
  ])
  func `If-Modified-Since compares to the second`(field: String, matches: Bool) {
    let answer = get("/tagged", ["If-Modified-Since": field])
    #expect(answer.status == (matches ? .notModified : .ok))
    #expect(get("/untagged", ["If-Modified-Since": field]).status == .ok)
  }

  @Test func `If-None-Match takes precedence over If-Modified-Since`() {
    let since = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(
      get("/tagged", ["If-None-Match": "\"v0\"", "If-Modified-Since": since]).status == .ok)
    #expect(
      get("/tagged", ["If-None-Match": "*", "If-Modified-Since": "nonsense"]).status
        == .notModified)
    // Any representation is there, with a tag or without.
    #expect(get("/untagged", ["If-None-Match": "*"]).status == .notModified)
    #expect(get("/untagged", ["If-None-Match": "\"v1\""]).status == .ok)
  }

  @Test func `an error response never becomes a 304 or 412`() {
    #expect(get("/missing", ["If-None-Match": "*"]).status == .notFound)
    #expect(get("/missing", ["If-Match": "\"v0\""]).status == .notFound)
  }

  @Test(arguments: [
    ("\"v1\"", true), ("\"v1-gz\"", true), ("*", true), ("\"v0\", \"v1\"", true),
    ("W/\"v1\"", false), ("\"v0\"", false), ("v1", false), ("", false),
  ])
  func `If-Match uses the strong comparison`(field: String, matches: Bool) throws {
    for method in [Method.get, .head] {
      let answer = get("/tagged", ["If-Match": field], method)
      #expect(answer.status == (matches ? .ok : .preconditionFailed))
      #expect(answer.headers["ETag"] == "\"v1\"")
      guard !matches, method == .get else { continue }
      try Shape.expectProblem(answer.body.bytes ?? [], status: 412)
      #expect(answer.headers["Cache-Control"] == "no-store")
      #expect(answer.headers["Content-Range"] == nil)
    }
    // Weak tags never match strongly, and without a tag only the asterisk matches.
    #expect(
      get("/weak", ["If-Match": field]).status == (field == "*" ? .ok : .preconditionFailed))
    #expect(
      get("/untagged", ["If-Match": field]).status == (field == "*" ? .ok : .preconditionFailed))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", true),
    ("Sun, 06 Nov 1994 08:49:36 GMT", false), ("nonsense", true), ("", true),
  ])
  func `If-Unmodified-Since compares to the second`(field: String, matches: Bool) {
    let answer = get("/tagged", ["If-Unmodified-Since": field])
    #expect(answer.status == (matches ? .ok : .preconditionFailed))
    #expect(get("/untagged", ["If-Unmodified-Since": field]).status == .ok)
  }

  /// The order of RFC 9110 §13.2.2.
  @Test func `preconditions are evaluated in their order`() {
    let (date, earlier) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT")
    let cases: [(Headers, Status)] = [
      // If-Match hides If-Unmodified-Since…
      (["If-Match": "\"v1\"", "If-Unmodified-Since": earlier], .ok),
      (["If-Match": "\"v0\"", "If-Unmodified-Since": date], .preconditionFailed),
      // … and comes before If-None-Match and If-Modified-Since.
      (["If-Match": "\"v0\"", "If-None-Match": "\"v1\""], .preconditionFailed),
      (["If-Match": "\"v1\"", "If-None-Match": "\"v1\""], .notModified),
      (["If-Unmodified-Since": earlier, "If-None-Match": "\"v1\""], .preconditionFailed),
      (["If-Unmodified-Since": date, "If-None-Match": "\"v1\""], .notModified),
      (["If-Unmodified-Since": date, "If-Modified-Since": date], .notModified),
      (["If-Match": "\"v1\"", "If-Modified-Since": date], .notModified),
      (["If-Match": "\"v1\"", "If-None-Match": "\"v0\"", "If-Modified-Since": date], .ok),
      // All of them come before the range.
      (["Range": "bytes=0-0", "If-Match": "\"v1\""], .partialContent),
      (["Range": "bytes=0-0", "If-Match": "\"v0\""], .preconditionFailed),
      (["Range": "bytes=0-0", "If-Match": "\"v0\"", "If-Range": "\"v1\""], .preconditionFailed),
      (["Range": "bytes=0-0", "If-Unmodified-Since": earlier], .preconditionFailed),
      (["Range": "bytes=0-0", "If-Unmodified-Since": date], .partialContent),
      (["Range": "bytes=0-0", "If-None-Match": "\"v1\""], .notModified),
      (["Range": "bytes=0-0", "If-None-Match": "\"v0\"", "If-Range": "\"v1\""], .partialContent),
      (["Range": "bytes=0-0", "If-Match": "\"v1\"", "If-Range": "\"v0\""], .ok),
      (["Range": "bytes=9000-", "If-Match": "\"v0\""], .preconditionFailed),
      (["Range": "bytes=9000-", "If-Match": "\"v1\""], .rangeNotSatisfiable),
    ]
    for (headers, status) in cases {
      #expect(get("/tagged", headers).status == status, "\(headers)")
    }
  }

  @Test func `parts of the compressed and the plain form are not mixed`() {
    // The client has the beginning of the compressed form; ranges are of the plain one.
    let known: Headers = ["Range": "bytes=0-9", "Accept-Encoding": "gzip"]
    var match = known
    match["If-Match"] = "\"v1-gz\""
    #expect(get("/tagged", match).status == .preconditionFailed)
    var range = known
    range["If-Range"] = "\"v1-gz\""
    let answer = get("/tagged", range)
    #expect(answer.status == .ok)
    #expect(answer.headers["Content-Encoding"] == "gzip")
    range["If-Range"] = "\"v1\", \"v2\""
    #expect(get("/tagged", range).status == .ok)
  }

  @Test(arguments: [
    ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=1990-", 1_990..<2_000),
    ("bytes=-10", 1_990..<2_000), ("bytes=-5000", 0..<2_000), ("bytes=1999-1999", 1_999..<2_000),
    ("bytes=1990-99999", 1_990..<2_000), ("bytes=0-99999999999999999999999", 0..<2_000),
  ])
  func `a single range is sent without multipart`(field: String, range: Range<Int>) {
    let answer = get("/tagged", ["Range": field])
    #expect(answer.status == .partialContent)
    #expect(Array(answer.text.utf8) == Array(Array(Self.text.utf8)[range]))
    #expect(
      answer.headers["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/2000")
    #expect(answer.headers["Content-Length"] == "\(range.count)")
    #expect(answer.headers["ETag"] == "\"v1\"")
  }

  @Test(arguments: ["bytes=2000-", "bytes=2000-2001", "bytes=-0", "bytes=99999999999999999999-"])
  func `a range past the end returns 416`(field: String) throws {
    let answer = get("/tagged", ["Range": field])
    #expect(answer.status == .rangeNotSatisfiable)
    #expect(answer.headers["Content-Range"] == "bytes */2000")
    try Shape.expectProblem(answer.body.bytes ?? [], status: 416)
  }

  @Test(arguments: [
    "bytes=0-1,4-5", "items=0-1", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=1", "0-1",
    "bytes=--1", "bytes=1-2-3",
  ])
  func `an invalid range is ignored`(field: String) {
    let answer = get("/tagged", ["Range": field])
    #expect(answer.status == .ok)
    #expect(answer.text == Self.text)
    #expect(answer.headers["Accept-Ranges"] == "bytes")
  }

  @Test func `ranges apply only to GET of offered bodies, and exclude compression`() {
    #expect(get("/untagged", ["Range": "bytes=0-0"]).status == .ok)
    #expect(get("/tagged", ["Range": "bytes=0-0"], .head).status == .ok)
    let answer = get("/tagged", ["Range": "bytes=0-0", "Accept-Encoding": "gzip"])
    #expect(answer.status == .partialContent)
    #expect(answer.headers["Content-Encoding"] == nil)
    #expect(answer.text == "0")
  }

  @Test(arguments: [
    ("\"v1\"", true), ("W/\"v1\"", false), ("\"v0\"", false), ("*", false),
    ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sun, 06 Nov 1994 08:49:38 GMT", false),
  ])
  func `If-Range sends the range only of the same version`(field: String, matches: Bool) {
    let answer = get("/tagged", ["Range": "bytes=0-0", "If-Range": field])
    #expect(answer.status == (matches ? .partialContent : .ok))
  }

  @Test func `the strong comparison excludes weak tags`() {
    let list = EntityTag.List("W/\"a\", \"b\", \"c-gz\"")
    #expect(list.weaklyContains(EntityTag("a")))
    #expect(!list.stronglyContains(EntityTag("a")))
    #expect(list.stronglyContains(EntityTag("b")))
    #expect(list.stronglyContains(EntityTag("c")))
    #expect(!list.stronglyContains(EntityTag("b", weak: true)))
    #expect(EntityTag.List(" * ").stronglyContains(EntityTag("z")))
  }

  @Test func `a tag made from bytes changes with every byte`() {
    let base = [UInt8](repeating: 5, count: 100)
    var tags = Set([EntityTag(hashing: base), EntityTag(hashing: base + [0])])
    for index in base.indices {
      var changed = base
      changed[index] ^= 1
      tags.insert(EntityTag(hashing: changed))
    }
    #expect(tags.count == 102)
    #expect(EntityTag(hashing: base) == EntityTag(hashing: base))
    #expect(EntityTag(hashing: []).opaque.count == 32)
  }

  @Test func `a tag never contains a quotation mark`() {
    #expect(EntityTag("a\"b\r\nc ü").headerValue == "\"abc\"")
  }
}
