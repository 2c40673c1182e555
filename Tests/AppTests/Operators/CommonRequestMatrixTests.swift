@testable import App
import JSON
@testable import Operators
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Every outcome of a common request × every role: the visible figures, below and above the floor of ten people.
@Suite struct CommonRequestMatrixTests {
  /// The events that the people of a request enter, and the figure that counts their outcome.
  struct Outcome: CustomTestStringConvertible, Sendable {
    let events: [String]
    let before: Figure?
    /// After the deadline.
    let after: Figure?

    var testDescription: String { events.isEmpty ? "no answer" : events.joined(separator: ", ") }
  }

  enum Figure: String, CaseIterable, Sendable { case honoured, refused, overdue }

  static let outcomes = [
    Outcome(events: [], before: nil, after: .overdue),
    Outcome(events: ["acknowledged"], before: nil, after: .overdue),
    Outcome(events: ["honoured"], before: .honoured, after: .honoured),
    Outcome(events: ["honoured", "confirmed"], before: .honoured, after: .honoured),
    Outcome(events: ["honoured", "contested"], before: nil, after: .overdue),
    Outcome(events: ["refused"], before: .refused, after: .refused),
    Outcome(events: ["refused", "complained"], before: .refused, after: .refused),
    Outcome(events: ["withdrawn"], before: nil, after: nil),
  ]
  private static let path = "/api/common-requests"
  private static let floor = Suppression.minimum

  let town: Town
  let camera: String

  init() throws {
    town = try Town()
    camera = try town.device("camera_fixed", of: "Metro AG")
  }

  private var app: TestApp { town.app }

  private func fresh(_ person: TestAccount) throws -> Identity { try app.signIn(person.rowid) }

  /// A common request in which each of these people has sent a letter.
  private func common(_ people: [TestAccount]) throws -> (request: String, choices: [String]) {
    let first = try #require(people.first)
    let choice = try #require(try town.ask([first], about: camera).first)
    let opened = app.send(
      .post, Self.path, json: ["choice": .string(choice)], as: try fresh(first))
    let request = try #require(try opened.json["request"]?.stringValue)
    var choices = [choice]
    for person in people.dropFirst() {
      let joined = app.send(.post, "\(Self.path)/\(request)/join", as: try fresh(person))
      let own = try #require(try joined.json["choice"]?.stringValue)
      try #require(app.event(own, "sent", ["channel": "email"], as: person).status == .ok)
      choices.append(own)
    }
    return (request, choices)
  }

  private func publish(weeks: Int = 1) throws {
    for _ in 0..<weeks {
      app.clock.advance(by: .seconds(7 * 86_400))
      try app.app.commonRequests.publication.run()
    }
  }

  /// All roles that a reader may have.
  private func roles(participant: TestAccount) throws -> [(name: String, account: TestAccount?)] {
    let other = try #require(try town.people(1).first)
    let company = try app.approved("Metro AG", "metro.example")
    return [
      ("visitor", nil), ("participant", participant), ("other", other),
      ("operator", company.account), ("moderator", try app.account("mia", role: .moderator)),
      ("admin", try app.account("boss", role: .admin)),
    ]
  }

  private func identity(_ account: TestAccount?) throws -> Identity {
    try account.map(fresh) ?? .visitor
  }

  @Test(arguments: outcomes, [floor - 1, floor])
  func `an outcome is counted from ten people on, and all roles see the same`(
    _ outcome: Outcome, _ count: Int
  ) throws {
    let people = try town.people(Self.floor * 2)
    let (request, choices) = try common(people)
    let roles = try self.roles(participant: people[0])
    try publish()
    for (choice, person) in zip(choices, people).prefix(count) {
      for event in outcome.events {
        let details: JSONValue = event == "contested" ? ["reason": "Nothing has arrived."] : [:]
        let reported = app.event(choice, event, details, as: person)
        try #require(reported.status == .ok, "\(event): \(reported.text)")
      }
    }
    try publish()
    try check(request, people.count, count, outcome, outcome.before, roles)
    try publish(weeks: 6)
    try check(request, people.count, count, outcome, outcome.after, roles)
  }

