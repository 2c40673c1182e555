import Testing

@testable import WebServer

@Suite struct RoutingTests {
  let router: Router

  init() {
    var router = Router()
    for template in [
      "/", "/api", "/api/items", "/api/items/new", "/api/items/{id}", "/api/items/{id}/history",
      "/api/{kind}/{id}/photos", "/tiles/{z}/{x}/{y}.mvt", "/tiles/{z}/{x}/{name}",
      "/exports/devices.{ext}", "/assets/{digest}/{path...}",
    ] {
      router.get(template) { request in
        let values = request.pathParameters.sorted { $0.key < $1.key }
        return .text(
          ([request.route ?? "-"] + values.map { "\($0.key)=\($0.value)" }).joined(separator: " "))
      }
    }
    router.add(.post, "/api/items", bodyLimit: 10) { .bytes($0.body, contentType: "a/b") }
    router.add(.put, "/api/write-only", bodyLimit: 10) { _ in .noContent }
    self.router = router
  }

  private func answer(_ method: Method, _ target: String) -> Response {
    router.respond(to: Request(method, target))
  }

  @Test(arguments: [
    ("/", "/"), ("/api", "/api"), ("/api/items", "/api/items"),
    ("/api/items/new", "/api/items/new"), ("/api/items/7", "/api/items/{id} id=7"),
    ("/api/items/new/history", "/api/items/{id}/history id=new"),
    ("/api/items/7/photos", "/api/{kind}/{id}/photos id=7 kind=items"),
    ("/api/other/7/photos", "/api/{kind}/{id}/photos id=7 kind=other"),
    ("/tiles/1/2/3.mvt", "/tiles/{z}/{x}/{y}.mvt x=2 y=3 z=1"),
    ("/tiles/1/2/3.png", "/tiles/{z}/{x}/{name} name=3.png x=2 z=1"),
    ("/tiles/1/2/.mvt", "/tiles/{z}/{x}/{name} name=.mvt x=2 z=1"),
    ("/exports/devices.csv", "/exports/devices.{ext} ext=csv"),
    ("/assets/d/js/map/a.js", "/assets/{digest}/{path...} digest=d path=js/map/a.js"),
    ("/api/items/a%20b", "/api/items/{id} id=a b"),
  ])
  func `a path matches the most literal route`(path: String, found: String) {
    #expect(answer(.get, path).text == found)
  }

  @Test(arguments: [
    "/nothing", "/api/", "/api/items/", "/api/items/7/", "/api/items/7/other", "/tiles/1/2",
    "/tiles/1/2/3/4", "/exports/devices.", "/exports/other.csv", "/assets/d", "/API",
  ])
  func `any other path returns 404`(path: String) {
    #expect(answer(.get, path).status == .notFound)
  }

  @Test(arguments: [
    (Method.post, "/api", "GET, HEAD, OPTIONS"),
    (.delete, "/api/items", "GET, HEAD, POST, OPTIONS"),
    (.get, "/api/write-only", "PUT, OPTIONS"), (.head, "/api/write-only", "PUT, OPTIONS"),
    (Method(rawValue: "QUERY"), "/api", "GET, HEAD, OPTIONS"),
    (Method(rawValue: "get"), "/api", "GET, HEAD, OPTIONS"),
  ])
  func `a wrong method returns 405 with the allowed methods`(
    method: Method, path: String, allow: String
  ) {
    let answer = answer(method, path)
    #expect(answer.status == .methodNotAllowed)
    #expect(answer.headers["Allow"] == allow)
  }

