@testable import App
import Foundation
import JSON
@testable import Lists
@testable import Operations
@testable import Service
import Testing
import WebServer

/// Writes without a body accept an empty JSON object, which many clients send with each POST.
@Suite struct EmptyBodyTests {
  private static let bodiless = Result {
    try TestApp { folder in try TestPlaces.make(in: folder) }.app.endpoints
      .filter { $0.body == nil && !$0.method.isRead }
      .map { "\($0.method.rawValue) \($0.path)" }
  }

  /// Sends the first request of the access table for an endpoint, to a new instance.
  private func send(_ endpoint: String, _ body: String?) throws -> TestAnswer {
    let line = try #require(AccessRequests.all.first { $0.endpoint == endpoint }, "\(endpoint)")
    let app = try TestApp()
    _ = try app.account("root", role: .admin)
    let isForStaff = ["/api/admin", "/api/moderation"].contains { endpoint.contains($0) }
    let request = try line.make(try AccessScene(app, isForStaff ? .admin : .confirmed))
    var headers = request.headers
    if body != nil { headers.append(("Content-Type", "application/json")) }
    let answer = app.send(
      request.method, target: request.path, body: Array((body ?? "").utf8),
      as: Identity(headers: headers))
    app.app.imports.worker.rest()
    return answer
  }

  @Test func `an empty object is as good as no body`() throws {
    let endpoints = try Self.bodiless.get()
    #expect(endpoints.contains("POST /api/watches/{id}/test"))
    for endpoint in endpoints {
      let (plain, empty) = (try send(endpoint, nil), try send(endpoint, "{}"))
      #expect(empty.status == plain.status, "\(endpoint)")
    }
    #expect(try send("POST /api/watches/{id}/test", " { }\r\n").status == .accepted)
  }

  @Test(arguments: ["{\"a\":1}", "[]", "x", "{}{}", String(repeating: " ", count: 100) + "{}"])
  func `another body is refused`(body: String) throws {
    #expect(try send("POST /api/watches/{id}/test", body).status == .contentTooLarge)
  }
}
