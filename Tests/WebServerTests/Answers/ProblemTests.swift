import JSON
import Logging
import Testing

@testable import WebServer

@Suite struct ProblemTests {
  struct Unexpected: Error { var secret = "SELECT * FROM account" }

  private func router(throwing error: any Error) -> Router {
    var router = Router()
    router.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    router.get("/api/failing") { _ in throw error }
    return router
  }

  private func answer(_ error: any Error) -> Response {
    router(throwing: error).respond(to: Request(.get, "/api/failing"))
  }

  @Test(arguments: [
    Status.badRequest, .unauthorized, .forbidden, .notFound, .conflict, .gone,
    .preconditionFailed, .unsupportedMediaType, .unprocessableContent, .preconditionRequired,
    .tooManyRequests, .serviceUnavailable,
  ])
  func `every error has the same structure`(status: Status) throws {
    let answer = answer(Problem(status, "It went like this."))
    #expect(answer.status == status)
    #expect(answer.headers["Content-Type"] == "application/problem+json")
    #expect(answer.headers["Cache-Control"] == "no-store")
    try Shape.expectProblem(answer.body.bytes ?? [], status: status.code)
    let json = try JSONValue(parsing: answer.body.bytes ?? [])
    #expect(json["type"]?.stringValue == "about:blank")
    #expect(json["title"]?.stringValue == status.reasonPhrase)
    #expect(json["detail"]?.stringValue == "It went like this.")
    #expect(json["instance"]?.stringValue == "/api/failing")
    #expect(json["errors"] == nil)
  }

  @Test func `a problem includes its fields, headers, type and further members`() throws {
    let answer = answer(
      Problem(
        .gone, "It was deleted.", title: "Deleted",
        fields: [FieldError(field: "bbox", detail: "\"quoted\"")], headers: ["Retry-After": "7"],
        type: "https://example.org/deleted",
        members: [("deleted_at", .string("2026-01-01T00:00:00Z"))]))
    let json = try JSONValue(parsing: answer.body.bytes ?? [])
    #expect(json["title"]?.stringValue == "Deleted")
    #expect(json["type"]?.stringValue == "https://example.org/deleted")
    #expect(json["errors"]?[0]?["field"]?.stringValue == "bbox")
    #expect(json["errors"]?[0]?["detail"]?.stringValue == "\"quoted\"")
    #expect(json["deleted_at"]?.stringValue == "2026-01-01T00:00:00Z")
    #expect(answer.headers["Retry-After"] == "7")
  }

  @Test func `an unexpected error reveals no details`() throws {
    let answer = answer(Unexpected())
    #expect(answer.status == .internalServerError)
    try Shape.expectProblem(answer.body.bytes ?? [], status: 500)
    #expect(!answer.text.contains("SELECT"))
    #expect(!answer.text.contains("Unexpected"))
  }

  @Test func `an error of the application gets the response that it names`() {
    var router = router(throwing: Unexpected())
    router.add(.post, "/api/failing") { _ in throw Unexpected() }
    router.add(.post, "/api/search", isRead: true) { _ in throw Unexpected() }
    router.addDeferred(.post, "/api/later") { _, reply in reply(.failure(Unexpected())) }
    router.get("/api/other") { _ in throw CancellationError() }
    router.httpError = { error, isRead in
      error is Unexpected ? Problem(isRead ? .serviceUnavailable : .conflict, "Later.") : nil
    }
    for (method, path, status) in [
      (Method.get, "/api/failing", Status.serviceUnavailable),
      (.head, "/api/failing", .serviceUnavailable), (.post, "/api/failing", .conflict),
      (.post, "/api/search", .serviceUnavailable), (.post, "/api/later", .conflict),
      (.get, "/api/other", .internalServerError),
    ] {
      #expect(router.respond(to: Request(method, path)).status == status, "\(method) \(path)")
    }
  }

  @Test func `problems can be translated, including those of the router`() throws {
    var router = router(throwing: Problem(.conflict, "Taken."))
    router.problemText = { error, request in
      ProblemText(title: "T\(error.status.code)", detail: "D\(request.path)")
    }
    let thrown = try JSONValue(
      parsing: router.respond(to: Request(.get, "/api/failing")).body.bytes ?? [])
    #expect(thrown["title"]?.stringValue == "T409")
    let own = try JSONValue(
      parsing: router.respond(to: Request(.get, "/api/nowhere")).body.bytes ?? [])
    #expect(own["title"]?.stringValue == "T404")
    #expect(own["detail"]?.stringValue == "D/api/nowhere")
  }

  @Test func `the instance is a URI`() throws {
    let answer = Router().respond(to: Request(.get, "/api/items/%C3%BC%20%22x?q=1"))
    let json = try JSONValue(parsing: answer.body.bytes ?? [])
    #expect(json["instance"]?.stringValue == "/api/items/%C3%BC%20%22x")
  }
}
