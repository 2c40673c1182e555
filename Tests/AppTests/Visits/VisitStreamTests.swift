@testable import App
import Foundation
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
@testable import WebServer

/// The stream that notifies a page of changed offers and visits of its account.
@Suite struct VisitStreamTests {
  let app: TestApp
  let ana, ben, eva: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    ben = try app.account("ben")
    eva = try app.account("eva")
  }

  private static let path = TestApp.visits + "/stream"

  /// An open page of an account.
  private struct Page {
    let body: PushedBody

    /// The names of the events until now.
    var events: [String] {
      String(decoding: body.waiting, as: UTF8.self).components(separatedBy: "\n")
        .filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    /// The same as soon as there are `count`.
    func events(_ count: Int) -> [String] {
      let end = ContinuousClock.now + .seconds(30)
      while events.count < count, ContinuousClock.now < end { Pause.shortly() }
      return events
    }
  }

  private func open(
    _ account: TestAccount, _ method: Method = .get, of app: TestApp? = nil
  ) throws -> Page {
    let app = app ?? self.app
    var headers: Headers = [:]
    for (name, value) in account.identity.headers { headers.add(name, value) }
    let response = app.app.router.respond(
      to: Request(method, Request.target(Self.path, []), headers: headers))
    guard case .pushed(let body) = response.body else { throw NoStream(status: response.status) }
    return Page(body: body)
  }

  private struct NoStream: Error { let status: Status }

  @Test func `an offer, its answer and a visit are told to the volunteer, without content`() throws
  {
    try app.volunteer(ben)
    let page = try open(ben)
    #expect(page.events(1) == ["ready"])
    let id = try app.asked(try app.visitedDevice("Secret gate"), as: ana)
    #expect(page.events(2) == ["ready", "changed"])
    _ = app.answer(try app.offer(to: ben), "accept", as: ben, [:])
    #expect(page.events(3).count == 3)
    _ = app.visit(id, "outcome", as: ben, ["outcome": "confirmed"])
    #expect(page.events(4) == ["ready", "changed", "changed", "changed"])
    let text = String(decoding: page.body.waiting, as: UTF8.self)
    #expect(!text.contains("gate") && !text.contains(id))
    let reported = text.components(separatedBy: "\n\n").filter { $0.contains("changed") }
    #expect(Set(reported).count == 1)
  }

  @Test func `nobody else hears that an offer was made`() throws {
    try app.volunteer(ben)
    // The asker, a volunteer who is next, and an account without a part in it.
    try app.volunteer(eva)
    let moderator = try app.account("mod", role: .moderator)
    let others = try [ana, eva, moderator].map { try open($0) }
    for page in others { #expect(page.events(1) == ["ready"]) }
    let own = try open(ben)
    _ = own.events(1)
    let device = try app.visitedDevice()
    try app.asked(device, as: ana)
    #expect(own.events(2) == ["ready", "changed"])
    // An event for the others would arrive with the next look at the latest.
    _ = app.answer(try app.offer(to: ben), "accept", as: ben, [:])
    #expect(own.events(3).count == 3)
    for page in others { #expect(page.events == ["ready"]) }
    // The answers of the others do not change either.
    let seen = try app.get(TestApp.visits + "/mine", as: ana.identity).json["asked"]?[0]
    #expect(seen?["state"]?.stringValue == "waiting")
    #expect(seen?["offers"]?.intValue == 0)
    #expect(try app.offer(to: eva) == nil)
  }

  @Test func `a commit of another server is told`() throws {
    try app.volunteer(ben)
    let page = try open(ben)
    _ = page.events(1)
    let answer = app.ask(try app.visitedDevice(), as: ana)
    let id = try #require(try answer.json["id"]?.stringValue)
    let workflow = app.app.visits.workflow
    // As another server does it: this one only hears of its commit.
    let isMade = try app.database.write { connection in
      try workflow.offer(try workflow.store.one(id, connection).rowid, to: ben.rowid, connection)
    }
    #expect(isMade)
    let commits: CommitSignal = try app.app.instance.given()
    commits.note()
    #expect(page.events(2) == ["ready", "changed"])
  }

  @Test func `a stream ends with its session, before anything is told`() throws {
    try app.volunteer(ben)
    let page = try open(ben)
    _ = page.events(1)
    try app.database.write {
      try $0.execute("DELETE FROM session WHERE account_rowid = ?", [.integer(ben.rowid)])
    }
    try app.asked(try app.visitedDevice(), as: ana)
    let end = ContinuousClock.now + .seconds(30)
    while page.body.isOpen, ContinuousClock.now < end { Pause.shortly() }
    #expect(!page.body.isOpen)
    #expect(page.events == ["ready"])
  }

  @Test func `the newest stream of an account replaces its oldest, and a HEAD opens none`() throws {
    for _ in 0..<VisitHub.maxPerAccount + 5 { _ = try? open(ben, .head) }
    let other = try open(ana)
    var pages = try (0..<VisitHub.maxPerAccount).map { _ in try open(ben) }
    #expect(!pages.map(\.body.isOpen).contains(false))
    for _ in 0..<3 { pages.append(try open(ben)) }
    #expect(
      pages.map(\.body.isOpen) == Array(repeating: false, count: 3)
        + Array(repeating: true, count: VisitHub.maxPerAccount))
    #expect(other.body.isOpen)
    #expect(try #require(pages.last).events(1) == ["ready"])
  }

  @Test func `all accounts together have as many streams as the instance allows`() throws {
    var settings = InstanceSettings()
    settings.liveListeners = 2
    let app = try TestApp(settings: settings)
    let (ana, ben) = (try app.account("ana"), try app.account("ben"))
    let page = try open(ana, of: app)
    _ = try open(ben, of: app)
    let refused = app.get(Self.path, as: ana.identity)
    #expect(refused.status == .serviceUnavailable)
    #expect(refused.headers["Retry-After"] != nil)
    // A page that is closed makes room when its connection is found closed, here after a commit.
    page.body.finish()
    _ = try app.account("eva")
    let end = ContinuousClock.now + .seconds(60)
    while (try? open(ben, of: app)) == nil, ContinuousClock.now < end { Pause.shortly() }
    #expect(ContinuousClock.now < end)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `looks use an index`() throws {
    try app.database.read { connection in
      for query in VisitMarks.queries {
        let plan = try connection.explain(query, [.text("[1]")])
        #expect(!plan.contains { $0.hasPrefix("SCAN visit") }, "\(query) \(plan)")
      }
    }
  }
}
