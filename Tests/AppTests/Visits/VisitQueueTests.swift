@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

/// Cells, hours and the order of offers to volunteers.
@Suite struct VisitQueueTests {
  @Test(arguments: [
    (0.0, 0.0), (-79.5, 8.98), (179.999, -45.0), (-180.0, 60.0), (12.0, 89.999), (0.0, -90.0),
    (180.0, 90.0), (-9.14, 38.72),
  ])
  func `a cell contains its place and is two kilometres wide`(longitude: Double, latitude: Double)
    throws
  {
    let place = try Coordinate(longitude: longitude, latitude: latitude)
    let cell = VisitCell(place)
    let edges = cell.edges
    #expect(edges[1] <= latitude + 1e-9 && latitude <= edges[3] + 1e-9)
    #expect(edges[0] <= longitude + 1e-9 && longitude <= edges[2] + 1e-9)
    #expect(VisitCell(text: cell.text) == cell)
    #expect(VisitCell(cell.middle) == cell)
    let middle = cell.middle
    for (corner, other) in [
      ((edges[0], edges[1]), (edges[2], edges[1])), ((edges[0], edges[3]), (edges[2], edges[3])),
    ]
    where abs(latitude) < 89 {
      let width = Coordinate.clamped(longitude: corner.0, latitude: corner.1)
        .distance(to: .clamped(longitude: other.0, latitude: other.1))
      #expect(width > 1_000, "\(middle) \(width)")
    }
  }

  @Test(arguments: [
    "", "1", "1-2-3", "9000-0", "-1-0", "01-0", "4500-18000", "4500-99999", "a-b", "4500- 1",
  ])
  func `a cell that does not exist is refused`(text: String) {
    #expect(VisitCell(text: text) == nil)
  }

