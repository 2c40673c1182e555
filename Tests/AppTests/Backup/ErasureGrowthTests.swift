@testable import App
import JSON
@testable import Service
import Testing
import WebServer

/// An account that begins and ends things again and again does not let the list of erasures grow without limit: entries are
/// kept for 400 days, and every restore reads all of them.
@Suite struct ErasureGrowthTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  /// Repeats both steps until the first is refused.
  private func expectLimit(_ begin: () throws -> TestAnswer, end: (String) -> Status) throws {
    for count in 0..<400 {
      let answer = try begin()
      if answer.status == .tooManyRequests { return #expect(count >= 30) }
      try #require([.ok, .created].contains(answer.status), "\(answer.text)")
      #expect([.ok, .noContent].contains(end(try answer.json["id"]?.stringValue ?? "")))
    }
    Issue.record("no limit")
  }

  private func delete(_ path: String) -> Status {
    app.send(.delete, path, as: ana.identity).status
  }

  @Test func `watches`() throws {
    try expectLimit {
      app.post(TestApp.watches, TestApp.watch(), as: ana.identity)
    } end: {
      delete("\(TestApp.watches)/\($0)")
    }
  }

  @Test func `settings of a watch`() throws {
    let watch = try app.watch(of: ana)["id"]?.stringValue ?? ""
    var isOn = false
    try expectLimit {
      isOn.toggle()
      return app.send(
        .patch, "\(TestApp.watches)/\(watch)", json: ["feed": .bool(isOn)], as: ana.identity)
    } end: { _ in
      .ok
    }
    #expect(delete("\(TestApp.watches)/\(watch)") == .noContent)
  }

  @Test func `volunteers`() throws {
    let path = TestApp.visits + "/volunteer"
    try expectLimit {
      app.send(.put, path, json: ["cell": "6436-6663", "radius_km": 10], as: ana.identity)
    } end: { _ in
      delete(path)
    }
  }

  @Test func `plans of mapping days`() throws {
    try expectLimit {
      app.post(TestApp.days, TestApp.day(), as: ana.identity)
    } end: {
      delete(TestApp.day($0))
    }
  }

  @Test func `names of participants`() throws {
    let day = try app.day(of: ana)
    let rui = try app.account("rui")
    var isShown = false
    try expectLimit {
      isShown.toggle()
      return app.join(day, rui, showsName: isShown)
    } end: { _ in
      .ok
    }
  }

  @Test func `choices`() throws {
    let device = try app.device()
    try expectLimit {
      app.send(
        .post, "/api/choices",
        json: ["device": .string(device.id), "kind": "access", "country": "PT", "language": "en"],
        as: ana.identity)
    } end: {
      delete("/api/choices/\($0)")
    }
  }
}
