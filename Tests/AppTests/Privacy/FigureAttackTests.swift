@testable import Accounts
@testable import App
import Downloads
import JSON
@testable import Operations
import PrivacyMap
@testable import Reading
@testable import Rights
import SpatialDatabase
import Testing
import WebServer

/// Attempts to learn the actions of one person from public numbers and dates.
@Suite struct FigureAttackTests {
  let app: TestApp
  let ana: TestAccount
  let device: String

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    device = try app.added(as: try app.account("mapper"))
  }

  private func dispute(_ device: String, as person: TestAccount) throws {
    let answer = app.post(
      Path.item(device) + "/claims",
      ["claim": "present", "verdict": "dispute", "basis": "seen"],
      as: try app.signIn(person.rowid))
    try #require(answer.status == .ok, "\(answer.text)")
  }

  @Test func `an attacker does not learn who disputed by polling profiles`() throws {
    let before = app.get("/api/people/ana")
    try dispute(device, as: ana)
    let after = app.get("/api/people/ana")
    #expect(before.bytes == after.bytes)
    #expect(before.headers["ETag"] == after.headers["ETag"])
  }

  /// The attack that a limit of ten changed numbers permitted: ten accounts of the attacker give a verdict each day,
  /// and the victim disputes four devices on one of them.
  @Test func `ten accounts that judge every day do not reveal who disputed four devices`() throws {
    let others = try (0..<10).map { try app.account("person\($0)") }
    let devices = try (0..<5).map { _ in
      let number = try app.count("account")
      return try app.added(
        longitude: 8 + Double(number) / 10, as: try app.account("owner\(number)"))
    }
    func profiles() -> [String] {
      (others + [ana]).map { person in
        let answer = app.get("/api/people/\(person.username)")
        return answer.text + (answer.headers["ETag"] ?? "")
      }
    }
    try app.app.profiles.run()
    let before = profiles()
    for day in 0..<5 {
      for other in others { try dispute(devices[day], as: other) }
      if day == 3 { for device in devices.prefix(4) { try dispute(device, as: ana) } }
      app.clock.advance(by: .seconds(86_400))
      try app.app.profiles.run()
      #expect(profiles() == before, "day \(day)")
    }
  }

  @Test func `no number of a profile depends on verdicts, not even in steps`() throws {
    let devices = try (0..<30).map { _ in try app.device().id }
    let before = app.get("/api/people/ana")
    for device in devices { try dispute(device, as: ana) }
    app.clock.advance(by: .seconds(40 * 86_400))
    try app.app.profiles.run()
    let after = app.get("/api/people/ana")
    #expect(after.bytes == before.bytes)
    let members = try after.json["contributions"]?.objectValue?.members.map(\.key)
    #expect(members == ["devices", "edits", "photos"])
  }

  @Test func `an attacker does not learn the time of a verdict from the device`() throws {
    app.clock.set("2026-11-25T17:43:21Z")
    for verdict in ["confirm", "dispute"] {
      let answer = app.post(
        Path.item(device) + "/claims",
        ["claim": "present", "verdict": .string(verdict), "basis": "seen"],
        as: try app.signIn(ana.rowid))
      try #require(answer.status == .ok, "\(answer.text)")
      let claims = try app.get(Path.item(device)).property("claims")?.arrayValue ?? []
      #expect(claims.first?["last_at"] == "2026-11-25")
      let confirmed = try app.get(Path.item(device)).property("last_confirmed")
      if verdict == "confirm" { #expect(confirmed == "2026-11-25T00:00:00Z") }
      for text in [answer.text, app.export(.csv).text] {
        #expect(!text.contains("\"last_at\":\"2026-11-25T"))
        #expect(!text.contains("last_confirmed\":\"2026-11-25T17"))
      }
    }
  }

  @Test func `an attacker does not learn the hour of a verdict by filtering on it`() throws {
    app.clock.set("2026-11-25T17:43:21Z")
    let answer = app.post(
      Path.item(device) + "/claims",
      ["claim": "present", "verdict": "confirm", "basis": "seen"],
      as: try app.signIn(ana.rowid))
    try #require(answer.status == .ok)
    for hour in 0...23 {
      let time = "2026-11-25T\(hour < 10 ? "0" : "")\(hour):00:00Z"
      let found = try app.get(
        Path.items, ["filter": "last_confirmed > TIMESTAMP('\(time)')"]
      ).matched
      #expect(found == 0, "\(hour)")
    }
  }

  @Test func `day and version do not reveal that a figure changed`() throws {
    let town = try Town()
    let camera = try town.device("camera_fixed", of: "Metro")
    let people = try town.people(10)
    let ids = try town.ask(people, about: camera)
    try town.publish()
    func version() -> String? { town.app.get("/api/outcomes").headers["ETag"] }
    func days() throws -> Set<String> {
      Set(try town.outcomes(by: "operator").values.compactMap { $0["as_of"]?.stringValue })
    }
    // All ten get a response: nothing changes until Monday, and on Monday the day changes in any
    // case.
    let (before, day) = (version(), try days())
    for (person, id) in zip(people, ids) { town.app.event(id, "honoured", as: person) }
    try town.app.app.outcomes.run()
    #expect(version() == before)
    #expect(try days() == day)
    town.app.clock.set("2026-11-29T23:59:59Z")
    try town.app.app.outcomes.run()
    #expect(try days() == day)
    town.app.clock.set("2026-11-30T00:00:00Z")
    try town.app.app.outcomes.run()
    #expect(try days() == ["2026-11-30"])
    // A week without events looks the same.
    town.app.clock.set("2026-12-07T00:00:00Z")
    try town.app.app.outcomes.run()
    #expect(try days() == ["2026-12-07"])
  }

  @Test func `a vanishing figure does not reveal that one of ten people left`() throws {
    let town = try Town()
    let people = try town.people(10)
    try town.ask(people, about: try town.device("camera_fixed", of: "Metro"))
    try town.publish()
    let before = try town.numbers()
    for person in people.prefix(9) {
      let left = town.app.send(
        .delete, "/api/account", json: ["password": .string(TestAccount.password)],
        as: try town.app.signIn(person.rowid))
      try #require(left.status == .noContent)
      try town.publish()
      #expect(try town.numbers() == before)
    }
  }

  @Test func `the stored figures do not reveal to whom a person sent a request`() throws {
    let town = try Town()
    let people = try town.people(10)
    let ids = try town.ask(people, about: try town.device("camera_fixed", of: "Metro"))
    try town.publish()
    let erased = town.app.send(
      .delete, "/api/choices/\(ids[0])", as: try town.app.signIn(people[0].rowid))
    try #require(erased.status == .noContent)
    #expect(
      try town.app.integer(
        "SELECT count(*) FROM outcome_member WHERE person = ?", [.integer(people[0].rowid)]) == 0)
    let export = town.app.get("/api/account/export", as: try town.app.signIn(people[0].rowid))
    #expect(!export.text.contains("Metro"))
  }

  @Test func `single responses do not reveal the median of the days`() throws {
    let town = try Town()
    let people = try town.people(12)
    let ids = try town.ask(people, about: try town.device("camera_fixed", of: "Metro"))
    for (person, id) in zip(people, ids).prefix(10) {
      town.app.event(id, "honoured", as: person)
    }
    try town.publish()
    let before = try town.numbers()
    #expect(try town.outcomes(by: "operator")["Metro"]?["median_days"] == 0)
    // Two more get a response, weeks later: the median does not change for them.
    for (person, id) in zip(people, ids).suffix(2) {
      town.app.event(id, "refused", as: person)
    }
    try town.publish()
    #expect(try town.numbers() == before)
  }

  @Test func `metrics do not reveal people or operators`() throws {
    let app = try TestApp(monitoring: Monitoring(access: .loopback))
    let ana = try app.account("ana")
    let device = try app.added(as: try app.account("mapper"))
    _ = try app.choice(of: ana, about: device)
    _ = app.get("/api/people/ana")
    let text = app.metrics.text
    try #require(text.contains("farol_"))
    for secret in ["ana", device, "example.org", "Metro"] {
      #expect(!text.contains("\"\(secret)\""), "\(secret)")
    }
    #expect(app.send(.get, "/metrics", from: "203.0.113.9").status != .ok)
  }

  @Test func `statistics do not reveal the number of accounts`() throws {
    for number in 0..<30 { _ = try app.account("many\(number)") }
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.people.run()
    let nobody = try TestApp()
    #expect(
      app.get("/api/statistics/people").bytes == nobody.get("/api/statistics/people").bytes)
  }
}