  private func window(_ hours: VisitHours, _ now: String) throws -> [String?] {
    let found = hours.window(at: try #require(Timestamp(text: now)))
    return [found?.from.text, found?.until.text]
  }

  @Test func `hours are those of the time zone, also when the clocks change`() throws {
    // 2027-03-28 is a Sunday on which the clocks in Lisbon go from 01:00 to 02:00.
    let hours = VisitHours(
      weekly: [VisitHours.Span(weekday: 7, from: 90, to: 600)], timeZone: "Europe/Lisbon")
    #expect(
      try window(hours, "2027-03-27T12:00:00Z") == ["2027-03-28T01:30:00Z", "2027-03-28T09:00:00Z"])
    let later = VisitHours(
      weekly: [VisitHours.Span(weekday: 7, from: 60, to: 600)], timeZone: "America/New_York")
    #expect(
      try window(later, "2026-11-22T05:59:00Z")
        == ["2026-11-22T06:00:00Z", "2026-11-22T15:00:00Z"])
    // During the hours, and at their end.
    #expect(
      try window(later, "2026-11-22T14:59:59Z")
        == ["2026-11-22T06:00:00Z", "2026-11-22T15:00:00Z"])
    #expect(
      try window(later, "2026-11-22T15:00:00Z")
        == ["2026-11-29T06:00:00Z", "2026-11-29T15:00:00Z"])
    #expect(VisitHours().window(at: Timestamp(secondsSinceEpoch: 0)) == nil)
  }

  @Test func `hours until midnight end on the next day`() throws {
    let hours = VisitHours(weekly: [VisitHours.Span(weekday: 6, from: 1_380, to: 1_440)])
    #expect(
      try window(hours, "2026-11-21T23:59:59Z")
        == ["2026-11-21T23:00:00Z", "2026-11-22T00:00:00Z"])
  }

  @Test func `available now ends at its time`() throws {
    let until = try #require(Timestamp(text: "2026-11-21T14:00:00Z"))
    let hours = VisitHours(until: until)
    #expect(
      try window(hours, "2026-11-21T13:59:59Z")
        == ["2026-11-21T13:59:59Z", "2026-11-21T14:00:00Z"])
    #expect(try window(hours, "2026-11-21T14:00:00Z") == [nil, nil])
  }

  // The order, in the database.

  private static func zone(_ number: Int) -> VisitCell {
    VisitCell(.clamped(longitude: 0.001 + 0.02 * Double(number), latitude: 0.001))
  }

  @Test func `the nearest zone is asked first, then the next, then all`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let far = try app.account("far")
    let near = try app.account("near")
    let beyond = try app.account("beyond")
    try app.volunteer(far, TestApp.settings(Self.zone(2), radius: 10))
    try app.volunteer(near, TestApp.settings(Self.zone(1), radius: 10))
    try app.volunteer(beyond, TestApp.settings(Self.zone(9), radius: 10))
    let id = try app.asked(try app.visitedDevice(), as: ana)
    for helper in [near, far] {
      let offer = try #require(try app.offer(to: helper))
      _ = app.answer(offer, "decline", as: helper)
      try app.app.visits.finish()
    }
    #expect(try app.offer(to: beyond) == nil)
    #expect(try app.state(id) == "open")
    // A volunteer who comes later gets an offer although it is open.
    let late = try app.account("late")
    try app.volunteer(late)
    app.clock.advance(by: .seconds(VisitRules.maxPause))
    try app.app.visits.finish()
    #expect(try app.offer(to: late) != nil)
    #expect(try app.state(id) == "offered")
    try app.checkVisits()
  }

  @Test func `the volunteers of a zone take turns`() throws {
    let app = try TestApp()
    let helpers = try (0..<3).map { try app.account("helper\($0)") }
    for helper in helpers { try app.volunteer(helper) }
    var order: [Int] = []
    for number in 0..<6 {
      let asker = try app.account("asker\(number)")
      try app.asked(try app.visitedDevice("Gate \(number)"), as: asker)
      for (place, helper) in helpers.enumerated() {
        guard let offer = try app.offer(to: helper) else { continue }
        order.append(place)
        let answer = app.answer(offer, "accept", as: helper, [:])
        let id = try answer.json["id"]?.stringValue ?? ""
        #expect(app.visit(id, "outcome", as: helper, ["outcome": "confirmed"]).status == .ok)
      }
    }
    #expect(order == [0, 1, 2, 0, 1, 2])
  }

  @Test func `whoever does not fit is not asked`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let author = try app.account("author")
    let device = try app.device(by: author, name: "Gate", longitude: 0.001, latitude: 0.001)
    for (name, change) in [
      ("paused", { $0.isPaused = true }), ("kind", { $0.kinds = ["microphone"] }),
      ("rests", { $0.hours = VisitHours() }),
    ] as [(String, (inout VolunteerSettings) -> Void)] {
      try app.volunteer(try app.account(name), TestApp.settings { change(&$0) })
    }
    let away = try app.account("away", isSuspended: true)
    for account in [ana, author, away] { try app.volunteer(account) }
    let id = try app.asked(device, as: ana)
    #expect(try app.integer("SELECT count(*) FROM visit_offer") == 0)
    // The one whose category differs and the paused one are never asked; the one without hours may be.
    #expect(try app.state(id) == "waiting")
    app.clock.advance(by: .seconds(VisitRules.wait))
    try app.app.visits.finish()
    #expect(try app.state(id) == "open")
  }

  @Test func `no more offers in a day than a volunteer wants`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let ben = try app.account("ben")
    try app.volunteer(ben, TestApp.settings { $0.offersPerDay = 2 })
    for number in 0..<3 {
      try app.asked(try app.visitedDevice("Gate \(number)"), as: ana)
      _ = app.answer(try app.offer(to: ben), "decline", as: ben)
    }
    try app.app.visits.finish()
    #expect(try app.integer("SELECT count(*) FROM visit_offer") == 2)
    app.clock.advance(by: .seconds(86_400))
    try app.app.visits.finish()
    #expect(try app.integer("SELECT count(*) FROM visit_offer") == 3)
  }

  @Test func `an offer that nobody answers goes to the next after thirty minutes`() throws {
    let app = try TestApp()
    let ana = try app.account("ana")
    let helpers = try (0..<2).map { try app.account("helper\($0)") }
    for helper in helpers { try app.volunteer(helper) }
    try app.asked(try app.visitedDevice(), as: ana)
    app.clock.advance(by: .seconds(1_799))
    try app.app.visits.finish()
    let offer = try #require(try app.offer(to: helpers[0]))
    app.clock.advance(by: .seconds(1))
    #expect(app.answer(offer, "accept", as: helpers[0], [:]).status == .conflict)
    try app.app.visits.finish()
    #expect(try app.offer(to: helpers[0]) == nil)
    #expect(try app.offer(to: helpers[1]) != nil)
  }

  @Test func `a volunteer who wants it gets a device that nobody asked about`() throws {
    let app = try TestApp()
    let ben = try app.account("ben")
    let stale = try app.visitedDevice { $0.observedOn = Day(text: "2010-01-01") }
    try app.volunteer(ben)
    try app.app.visits.finish()
    #expect(try app.integer("SELECT count(*) FROM visit_request") == 0)
    // Comes first in the queue, but does not want it.
    try app.volunteer(try app.account("eva"))
    try app.volunteer(ben, TestApp.settings { $0.takesFound = true })
    try app.app.visits.finish()
    let now = try app.get(TestApp.visits + "/now", as: ben.identity).json
    #expect(now["offer"]?["visit"]?["device"]?["id"]?.stringValue == stale.id)
    #expect(now["offer"]?["visit"]?["reason"]?.stringValue == "stale")
    #expect(now["volunteer_state"]?.stringValue == "asked")
  }

  @Test(.onlySQLite("the fault is a trigger in its dialect"))
  func `a request that fails is put off, and the others go on`() throws {
    let app = try TestApp()
    let (ana, rui) = (try app.account("ana"), try app.account("rui"))
    try app.volunteer(rui)
    let (first, second) = (try app.visitedDevice(), try app.visitedDevice("Wall", longitude: 0.002))
    let visits = try [first, second].map { device -> String in
      let answer = app.ask(device, as: ana)
      return try #require(try answer.json["id"]?.stringValue, "\(answer.text)")
    }
    try app.database.write {
      try $0.execute(
        """
        CREATE TRIGGER failing BEFORE INSERT ON visit_offer WHEN NEW.request_rowid = 1
        BEGIN SELECT RAISE(ABORT, 'a test'); END
        """)
    }
    try app.app.visits.finish()
    #expect(try visits.map { try app.state($0) } == ["waiting", "offered"])
    #expect(app.log.lines.contains { $0.contains("put off") && $0.contains(visits[0]) })
    // Its next look succeeds once the fault has passed.
    try app.database.write { try $0.execute("DROP TRIGGER failing") }
    #expect(app.answer(try app.offer(to: rui), "decline", as: rui).status == .noContent)
    app.clock.advance(by: .seconds(VisitRules.maxPause))
    try app.app.visits.finish()
    #expect(try app.state(visits[0]) == "offered")
  }
}
