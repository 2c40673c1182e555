import Foundation
@testable import Operations
@testable import Service
import Testing
import WebServer

/// Access to the metrics of an instance.
@Suite struct MetricsAccessTests {
  private static let token = "0123456789abcdefghij"

  private func app(_ setting: String) throws -> TestApp {
    let access = try #require(MetricsAccess(setting))
    return try TestApp(monitoring: Monitoring(access: access))
  }

  @Test func `metrics are off by default`() throws {
    let app = try TestApp()
    for address in ["127.0.0.1", "::1", "192.0.2.1"] {
      #expect(app.send(.get, "/metrics", from: address).status == .notFound)
    }
  }

  @Test func `with loopback access only programs of this machine can read them`() throws {
    let app = try app("loopback")
    for address in ["127.0.0.1", "127.200.3.4", "::1", "::ffff:127.0.0.1"] {
      #expect(app.send(.get, "/metrics", from: address).status == .ok, "\(address)")
    }
    for address in ["192.0.2.1", "10.0.0.1", "126.255.255.255", "128.0.0.1", "::2", "fe80::1"] {
      #expect(app.send(.get, "/metrics", from: address).status == .notFound, "\(address)")
    }
    #expect(app.get("/metrics").status == .notFound)
  }

  @Test(arguments: [
    "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via",
    "x-forwarded-for",
  ])
  func `requests through a proxy of this machine are refused`(field: String) throws {
    let app = try app("loopback")
    let answer = app.send(
      .get, "/metrics", headers: [field: "127.0.0.1"], from: "127.0.0.1")
    #expect(answer.status == .notFound)
  }

  @Test func `with a token its holder can read them, from any address`() throws {
    let app = try app(Self.token)
    for address in ["127.0.0.1", "192.0.2.1"] {
      let answer = app.send(.get, "/metrics", as: .bearer(Self.token), from: address)
      #expect(answer.status == .ok)
      let missing = app.send(.get, "/metrics", from: address)
      #expect(missing.status == .unauthorized)
      #expect(missing.headers["WWW-Authenticate"] == "Bearer")
    }
    let forwarded = app.get(
      "/metrics", headers: ["X-Forwarded-For": "192.0.2.1"], as: .bearer(Self.token))
    #expect(forwarded.status == .ok)
  }

  @Test(arguments: [
    "Bearer 0123456789abcdefghi", "Bearer 0123456789abcdefghijk", "Bearer ", "Bearer",
    "Basic 0123456789abcdefghij", "0123456789abcdefghij", "Bearer  0123456789abcdefghij", "",
  ])
  func `a wrong token is refused`(authorization: String) throws {
    let app = try app(Self.token)
    let answer = app.get("/metrics", headers: ["Authorization": authorization])
    #expect(answer.status == .unauthorized)
  }

  @Test func `a token has at least twenty characters that are valid in a header`() {
    #expect(MetricsAccess(String(repeating: "a", count: 20)) != nil)
    #expect(MetricsAccess(String(repeating: "a", count: 200)) != nil)
    for text in [
      "", "on", "Loopback", String(repeating: "a", count: 19), String(repeating: "a", count: 201),
      "0123456789 abcdefghij", "0123456789abcdefghijç", "0123456789\nabcdefghij",
    ] { #expect(MetricsAccess(text) == nil, "\(text)") }
  }

  @Test func `metrics are not cached, and unreadable for other origins`() throws {
    let answer = try app("loopback").send(
      .get, "/metrics", headers: ["Origin": "https://elsewhere.example"], from: "127.0.0.1")
    #expect(answer.status == .ok)
    #expect(answer.headers["Cache-Control"] == "private, no-store")
    #expect(answer.headers["Access-Control-Allow-Origin"] == nil)
    #expect(answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(answer.headers["ETag"] == nil)
  }

  @Test func `OpenMetrics is sent to clients that request it, as Prometheus does`() throws {
    let app = try app("loopback")
    func type(_ accept: String) -> String? {
      app.send(.get, "/metrics", headers: ["Accept": accept], from: "127.0.0.1")
        .headers["Content-Type"]
    }
    let asked = type(
      """
      application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,\
      text/plain;version=0.0.4;q=0.5,*/*;q=0.1
      """)
    #expect(asked == "application/openmetrics-text; version=1.0.0; charset=utf-8")
    for accept in ["*/*", "text/plain", "text/html", "application/json"] {
      #expect(type(accept) == "text/plain; version=0.0.4; charset=utf-8", "\(accept)")
    }
    let text = app.send(
      .get, "/metrics", headers: ["Accept": "application/openmetrics-text"], from: "127.0.0.1"
    ).text
    #expect(text.hasSuffix("\n# EOF\n"))
  }
}
