@testable import Accounts
@testable import App
import JSON
@testable import Operators
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Common requests whose operator, device or participants change after the opening.
@Suite struct CommonRequestChangeTests {
  let town: Town
  let camera: String
  private static let path = "/api/common-requests"
  private static let rulings = "/api/moderation/operator-rulings"

  init() throws {
    town = try Town()
    camera = try town.device("camera_fixed", of: "Metro AG")
  }

  private var app: TestApp { town.app }

  private func fresh(_ person: TestAccount) throws -> Identity { try app.signIn(person.rowid) }

  private func person() throws -> TestAccount { try #require(try town.people(1).first) }

  /// Makes a sent request of a person common.
  private func open(_ person: TestAccount, about device: String) throws -> TestAnswer {
    let choice = try #require(try town.ask([person], about: device).first)
    return app.send(.post, Self.path, json: ["choice": .string(choice)], as: try fresh(person))
  }

  private func opened(_ person: TestAccount, about device: String) throws -> String {
    let answer = try open(person, about: device)
    return try #require(try answer.json["request"]?.stringValue, "\(answer.text)")
  }

  private func join(_ request: String, _ person: TestAccount) throws -> TestAnswer {
    app.send(.post, "\(Self.path)/\(request)/join", as: try fresh(person))
  }

  private func listed(_ query: TestApp.Parameters) throws -> [String] {
    let answer = app.get(Self.path, query)
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
  }

  /// Merges the operator of the camera into the other one, and returns the id of that decision.
  private func merge(as moderator: TestAccount) throws -> String {
    let merged = app.send(
      .post, Self.rulings,
      json: ["kind": "merge", "operator": "metro", "into": "Tram Company", "reason": "Bought"],
      as: moderator.identity)
    try #require(merged.status == .created, "\(merged.text)")
    return try #require(try merged.json["id"]?.stringValue, "\(merged.text)")
  }

  @Test func `after a merge people join the request that exists, under either name`() throws {
    let request = try opened(try person(), about: camera)
    let other = try town.device("webcam", of: "Tram Company")
    _ = try merge(as: try app.account("mia", role: .moderator))
    for device in [camera, other] {
      #expect(try opened(try person(), about: device) == request)
    }
    #expect(try app.count("common_request") == 1)
    #expect(try listed(["operator": "tram-company"]) == [request])
  }

  @Test func `a request opened during a merge belongs to its own operator when that is undone`()
    throws
  {
    let other = try town.device("webcam", of: "Tram Company")
    let mia = try app.account("mia", role: .moderator)
    let id = try merge(as: mia)
    let request = try opened(try person(), about: camera)
    #expect(try listed(["operator": "tram-company"]) == [request])
    let undone = app.send(
      .post, "\(Self.rulings)/\(id)/undo", json: ["reason": "A mistake"], as: mia.identity)
    try #require(undone.status == .noContent, "\(undone.text)")
    #expect(try listed(["operator": "metro"]) == [request])
    #expect(try listed(["operator": "tram-company"]) == [])
    #expect(try opened(try person(), about: other) != request)
  }

  @Test func `a person who withdrew a request takes part again with a new one`() throws {
    let people = try town.people(2)
    let request = try opened(people[0], about: camera)
    let first = try #require(try join(request, people[1]).json["choice"]?.stringValue)
    #expect(app.event(first, "withdrawn", as: people[1]).status == .ok)
    let again = try join(request, people[1])
    let second = try #require(try again.json["choice"]?.stringValue, "\(again.text)")
    #expect(try second != first && again.json["sent"] == false)
    #expect(app.event(second, "sent", ["channel": "email"], as: people[1]).status == .ok)
    // The opener withdraws, asks again, and makes that request common.
    let own = try app.text(
      "SELECT choice_id FROM common_request_member WHERE account_rowid = ?",
      [.integer(people[0].rowid)])
    #expect(app.event(try #require(own), "withdrawn", as: people[0]).status == .ok)
    #expect(try open(people[0], about: camera).json["sent"] == true)
    #expect(try app.count("common_request_member") == 2)
    let withdrawn = try app.integer(
      """
      SELECT count(*) FROM common_request_member AS member
      JOIN choice ON choice.id = member.choice_id WHERE choice.state = 'withdrawn'
      """)
    #expect(withdrawn == 0)
  }

  @Test func `a device of a household operator is in no common request, whatever its category`()
    throws
  {
    let owned = try app.device(longitude: 7.6, latitude: 46.5) {
      $0.answersFor = Operator(kind: .household)
    }
    let refused = try open(try person(), about: owned.id)
    #expect(try refused.json["type"] == "/problems/operator-not-listed")
    // A correction later has the same effect.
    let mapper = try person()
    let other = try app.added(
      ["category": "camera_fixed", "operator": ["kind": "company", "name": "Metro AG"]],
      longitude: 7.5, as: mapper)
    let request = try opened(try person(), about: other)
    let corrected = try app.patch(
      other, ["properties": ["operator": ["kind": "household", "name": .null]]],
      as: try fresh(mapper))
    #expect(corrected.status == .ok, "\(corrected.text)")
    #expect(app.get("\(Self.path)/\(request)").status == .notFound)
    #expect(try listed(["device": other]) == [])
    #expect(try join(request, try person()).status == .notFound)
  }

  @Test func `nobody joins a request to one operator with a letter to another`() throws {
    let mapper = try person()
    let device = try app.added(
      ["category": "camera_fixed", "operator": ["kind": "company", "name": "Metro AG"]],
      longitude: 7.5, as: mapper)
    let request = try opened(try person(), about: device)
    let changed = try app.patch(
      device, ["properties": ["operator": ["kind": "company", "name": "Collector"]]],
      as: try fresh(mapper))
    #expect(changed.status == .ok, "\(changed.text)")
    let choices = try app.count("choice")
    let refused = try join(request, try person())
    #expect(refused.status == .conflict, "\(refused.text)")
    #expect(try app.count("choice") == choices, "no letter stays behind")
  }

  @Test func `the id of a request reveals the week of its opening, not the moment`() throws {
    let ids = try ["camera_fixed", "webcam"].map { category in
      let device = try town.device(category, of: "Company \(category)")
      app.clock.advance(by: .seconds(3_601))
      return try #require(DeviceID(text: try opened(try person(), about: device)))
    }
    let monday = Timestamp(startOf: Publication.monday(app.clock.now.day))
    for id in ids { #expect(id.high >> 16 == UInt64(monday.secondsSinceEpoch) * 1_000) }
    #expect(ids[0] != ids[1])
  }

  @Test func `lists of one operator and of one device have pages`() throws {
    let ana = try person()
    var all: [String] = []
    for kind in ["access", "erase"] {
      let made = app.send(
        .post, "/api/choices",
        json: ["device": .string(camera), "kind": .string(kind), "country": "CH"],
        as: try fresh(ana))
      let choice = try #require(try made.json["id"]?.stringValue, "\(made.text)")
      #expect(app.event(choice, "sent", ["channel": "email"], as: ana).status == .ok)
      let answer = app.send(
        .post, Self.path, json: ["choice": .string(choice)], as: try fresh(ana))
      all.append(try #require(try answer.json["request"]?.stringValue, "\(answer.text)"))
    }
    for (name, value) in [("operator", "metro"), ("device", camera)] {
      let first = try app.get(Self.path, [name: value, "limit": "1"]).json
      let next = try #require(first["next"]?.stringValue, "\(name)")
      let second = try app.get(Self.path, [name: value, "limit": "1", "cursor": next]).json
      #expect(second["next"] == .null)
      let found = [first, second].flatMap { page in
        page["requests"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
      }
      #expect(found.sorted() == all.sorted(), "\(name)")
    }
    let foreign = app.get(Self.path, ["operator": "metro", "cursor": "WyIxIl0"])
    #expect(foreign.status == .badRequest)
  }

  @Test func `a server that was paused does not publish what it counted before`() throws {
    let request = try opened(try person(), about: camera)
    let store = app.app.commonRequests.store
    let before = try #require(try app.database.read { try store.request(request, $0) })
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.commonRequests.publication.run()
    let counts = CommonCounts(of: before, with: Array(repeating: .asked, count: 24))
    let isPublished = try app.database.write {
      try store.publish(before, counts, on: app.clock.now.day, due: nil, $0)
    }
    #expect(!isPublished)
    #expect(try app.integer("SELECT people FROM common_request") == 0)
  }
}
