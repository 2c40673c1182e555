@testable import App
import JSON
@testable import Operators
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Requests that people make together, seen as the public and attackers see them.
@Suite struct CommonRequestTests {
  let town: Town
  let camera: String
  private static let path = "/api/common-requests"

  init() throws {
    town = try Town()
    camera = try town.device("camera_fixed", of: "Metro AG")
  }

  private var app: TestApp { town.app }

  /// The request of a person, made common.
  private func opened(by person: TestAccount) throws -> (request: String, choice: String) {
    let choice = try #require(try town.ask([person], about: camera).first)
    let answer = app.send(
      .post, Self.path, json: ["choice": .string(choice)], as: try fresh(person))
    try #require(answer.status == .ok, "\(answer.text)")
    return (try #require(try answer.json["request"]?.stringValue), choice)
  }

  /// A session that weeks have not ended.
  private func fresh(_ person: TestAccount) throws -> Identity { try app.signIn(person.rowid) }

  @discardableResult
  private func join(_ request: String, _ person: TestAccount, sending: Bool = true) throws -> String
  {
    let answer = app.send(.post, "\(Self.path)/\(request)/join", as: try fresh(person))
    try #require(answer.status == .ok, "\(answer.text)")
    let choice = try #require(try answer.json["choice"]?.stringValue)
    if sending {
      let sent = app.event(choice, "sent", ["channel": "email"], as: person)
      try #require(sent.status == .ok, "\(sent.text)")
    }
    return choice
  }

  /// A week passes, and the job runs.
  private func publish() throws {
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.commonRequests.publication.run()
  }

  private func shown(_ request: String) throws -> JSONValue {
    let answer = app.get("\(Self.path)/\(request)")
    try #require(answer.status == .ok, "\(answer.text)")
    return try answer.json
  }

  @Test func `people join with letters of their own, and are counted in steps from ten on`() throws
  {
    let people = try town.people(26)
    let (request, _) = try opened(by: people[0])
    for person in people[1..<9] { try join(request, person) }
    try publish()
    let few = try shown(request)
    #expect(few["people"] == .null && few["due_on"] == .null && few["shown_on"] == .null)
    try join(request, people[9])
    #expect(try shown(request) == few, "nothing changes before Monday")
    try publish()
    let ten = try shown(request)
    #expect(ten["people"] == 10 && ten["operator"]?["key"] == "metro")
    for person in people[10..<19] { try join(request, person) }
    try publish()
    #expect(try shown(request)["people"] == 10, "nine more")
    for person in people[19...] { try join(request, person) }
    try publish()
    #expect(try shown(request)["people"] == 25)
  }

  @Test func `none and few look the same`() throws {
    let people = try town.people(2)
    let (one, choice) = try opened(by: people[0])
    try publish()
    let few = try shown(one)
    _ = app.send(.delete, "/api/choices/\(choice)", as: try fresh(people[0]))
    #expect(try app.count("common_request_member") == 0)
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.commonRequests.publication.run()
    var none = try shown(one).objectValue ?? [:]
    #expect(none["as_of"] != few["as_of"])
    none["as_of"] = few["as_of"]
    #expect(.object(none) == few)
  }

  @Test func `only sent letters of confirmed accounts count, each person once`() throws {
    let people = try town.people(10)
    let (request, _) = try opened(by: people[0])
    for person in people[1..<9] { try join(request, person) }
    let unsent = try join(request, people[9], sending: false)
    #expect(try join(request, people[9], sending: false) == unsent, "joining again is the same")
    let second = try #require(try town.ask([people[0]], about: camera).first)
    let again = app.send(
      .post, Self.path, json: ["choice": .string(second)], as: try fresh(people[0]))
    #expect(try again.json["request"]?.stringValue == request)
    #expect(try again.json["choice"]?.stringValue != second)
    try publish()
    #expect(try shown(request)["people"] == .null)
    #expect(app.event(unsent, "sent", ["channel": "email"], as: people[9]).status == .ok)
    try publish()
    #expect(try shown(request)["people"] == 10)
  }

  @Test func `the deadline counts from the first Monday with a number`() throws {
    let people = try town.people(10)
    let (request, _) = try opened(by: people[0])
    for person in people[1...] { try join(request, person) }
    try publish()
    let shown = try self.shown(request)
    let day = try #require(shown["shown_on"]?.stringValue.flatMap { Day(text: $0) })
    let due = try #require(shown["due_on"]?.stringValue.flatMap { Day(text: $0) })
    #expect(due == DeadlineRule().end(of: .months(1), from: day) || due > day.adding(months: 1))
    // No counted person has a later deadline.
    let last = try app.text("SELECT max(last_day) FROM choice") ?? "9999"
    #expect(last <= due.text)
    try publish()
    #expect(try self.shown(request)["due_on"]?.stringValue == due.text, "it does not move")
  }

  @Test func `answers are shown when ten people have the same`() throws {
    let people = try town.people(21)
    let (request, first) = try opened(by: people[0])
    var choices = [first]
    for person in people[1...] { choices.append(try join(request, person)) }
    try publish()
    for (choice, person) in zip(choices, people).prefix(9) {
      #expect(app.event(choice, "honoured", as: person).status == .ok)
    }
    try publish()
    #expect(try shown(request)["answers"]?["honoured"] == .null)
    #expect(app.event(choices[9], "honoured", as: people[9]).status == .ok)
    try publish()
    let answers = try shown(request)["answers"]
    #expect(answers?["honoured"] == 10 && answers?["refused"] == .null)
    for _ in 0..<6 { try publish() }
    #expect(try shown(request)["answers"]?["overdue"] == 10)
  }

  @Test func `no response names a person, a letter, or a time before the publication`() throws {
    let people = try town.people(12)
    let (request, _) = try opened(by: people[0])
    for person in people[1...] { try join(request, person) }
    try publish()
    for path in ["", "/\(request)"] {
      for identity in [Identity.visitor, try fresh(people[3])] {
        let text = app.get(Self.path + path, as: identity).text
        for person in people {
          #expect(!text.contains(person.username) && !text.contains(person.id))
        }
        for choice in try app.database.readPrivate({ connection in
          try connection.rows("SELECT id FROM choice") { $0.text(0) }
        }) { #expect(!text.contains(choice)) }
        #expect(!text.contains("2026-11-21"), "the day of the opening")
      }
    }
    // Moderators and admins see no more.
    let admin = try app.account("boss", role: .admin)
    #expect(try app.get("\(Self.path)/own", as: admin.identity).json["requests"]?.arrayValue == [])
    let mine = try app.get("\(Self.path)/own", as: try fresh(people[3])).json["requests"]
    #expect(mine?.arrayValue?.count == 1 && mine?[0]?["request"]?.stringValue == request)
  }

  @Test func `the figures change only for ten people at once`() throws {
    let people = try town.people(40)
    let (request, first) = try opened(by: people[0])
    var joined = [(people[0], first)]
    var rest = Array(people[1...])
    var chance = SystemRandomNumberGenerator()
    var (step, counted): (Int?, Int) = (nil, 0)
    for _ in 0..<8 {
      if Bool.random(using: &chance) || joined.count < 3 {
        for _ in 0..<Int.random(in: 1...12, using: &chance) where !rest.isEmpty {
          let person = rest.removeLast()
          joined.append((person, try join(request, person)))
        }
      } else {
        for _ in 0..<Int.random(in: 1...9, using: &chance) where joined.count > 1 {
          let (person, choice) = joined.removeLast()
          let gone = app.send(.delete, "/api/choices/\(choice)", as: try fresh(person))
          #expect(gone.status == .noContent)
        }
      }
      try publish()
      let next = try shown(request)["people"]?.intValue
      if next != step {
        #expect(abs(joined.count - counted) >= 10, "\(counted) to \(joined.count)")
        (step, counted) = (next, joined.count)
      } else if let changed = try app.integer("SELECT people FROM common_request") {
        counted = Int(changed)
      }
    }
  }

  @Test func `only requests to listed operators can be common`() throws {
    let ana = try #require(try town.people(1).first)
    let unsent = try app.choice(of: ana, about: camera)
    func open(_ choice: String) -> TestAnswer {
      app.send(.post, Self.path, json: ["choice": .string(choice)], as: ana.identity)
    }
    #expect(try open(unsent).json["type"] == "/problems/not-sent")
    for (category, name) in [
      ("camera_fixed", nil), ("doorbell_camera", "Maria Exemplo"),
      ("doorbell_camera", "Metro AG"),
    ] as [(String, String?)] {
      let choice = try #require(
        try town.ask([ana], about: try town.device(category, of: name)).first)
      let answer = open(choice)
      #expect(answer.status == .conflict, "\(category): \(answer.text)")
      #expect(try answer.json["type"] == "/problems/operator-not-listed")
    }
    let other = try #require(try town.people(1).first)
    let foreign = try #require(try town.ask([other], about: camera).first)
    #expect(open(foreign).status == .notFound)
  }

  @Test func `a common request of a withheld operator is not shown and cannot be joined`() throws {
    let people = try town.people(2)
    let (request, _) = try opened(by: people[0])
    let mia = try app.account("mia", role: .moderator)
    let withheld = app.send(
      .post, "/api/moderation/operator-rulings", json: ["kind": "withhold", "operator": "metro"],
      as: mia.identity)
    #expect(withheld.status == .created, "\(withheld.text)")
    #expect(app.get("\(Self.path)/\(request)").status == .notFound)
    #expect(!app.get(Self.path).text.contains("Metro"))
    let joined = app.send(.post, "\(Self.path)/\(request)/join", as: people[1].identity)
    #expect(joined.status == .notFound)
  }

  @Test func `one exists for an operator, a town and a kind, also under merged names`() throws {
    let people = try town.people(2)
    let (request, _) = try opened(by: people[0])
    let other = try town.device("webcam", of: "METRO")
    let choice = try #require(try town.ask([people[1]], about: other).first)
    let answer = app.send(
      .post, Self.path, json: ["choice": .string(choice)], as: people[1].identity)
    #expect(try answer.json["request"]?.stringValue == request)
    #expect(try app.count("common_request") == 1)
    let found = try app.get(Self.path, ["operator": "Metro AG"]).json["requests"]
    #expect(found?.arrayValue?.count == 1)
    #expect(try app.get(Self.path, ["device": camera]).json["requests"]?.arrayValue?.count == 1)
    #expect(try app.get(Self.path, ["operator": "nobody"]).json["requests"] == [])
  }

  @Test func `requests that ten people have not sent end, and others a year after their deadline`()
    throws
  {
    let people = try town.people(11)
    let (request, _) = try opened(by: people[0])
    app.clock.advance(by: .seconds(181 * 86_400))
    try app.app.commonRequests.publication.run()
    #expect(app.get("\(Self.path)/\(request)").status == .notFound)
    #expect(try app.count("common_request_member") == 0)
    #expect(try app.count("choice") == 1, "the letters stay")
    let (other, _) = try opened(by: people[0])
    for person in people[1...] { try join(other, person) }
    try publish()
    app.clock.advance(by: .seconds(300 * 86_400))
    try app.app.commonRequests.publication.run()
    #expect(app.get("\(Self.path)/\(other)").status == .ok)
    app.clock.advance(by: .seconds(120 * 86_400))
    try app.app.commonRequests.publication.run()
    #expect(app.get("\(Self.path)/\(other)").status == .notFound)
  }

  @Test func `erasing an account ends its part`() throws {
    let people = try town.people(2)
    let (request, _) = try opened(by: people[0])
    try join(request, people[1])
    let gone = app.send(
      .delete, "/api/account", json: ["password": .string(TestAccount.password)],
      as: try fresh(people[0]))
    #expect(gone.status == .noContent, "\(gone.text)")
    #expect(try app.count("common_request_member") == 1)
    #expect(app.get("\(Self.path)/\(request)").status == .ok)
  }

  @Test(.onlySQLite("about the query plans of SQLite"))
  func `frequent queries use an index`() throws {
    let plans = try app.database.read { connection in
      [
        try connection.explain(CommonRequestStore.one, ["x"]),
        try connection.explain(CommonRequestStore.same, ["x", 0, "access"]),
        try connection.explain(CommonRequestStore.ofOperator, ["x", -1, "", 20]),
        try connection.explain(CommonRequestStore.ofDevice, ["x", 9, 20]),
        try connection.explain(CommonRequestStore.page, [9, 20]),
        try connection.explain(CommonRequestStore.own, [1]),
        try connection.explain(CommonRequestStore.choices, [1, 0, 20]),
        try connection.explain(OutcomeRequests.oneQuery, ["x", "withdrawn", "2026", "2026"]),
        try connection.explain(OperatorDirectory.nameQuery, [1]),
      ].map { $0.joined(separator: "\n") }
    }
    for plan in plans {
      #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
  }
}
