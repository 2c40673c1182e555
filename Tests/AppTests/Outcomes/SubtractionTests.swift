@testable import App
import JSON
import PrivacyMap
@testable import Rights
import SpatialDatabase
import Testing
import WebServer

/// The attacks of docs/explanation/suppression.md, each tested with responses of the interface.
@Suite struct SubtractionTests {
  let town: Town
  let camera: String

  init() throws {
    town = try Town()
    camera = try town.device("camera_fixed", of: "Metro")
  }

  @Test func `one person cannot reach the minimum of ten alone`() throws {
    let person = try town.people(1)
    for _ in 1...12 { try town.ask(person, about: camera) }
    try town.publish()
    #expect(try town.asked("Metro") == nil)
    #expect(try town.asked("camera_fixed", by: "category") == nil)
  }

  @Test func `unconfirmed, new and suspended accounts do not count`() throws {
    try town.ask(town.people(9), about: camera)
    let others = try town.people(3)
    try town.ask(others, about: camera)
    try town.app.database.write { connection in
      try connection.execute(
        "UPDATE account SET confirmed_at = NULL WHERE rowid = ?", [.integer(others[0].rowid)])
      try connection.execute(
        "UPDATE account SET suspended_at = ?, suspended_reason = 'x' WHERE rowid = ?",
        [.text(town.app.clock.now.text), .integer(others[1].rowid)])
      try connection.execute(
        "UPDATE account SET created_at = '2026-11-28T11:00:00Z' WHERE rowid = ?",
        [.integer(others[2].rowid)])
    }
    try town.publish()
    #expect(try town.asked("Metro") == nil)
    // An account counts once its suspension has ended or it is old enough.
    try town.app.database.write { connection in
      try connection.execute(
        "UPDATE account SET suspended_until = '2026-11-24T00:00:00Z' WHERE rowid = ?",
        [.integer(others[1].rowid)])
    }
    try town.publish()
    #expect(try town.asked("Metro") == 10)
  }

  @Test func `requests unsent, or withdrawn within a day, do not count`() throws {
    try town.ask(town.people(9), about: camera)
    for person in try town.people(3) { _ = try town.app.choice(of: person, about: camera) }
    for person in try town.people(2) {
      let id = try town.app.choice(of: person, about: camera)
      town.app.event(id, "withdrawn", as: person)
    }
    try town.publish()
    #expect(try town.asked("Metro") == nil)
    // Recorded as sent on a Sunday afternoon: it counts a week later, not on Monday.
    town.app.clock.set("2026-11-29T12:00:00Z")
    try town.ask(town.people(1), about: camera)
    town.app.clock.set("2026-11-30T11:59:59Z")
    try town.app.app.outcomes.run()
    #expect(try town.asked("Metro") == nil)
    town.app.clock.set("2026-12-07T00:00:00Z")
    try town.app.app.outcomes.run()
    #expect(try town.asked("Metro") == 10)
  }

  @Test func `category less operator does not reveal the few of another operator`() throws {
    try town.ask(town.people(20), about: camera)
    let small = try town.device("camera_fixed", of: "Corner shop")
    try town.ask(town.people(3), about: small)
    try town.publish()
    let category = try #require(try town.asked("camera_fixed", by: "category"))
    let metro = try #require(try town.asked("Metro"))
    #expect(category - metro == 0)
    // With enough others, the difference is at least ten.
    try town.ask(town.people(9), about: try town.device("camera_fixed", of: nil))
    try town.publish()
    #expect(try town.asked("camera_fixed", by: "category") == 30)
    #expect(try town.asked("Metro") == 20)
  }

  @Test func `operator less category does not reveal the few of another category`() throws {
    try town.ask(town.people(20), about: camera)
    try town.ask(town.people(3), about: try town.device("beacon", of: "Metro"))
    try town.publish()
    #expect(try town.asked("Metro") == 25)
    #expect(try town.outcomes(by: "category").isEmpty)
  }

  @Test func `one category less all of its operators does not reveal the overlap`() throws {
    let other = try town.device("camera_fixed", of: "Bank")
    let people = try town.people(23)
    try town.ask(Array(people.prefix(13)), about: camera)
    try town.ask(Array(people.suffix(13)), about: other)
    try town.publish()
    #expect(try town.asked("Metro") == 15)
    #expect(try town.asked("Bank") == 15)
    // Both operators less the category would be the three in both.
    #expect(try town.asked("camera_fixed", by: "category") == nil)
    try town.ask(town.people(10), about: try town.device("camera_fixed", of: nil))
    try town.publish()
    #expect(try town.asked("camera_fixed", by: "category") == 35)
  }

  @Test func `no filter selects a part of the figures`() throws {
    try town.ask(town.people(10), about: camera)
    try town.publish()
    for name in [
      "bbox", "place", "datetime", "device", "category", "country", "operator", "since", "q",
    ] {
      #expect(town.app.get("/api/outcomes", [name: "1"]).status == .badRequest, "\(name)")
    }
  }

