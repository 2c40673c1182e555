import Testing

@testable import WebServer

@Suite struct ContentNegotiationTests {
  let negotiation = ContentNegotiation([
    .init("json", "application/geo+json"), .init("html", "text/html"), .init("csv", "text/csv"),
  ])

  private func choose(_ target: String, _ accept: String? = nil) throws -> String {
    var headers = Headers()
    if let accept { headers["Accept"] = accept }
    return try negotiation.choose(for: Request(.get, target, headers: headers)).format
  }

  @Test(arguments: [
    (nil, "json"), ("", "json"), ("*/*", "json"), ("text/html", "html"), ("TEXT/HTML", "html"),
    ("text/html,application/xhtml+xml,*/*;q=0.8", "html"), ("text/*", "html"),
    ("text/csv;q=0.9, text/html;q=0.8", "csv"), ("text/*;q=0.5, text/csv", "csv"),
    ("text/html;q=0, */*;q=0.1", "json"), ("application/*;q=0.2, text/csv;q=0.1", "json"),
    ("*/*;q=0.1, text/html;q=0", "json"), ("image/png, text/html;q=0.1", "html"),
  ])
  func `Accept is weighed, the most specific range first`(accept: String?, format: String) throws {
    #expect(try choose("/", accept) == format)
  }

  @Test(arguments: ["image/png", "text/html;q=0", "*/*;q=0", "nonsense", "application/json"])
  func `an Accept without any offered type returns 406`(accept: String) {
    #expect {
      try choose("/", accept)
    } throws: { ($0 as? Problem)?.status == .notAcceptable }
  }

  @Test func `the parameter f takes precedence over Accept`() throws {
    #expect(try choose("/?f=csv", "text/html") == "csv")
    #expect(try choose("/?f=json", "image/png") == "json")
  }

  @Test(arguments: ["/?f=xml", "/?f=", "/?f=JSON"])
  func `an unknown f returns 400 and names the field`(target: String) {
    #expect {
      try choose(target, "text/html")
    } throws: { error in
      let problem = error as? Problem
      return problem?.status == .badRequest && problem?.fields.map(\.field) == ["f"]
    }
  }
}
