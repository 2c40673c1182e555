@testable import App
import Foundation
import JSON
@testable import MappingDays
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// The teams of a mapping day: numbers, never people.
@Suite struct TeamTests {
  let app: TestApp
  let ana: TestAccount
  let people: [TestAccount]

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    people = try (0..<4).map { [app] in try app.account("person\($0)") }
  }

  private func join(_ id: String, _ account: TestAccount, _ team: JSONValue) -> TestAnswer {
    app.send(
      .put, TestApp.day(id, "participation"), json: ["team": team], as: account.identity)
  }

  private func teams(_ id: String) throws -> [[JSONValue?]] {
    try app.app.mappingDays.finish()
    app.app.mappingDays.answers.forget()
    let found = try app.get(TestApp.day(id, "progress")).json["teams"]?.arrayValue ?? []
    return found.map { [$0["name"], $0["contributions"], $0["people"]] }
  }

  @Test func `a plan names up to ten different teams`() throws {
    let id = try app.day(of: ana, .draft, ["teams": [" North ", "South"]])
    let shown = try app.get(TestApp.day(id), as: ana.identity).json
    #expect(shown["teams"] == ["North", "South"])
    #expect(shown["version"]?.stringValue != nil)
    for wrong in [
      .array((0...10).map { .string("Team \($0)") }), ["North", "north"], [""], [1],
      [.string(String(repeating: "x", count: 41))], "North",
    ] as [JSONValue] {
      let answer = app.post(TestApp.days, TestApp.day(["teams": wrong]), as: ana.identity)
      #expect([400, 422].contains(answer.status.code), "\(answer.text)")
      #expect(answer.text.contains("\"field\":\"teams\""), "\(answer.text)")
    }
  }

  @Test func `the version that a moderator decides about contains the teams`() throws {
    let id = try app.day(of: ana, .draft, ["teams": ["North"]])
    func version() throws -> String? {
      try app.get(TestApp.day(id), as: ana.identity).json["version"]?.stringValue
    }
    let before = try version()
    let changed = app.send(
      .put, TestApp.day(id), json: TestApp.day(["teams": ["South"]]), as: ana.identity)
    #expect(changed.status == .ok, "\(changed.text)")
    #expect(try version() != before)
  }

  @Test func `a participant chooses a team, and another one later`() throws {
    let id = try app.day(of: ana, .approved, ["teams": ["North", "South"]])
    func team() throws -> JSONValue? {
      try app.get(TestApp.day(id), as: people[0].identity).json["participation"]?["team"]
    }
    #expect(join(id, people[0], "North").status == .ok)
    #expect(try team() == "North")
    #expect(join(id, people[0], "South").status == .ok)
    #expect(try team() == "South")
    #expect(join(id, people[0], "East").status.code == 400)
    #expect(join(id, people[0], .null).status == .ok)
    #expect(try team() == .null)
  }

  @Test func `a team has figures from three members on, in the order of the plan`() throws {
    let id = try app.day(of: ana, .approved, ["teams": ["North", "South"]])
    for person in people.prefix(2) { _ = join(id, person, "South") }
    _ = join(id, people[3], "North")
    app.clock.advance(by: .seconds(3 * 3_600))
    try app.app.mappingDays.finish()
    for (place, person) in people.enumerated() {
      _ = try app.device(by: person, longitude: 6.5 + Double(place) / 1_000, latitude: 46.5)
    }
    #expect(try teams(id) == [["North", .null, .null], ["South", .null, .null]])
    // The third member. A participant without a team contributed to no team.
    #expect(join(id, people[2], "South").status == .ok)
    #expect(try teams(id) == [["North", .null, .null], ["South", 2, .null]])
    let text = app.get(TestApp.day(id, "progress")).text + app.get(TestApp.day(id)).text
    #expect(!people.contains { text.contains($0.username) })
  }

  @Test func `the first who adds to a device counts for the team`() throws {
    let id = try app.day(of: ana, .approved, ["teams": ["North", "South"]])
    let more = try (0..<2).map { try app.account("more\($0)") }
    for person in people.prefix(3) { _ = join(id, person, "North") }
    for person in more + [people[3]] { _ = join(id, person, "South") }
    let device = try app.device(name: "Old", longitude: 6.49, latitude: 46.49)
    app.clock.advance(by: .seconds(3 * 3_600))
    try app.app.mappingDays.finish()
    try app.edit(device, by: people[3], "name", .text("Second"))
    app.clock.advance(by: .seconds(1))
    try app.edit(device, by: people[0], "name", .text("Third"))
    #expect(try teams(id) == [["North", 0, .null], ["South", 1, .null]])
  }

  @Test func `at the end small teams are forgotten, and the others stay in the report`() throws {
    let id = try app.day(of: ana, .approved, ["teams": ["North", "South"]])
    for person in people.prefix(3) { _ = join(id, person, "North") }
    _ = join(id, people[3], "South")
    app.clock.advance(by: .seconds(3 * 3_600))
    try app.app.mappingDays.finish()
    for (place, person) in people.enumerated() {
      _ = try app.device(by: person, longitude: 6.5 + Double(place) / 1_000, latitude: 46.5)
    }
    try app.app.mappingDays.finish()
    app.clock.advance(by: .seconds(4 * 3_600))
    #expect(try teams(id) == [["North", 3, .null], ["South", .null, .null]])
    #expect(
      try app.integer("SELECT count(*) FROM mapping_day_contribution WHERE team = 'South'") == 0)
    // After the participants are forgotten, the report stays as it is.
    app.clock.advance(by: .seconds(DaySweep.memory * 86_400))
    try app.app.works["mapping_day_sweep"]?("{}")
    #expect(try app.count("mapping_day_participant") == 0)
    #expect(try teams(id) == [["North", 3, .null], ["South", .null, .null]])
  }
}