  /// Compares the public figures with the table, and the responses to all roles with each other.
  private func check(
    _ request: String, _ people: Int, _ count: Int, _ outcome: Outcome, _ figure: Figure?,
    _ roles: [(name: String, account: TestAccount?)]
  ) throws {
    let seen = try app.get("\(Self.path)/\(request)").json
    let isLate = figure == outcome.after && figure != outcome.before || outcome.events.isEmpty
    let left = outcome.events == ["withdrawn"] && count >= Self.floor ? people - count : people
    #expect(seen["people"]?.intValue == (left >= Self.floor ? Self.floor : nil))
    let late = try isPast(seen) ? (isLate ? people : people - count) : 0
    for one in Figure.allCases {
      let expected = one == .overdue ? late : one == figure ? count : 0
      let shown = seen["answers"]?[one.rawValue]
      #expect(
        shown?.intValue == (expected >= Self.floor ? Self.floor : nil),
        "\(one) of \(expected): \(shown?.text ?? "")")
    }
    for (name, account) in roles {
      let reader = try identity(account)
      #expect(try app.get("\(Self.path)/\(request)", as: reader).json == seen, "\(name)")
      let listed = try app.get(Self.path, ["device": camera], as: reader).json["requests"]
      #expect(listed?.arrayValue == [seen], "\(name)")
      let named = try app.get(Self.path, ["operator": "metro"], as: reader).json["requests"]
      #expect(named?.arrayValue == [seen], "\(name)")
      let own = app.get("\(Self.path)/own", as: reader)
      if account == nil {
        #expect(own.status == .unauthorized)
      } else {
        let takesPart = name == "participant" ? 1 : 0
        #expect(try own.json["requests"]?.arrayValue?.count == takesPart, "\(name)")
      }
    }
  }

  private func isPast(_ seen: JSONValue) throws -> Bool {
    let due = try #require(seen["due_on"]?.stringValue.flatMap { Day(text: $0) })
    let counted = try #require(seen["as_of"]?.stringValue.flatMap { Day(text: $0) })
    return counted > due
  }

  @Test func `below ten people, no role sees a number, a deadline or an outcome`() throws {
    let people = try town.people(Self.floor - 1)
    let (request, choices) = try common(people)
    for (choice, person) in zip(choices, people) {
      try #require(app.event(choice, "refused", as: person).status == .ok)
    }
    let roles = try self.roles(participant: people[0])
    try publish()
    for (name, account) in roles {
      let seen = try app.get("\(Self.path)/\(request)", as: try identity(account)).json
      for member in ["people", "due_on", "shown_on"] { #expect(seen[member] == .null, "\(name)") }
      for one in Figure.allCases {
        #expect(seen["answers"]?[one.rawValue] == .null, "\(name)")
      }
    }
  }

  @Test func `only accounts can join, whatever their role, each with a letter of its own`() throws {
    let people = try town.people(2)
    let (request, _) = try common([people[0]])
    for (name, account) in try roles(participant: people[0]) {
      let joined = app.send(
        .post, "\(Self.path)/\(request)/join", as: try identity(account))
      guard let account else {
        #expect(joined.status == .unauthorized)
        continue
      }
      try #require(joined.status == .ok, "\(name): \(joined.text)")
      let choice = try #require(try joined.json["choice"]?.stringValue)
      let owner = try app.integer(
        "SELECT account_rowid FROM choice WHERE id = ?", [.text(choice)])
      #expect(owner == account.rowid, "\(name)")
      #expect(try joined.json["sent"] == .bool(name == "participant"))
    }
    try publish()
    #expect(try app.get("\(Self.path)/\(request)").json["people"] == .null)
  }
}
