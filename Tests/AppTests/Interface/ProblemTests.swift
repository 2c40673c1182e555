import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Every error response has the same JSON structure and uses the reader's language.
@Suite struct ProblemTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private struct Fault: Sendable {
    let status: Status
    let answer: @Sendable (TestApp, Headers) -> TestAnswer
  }

  private static let missing = "01935f6e-0000-7000-8000-000000000000"

  private static let faults: [Fault] = [
    Fault(status: .badRequest) { $0.get(Path.items, ["bbox": "1,2"], headers: $1) },
    Fault(status: .badRequest) { $0.get(Path.items, ["category": "nothing"], headers: $1) },
    Fault(status: .badRequest) { $0.get(Path.items, ["nothing": "1"], headers: $1) },
    Fault(status: .badRequest) { $0.get(Path.tile(0, 1, 0), headers: $1) },
    Fault(status: .badRequest) { $0.get("/api/places", headers: $1) },
    Fault(status: .notFound) { $0.get(Path.item(missing), headers: $1) },
    Fault(status: .notFound) { $0.get(Path.item("nothing"), headers: $1) },
    Fault(status: .notFound) { $0.get("/api/nothing", headers: $1) },
    Fault(status: .notFound) { $0.get("/api/collections/nothing", headers: $1) },
    Fault(status: .notFound) { $0.get("/api/taxonomies/nothing", headers: $1) },
    Fault(status: .notFound) { $0.get("/streets/none/0/0/0.mvt", headers: $1) },
    Fault(status: .methodNotAllowed) { $0.send(.delete, Path.items, headers: $1) },
    Fault(status: .notAcceptable) { app, headers in
      var headers = headers
      headers.add("Accept", "application/xml")
      return app.get(Path.items, headers: headers)
    },
  ]

  @Test func `every error has the members of RFC 9457 and no internal details`() throws {
    for fault in Self.faults {
      let answer = fault.answer(app, [:])
      #expect(answer.status == fault.status)
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(answer.headers["Cache-Control"] == "no-store")
      #expect(answer.headers["ETag"] == nil)
      let problem = try answer.json
      #expect(problem["type"]?.stringValue?.isEmpty == false)
      #expect(problem["title"]?.stringValue?.isEmpty == false)
      #expect(problem["status"]?.intValue == fault.status.code)
      #expect(problem["instance"]?.stringValue?.hasPrefix("/") == true)
      let detail = try #require(problem["detail"]?.stringValue)
      #expect(detail.hasSuffix(".") && !detail.hasPrefix("error."))
      for inside in ["SELECT", ".swift", "/Users", "/home", "sqlite", "Error("] {
        #expect(!answer.text.contains(inside))
      }
      if fault.status == .badRequest {
        let errors = try #require(problem["errors"]?.arrayValue)
        #expect(!errors.isEmpty)
        for error in errors {
          #expect(error["field"]?.stringValue?.isEmpty == false)
          #expect(error["detail"]?.stringValue?.hasSuffix(".") == true)
        }
      } else {
        #expect(problem["errors"] == nil)
      }
    }
  }

  @Test func `errors are in the language that the client requests`() throws {
    for (place, fault) in Self.faults.enumerated() {
      let english = try fault.answer(app, ["Accept-Language": "fr, en;q=0.5"]).json
      let portuguese = try fault.answer(app, ["Accept-Language": "pt-PT, en;q=0.5"]).json
      for member in ["title", "detail"] {
        let words = portuguese[member]?.stringValue
        #expect(words != nil && words != english[member]?.stringValue, "\(place) \(member)")
      }
      for (one, other) in zip(
        english["errors"]?.arrayValue ?? [], portuguese["errors"]?.arrayValue ?? [])
      {
        #expect(one["field"] == other["field"])
        #expect(one["detail"] != other["detail"], "\(place)")
      }
    }
  }

  @Test func `a server error is logged completely and reveals nothing`() throws {
    _ = try app.device(name: "Gate", longitude: 1, latitude: 2)
    try app.database.write { try $0.execute("DROP TABLE device_listing") }
    let answer = app.get(Path.items, headers: ["Accept-Language": "pt"])
    #expect(answer.status == .internalServerError)
    let problem = try answer.json
    #expect(problem["title"]?.stringValue != "Internal Server Error")
    #expect(problem["detail"]?.stringValue?.hasPrefix("error.") == false)
    #expect(!app.log.lines.isEmpty)
  }

  @Test func `client input is returned only as JSON text, shortened`() throws {
    let long = String(repeating: "<b>", count: 500)
    let answer = app.get(Path.items, ["category": "\"" + long])
    #expect(answer.status == .badRequest)
    #expect(answer.bytes.count < 1_500)
    #expect(answer.headers["X-Content-Type-Options"] == "nosniff")
  }
}