  @Test func `a route of another template answers the method that the most literal one lacks`() {
    var router = Router()
    for (method, template) in [
      (Method.get, "/visits/devices/{id}"), (.post, "/visits/{id}/cancel"),
      (.delete, "/visits/{rest...}"),
    ] {
      router.add(method, template) { request in
        .text("\(template) \(request.pathParameters.values.joined(separator: " "))")
      }
    }
    func answer(_ method: Method) -> Response {
      router.respond(to: Request(method, "/visits/devices/cancel"))
    }
    #expect(answer(.get).text == "/visits/devices/{id} cancel")
    #expect(answer(.post).text == "/visits/{id}/cancel devices")
    #expect(answer(.delete).text == "/visits/{rest...} devices/cancel")
    #expect(answer(.put).status == .methodNotAllowed)
    #expect(answer(.put).headers["Allow"] == "GET, HEAD, POST, DELETE, OPTIONS")
    #expect(answer(.options).headers["Allow"] == "GET, HEAD, POST, DELETE, OPTIONS")
  }

  @Test func `OPTIONS lists the methods and allows requests of other origins`() {
    let answer = answer(.options, "/api/items")
    #expect(answer.status == .noContent)
    #expect(answer.headers["Allow"] == "GET, HEAD, POST, OPTIONS")
    #expect(answer.headers["Access-Control-Allow-Origin"] == "*")
    #expect(answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS")
    let page = self.answer(.options, "/")
    #expect(page.headers["Allow"] == "GET, HEAD, OPTIONS")
    #expect(page.headers["Access-Control-Allow-Origin"] == nil)
  }

  @Test func `HEAD is supported wherever GET is, with its length and no body`() throws {
    let get = answer(.get, "/api/items/7")
    let head = answer(.head, "/api/items/7")
    #expect(head.status == .ok)
    #expect(head.body.bytes == [])
    #expect(head.headers["Content-Length"] == get.headers["Content-Length"])
    #expect(head.headers["Content-Length"] == "\(get.text.utf8.count)")
  }

  @Test func `an undeclared query parameter is refused by name under api`() throws {
    let answer = answer(.get, "/api/items?limit=1&b=2&b=3")
    #expect(answer.status == .badRequest)
    #expect(answer.text.contains(#"{"field":"limit","#))
    #expect(answer.text.contains(#"{"field":"b","#))
    try Shape.expectProblem(answer.body.bytes ?? [], status: 400)
  }

  @Test func `pages ignore unknown query parameters of links`() {
    #expect(answer(.get, "/?utm_source=mail").status == .ok)
  }

  @Test func `declared query parameters are decoded once`() {
    var router = Router()
    router.get("/api/find", query: ["q", "empty"]) { request in
      .text(request.query.values("q").joined(separator: "|") + "/\(request.query["empty"] ?? "-")")
    }
    let answer = router.respond(
      to: Request(.get, "/api/find?q=a+b&q=c%2Bd%20e&q=%2525&&empty&q=x=y"))
    #expect(answer.text == "a b|c+d e|%25|x=y/")
  }

  @Test func `a body at the limit is accepted and one more byte returns 413`() {
    func post(_ count: Int) -> Response {
      router.respond(
        to: Request(.post, "/api/items", body: [UInt8](repeating: 1, count: count)))
    }
    #expect(post(10).status == .ok)
    #expect(post(11).status == .contentTooLarge)
    #expect(router.respond(to: Request(.get, "/api", body: [1])).status == .contentTooLarge)
  }

  @Test func `the router lists its routes`() {
    #expect(router.routes.count == 13)
    #expect(router.routes.contains { $0.method == .post && $0.template == "/api/items" })
  }

  @Test func `a thousand routes are matched as fast as ten`() {
    func time(_ count: Int) -> Duration {
      var router = Router()
      for number in 0..<count { router.get("/p/\(number)/{id}") { _ in .text("x") } }
      // The fastest of several runs, because the machine may be busy.
      return (0..<7).map { _ in
        ContinuousClock().measure {
          for _ in 0..<500 { _ = router.destination(.get, "/p/\(count - 1)/7") }
        }
      }.min() ?? .zero
    }
    #expect(time(1_000) < time(10) * 10)
  }
}
