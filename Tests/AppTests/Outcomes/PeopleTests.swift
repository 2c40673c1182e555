@testable import Accounts
@testable import App
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Counts of accounts, in groups.
@Suite struct PeopleTests {
  private func town(_ counts: [Role: Int], minimum: Int = 10) throws -> TestApp {
    var settings = InstanceSettings()
    settings.peopleMinimum = minimum
    let app = try TestApp(settings: settings)
    for (role, count) in counts {
      for number in 0..<count { _ = try app.account("\(role.rawValue)\(number)", role: role) }
    }
    try app.app.people.run()
    return app
  }

  private func groups(_ app: TestApp, by grouping: String) throws -> [String: Int] {
    let json = try app.get("/api/statistics/people", ["group_by": grouping]).json
    var found: [String: Int] = [:]
    for group in json["groups"]?.arrayValue ?? [] {
      found[try #require(group["group"]?.stringValue)] = group["people"]?.intValue
    }
    return found
  }

  private func publish(_ app: TestApp) throws {
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.people.run()
  }

  @Test func `too few and no accounts get the same response with two members only`() throws {
    let answer: JSONValue = ["too_few": true, "minimum": 10]
    let (nobody, nine) = (try town([:]), try town([.contributor: 9]))
    for grouping in PeopleGrouping.allCases {
      for app in [nobody, nine] {
        let json = try app.get(
          "/api/statistics/people", ["group_by": grouping.rawValue]
        ).json
        #expect(json == answer)
      }
    }
  }

  @Test func `ten are published, and counts are rounded to five`() throws {
    #expect(try groups(town([.contributor: 10]), by: "role") == ["contributor": 10])
    let app = try town([.contributor: 23, .operator: 12])
    #expect(try groups(app, by: "role") == ["contributor": 25, "operator": 10])
    #expect(try groups(app, by: "year") == ["2026": 35])
    let json = try app.get("/api/statistics/people").json
    #expect(json["minimum"] == 10)
    #expect(json["rounded_to"] == 5)
    #expect(json["group_by"] == "role")
  }

  @Test func `the default minimum is a thousand`() throws {
    let app = try TestApp()
    for number in 0..<20 { _ = try app.account("person\(number)") }
    try app.app.people.run()
    #expect(try app.get("/api/statistics/people").json == ["too_few": true, "minimum": 1_000])
  }

  @Test func `the few admins are not revealed by subtracting all other roles`() throws {
    let app = try town([.contributor: 40, .operator: 12, .admin: 3])
    // All of 2026 less contributors less operators would be the admins.
    #expect(try groups(app, by: "year") == ["2026": 55])
    #expect(try groups(app, by: "role") == ["contributor": 40])
  }

  @Test func `one more or less changes nothing, the tenth does`() throws {
    let app = try town([.contributor: 22])
    let before = try groups(app, by: "role")
    _ = try app.account("one-more")
    try publish(app)
    #expect(try groups(app, by: "role") == before)
    for number in 0..<9 { _ = try app.account("late\(number)") }
    try publish(app)
    #expect(try groups(app, by: "role") == ["contributor": 30])
  }

  @Test func `the deletion of one account is not visible`() throws {
    let app = try town([.contributor: 23])
    let before = try groups(app, by: "role")
    try app.database.write {
      try $0.execute("DELETE FROM account WHERE username = 'contributor3'")
    }
    try publish(app)
    #expect(try groups(app, by: "role") == before)
  }

  @Test func `new, unconfirmed and suspended accounts do not count`() throws {
    let app = try town([.contributor: 9])
    _ = try app.account("fresh", isNew: true)
    _ = try app.account("maybe", isConfirmed: false)
    _ = try app.account("away", isSuspended: true)
    try app.database.write { try $0.execute("DELETE FROM publication") }
    try app.app.people.run()
    #expect(try groups(app, by: "role").isEmpty)
  }

  @Test func `people are grouped by contributions, country and main kind`() throws {
    var settings = InstanceSettings()
    settings.peopleMinimum = 10
    let app = try TestApp(settings: settings)
    for number in 0..<24 {
      let person = try app.account("person\(number)")
      guard number < 12 else { continue }
      _ = try app.added(["category": "beacon"], longitude: Double(number), as: person)
    }
    try app.database.write { try $0.execute("UPDATE device SET country = 'PT'") }
    try app.app.people.run()
    #expect(try groups(app, by: "contribution") == ["devices": 10, "none": 10])
    #expect(try groups(app, by: "country") == ["PT": 10, "none": 10])
    #expect(try groups(app, by: "category") == ["beacon": 10, "none": 10])
  }

  @Test func `any other parameter is refused`() throws {
    let app = try town([.contributor: 12])
    for query: TestApp.Parameters in [
      ["role": "admin"], ["bbox": "1,2,3,4"], ["group_by": "username"], ["since": "2026"],
    ] {
      #expect(app.get("/api/statistics/people", query).status == .badRequest)
    }
  }

  @Test func `a higher minimum hides groups below it`() throws {
    let app = try town([.contributor: 12])
    let strict = try PeoplePublication(
      database: app.database, environment: app.environment,
      publicChanges: PublicChanges(app.database), minimum: 20,
      features: App.kinds)
    app.clock.advance(by: .seconds(7 * 86_400))
    try strict.run()
    #expect(try app.count("people_group") == 0)
  }

  @Test func `the job runs once a day`() throws {
    let app = try town([.contributor: 10])
    #expect(app.app.works[PeoplePublication.job] != nil)
    #expect(app.app.repeatedWorks[PeoplePublication.job] == .seconds(3_600))
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `the queries of the job use an index`() throws {
    let app = try town([.contributor: 10])
    try app.database.read { connection in
      let plan = try connection.explain(PeopleStore.groupsQuery, ["role"])
      #expect(plan.contains { $0.contains("SEARCH people_group USING INDEX") }, "\(plan)")
      let census = try connection.explain(
        PeopleStore(App.kinds).censusQuery, [0, "2026", "2026", 10])
      for index in ["device_by_account", "revision_by_account", "verdict_by_account"] {
        #expect(census.contains { $0.contains(index) }, "\(index): \(census)")
      }
    }
  }
}