  @Test func `every device has the figures of its operator`() throws {
    let second = try town.device("camera_fixed", of: "Metro")
    try town.ask(town.people(12), about: camera, "honoured")
    try town.ask(town.people(3), about: second)
    try town.publish()
    let first = try town.app.get("\(Path.item(camera))/choices").json["practice"]
    let other = try town.app.get("\(Path.item(second))/choices").json["practice"]
    #expect(first == other)
    #expect(first?["operator"]?["asked"] == 15)
    let place = try town.app.get("\(Path.item(camera))/choices", ["country": "PT"]).json["practice"]
    #expect(place == first)
  }

  @Test func `one more person changes nothing, nor do nine, the tenth does`() throws {
    try town.ask(town.people(12), about: camera)
    try town.publish()
    let before = try town.numbers()
    try town.ask(town.people(1), about: camera)
    try town.publish()
    #expect(try town.numbers() == before)
    try town.ask(town.people(8), about: camera)
    try town.publish()
    #expect(try town.numbers() == before)
    try town.ask(town.people(1), about: camera)
    try town.publish()
    #expect(try town.asked("Metro") == 20)
  }

  @Test func `nine accounts of an attacker do not reveal the actions of a tenth person`() throws {
    let sybils = try town.people(12)
    try town.ask(sybils, about: camera)
    try town.publish()
    let before = try town.numbers()
    // Nine of the attacker's accounts change their standing, and one victim joins: ten people, and
    // no change.
    try town.ask(Array(sybils.prefix(9)), about: camera, "refused")
    try town.ask(town.people(1), about: camera, "honoured")
    try town.publish()
    #expect(try town.numbers() == before)
    // With ten of the attacker's accounts the new person is still not counted.
    try town.ask([sybils[9]], about: camera, "refused")
    try town.publish()
    let metro = try #require(try town.outcomes(by: "operator")["Metro"])
    #expect(metro["refused"] == 10)
    #expect(metro["asked"] == 10)
    #expect(metro["honoured"] == 0)
    let category = try town.outcomes(by: "category")["camera_fixed"]
    #expect(category?["asked"] == 10)
    #expect(category?["honoured"] == 0)
  }

  @Test func `a single response is not visible`() throws {
    let people = try town.people(12)
    let ids = try town.ask(people, about: camera)
    try town.publish()
    let before = try town.numbers()
    for (person, id) in zip(people, ids).prefix(9) {
      town.app.event(id, "honoured", as: person)
    }
    try town.publish()
    #expect(try town.numbers() == before)
    town.app.event(ids[9], "honoured", as: people[9])
    try town.publish()
    #expect(try town.outcomes(by: "operator")["Metro"]?["honoured"] == 10)
  }

  @Test func `withdrawing, erasing and leaving are not visible`() throws {
    let people = try town.people(13)
    let ids = try town.ask(people, about: camera)
    try town.publish()
    let before = try town.numbers()
    #expect(try town.asked("Metro") == 15)
    town.app.event(ids[0], "withdrawn", as: people[0])
    try town.publish()
    #expect(try town.numbers() == before)
    let erased = town.app.send(
      .delete, "/api/choices/\(ids[1])", as: try town.app.signIn(people[1].rowid))
    #expect(erased.status == .noContent)
    try town.publish()
    #expect(try town.numbers() == before)
    for person in people[2..<10] {
      let left = town.app.send(
        .delete, "/api/account", json: ["password": .string(TestAccount.password)],
        as: try town.app.signIn(person.rowid))
      try #require(left.status == .noContent, "\(left.text)")
    }
    try town.publish()
    // Nine have left, and fewer than ten remain: the published figure stays.
    #expect(try town.numbers() == before)
    #expect(try town.app.integer("SELECT count(*) FROM outcome_member WHERE person > 0") == 8)
    #expect(try town.app.integer("SELECT count(*) FROM outcome_member") == 26)
    let left = town.app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: try town.app.signIn(people[10].rowid))
    #expect(left.status == .noContent)
    try town.publish()
    #expect(try town.asked("Metro") == nil)
  }

  @Test func `erasing and requesting again does not count as two people`() throws {
    let people = try town.people(12)
    let ids = try town.ask(people, about: camera)
    try town.publish()
    let before = try town.numbers()
    for (person, id) in zip(people, ids).prefix(5) {
      let erased = town.app.send(
        .delete, "/api/choices/\(id)", as: try town.app.signIn(person.rowid))
      try #require(erased.status == .noContent)
    }
    try town.ask(Array(people.prefix(5)), about: camera, "honoured")
    try town.publish()
    #expect(try town.numbers() == before)
  }

  @Test func `two people who left do not block a figure that fourteen joined`() throws {
    let people = try town.people(10)
    let ids = try town.ask(people, about: camera)
    try town.publish()
    let erased = town.app.send(
      .delete, "/api/choices/\(ids[0])", as: try town.app.signIn(people[0].rowid))
    try #require(erased.status == .noContent)
    let left = town.app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: try town.app.signIn(people[1].rowid))
    try #require(left.status == .noContent)
    // They send requests about the category, without an operator.
    try town.ask(town.people(14), about: try town.device("camera_fixed", of: nil))
    try town.publish()
    #expect(try town.asked("Metro") == 10)
    #expect(try town.asked("camera_fixed", by: "category") == 25)
    // Now with the operator too.
    try town.ask(town.people(14), about: camera)
    try town.publish()
    #expect(try town.asked("Metro") == 25)
  }
}
