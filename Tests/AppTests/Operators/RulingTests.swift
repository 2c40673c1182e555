@testable import App
import JSON
@testable import Operators
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// Moderators merge, split and withhold names of operators, and undo it.
@Suite struct RulingTests {
  let app: TestApp
  let mia: TestAccount
  private static let path = "/api/moderation/operator-rulings"

  init() throws {
    app = try TestApp()
    mia = try app.account("mia", role: .moderator)
    for name in ["Koko Chicken", "Koko Chicken AG", "KKC Holding", "Third"] {
      _ = try app.device { $0.answersFor = Operator(name: name, kind: .company) }
    }
  }

  private func decide(_ body: JSONValue) -> TestAnswer {
    app.send(.post, Self.path, json: body, as: mia.identity)
  }

  private func keys() throws -> [String: Int] {
    var found: [String: Int] = [:]
    for one in try app.get("/api/operators/named").json["operators"]?.arrayValue ?? [] {
      found[one["key"]?.stringValue ?? ""] = one["devices"]?.intValue
    }
    return found
  }

  private func undo(_ answer: TestAnswer) throws -> TestAnswer {
    let id = try #require(try answer.json["id"]?.stringValue)
    return app.send(
      .post, "\(Self.path)/\(id)/undo", json: ["reason": "A mistake"], as: mia.identity)
  }

  private static let before = ["koko-chicken": 2, "kkc-holding": 1, "third": 1]

  @Test func `a merge joins operators until it is undone`() throws {
    #expect(try keys() == Self.before)
    let merged = decide([
      "kind": "merge", "operator": "KKC Holding", "into": "koko-chicken", "reason": "Same imprint",
    ])
    #expect(merged.status == .created, "\(merged.text)")
    #expect(try keys() == ["koko-chicken": 3, "third": 1])
    #expect(try app.get("/api/operators/named/kkc-holding").json["key"] == "koko-chicken")
    // A merge of the target goes on to its target.
    let second = decide([
      "kind": "merge", "operator": "koko-chicken", "into": "third", "reason": "Bought",
    ])
    #expect(try keys() == ["third": 4])
    // No circle: a merged name is no separate operator any more.
    let circle = decide([
      "kind": "merge", "operator": "third", "into": "kkc-holding", "reason": "Circle",
    ])
    #expect(circle.status == .unprocessableContent)
    #expect(try undo(second).status == .noContent)
    #expect(try undo(merged).status == .noContent)
    #expect(try undo(merged).status == .conflict)
    #expect(try keys() == Self.before)
  }

  @Test func `a split makes a spelling an operator of its own until it is undone`() throws {
    let split = decide([
      "kind": "split", "operator": "Koko Chicken AG", "reason": "Another company",
    ])
    #expect(split.status == .created, "\(split.text)")
    #expect(
      try keys() == ["koko-chicken": 1, "koko-chicken-ag": 1, "kkc-holding": 1, "third": 1])
    #expect(
      try app.get("/api/operators/named/Koko%20Chicken%20AG").json["key"] == "koko-chicken-ag")
    for name in ["Koko Chicken AG", "Koko Chicken"] {
      let again = decide(["kind": "split", "operator": .string(name), "reason": "Again"])
      #expect(again.status == .unprocessableContent, "\(name)")
    }
    let listed = app.get(Self.path, ["operator": "koko-chicken-ag"], as: mia.identity)
    #expect(try listed.json["rulings"]?.arrayValue?.count == 1)
    #expect(try undo(split).status == .noContent)
    #expect(try keys() == Self.before)
  }

  @Test func `a withheld name is listed nowhere, and the log does not contain it`() throws {
    let person = "Maria Exemplo"
    _ = try app.device { $0.answersFor = Operator(name: person, kind: .unknown) }
    let withheld = decide(["kind": "withhold", "operator": .string(person)])
    #expect(withheld.status == .created, "\(withheld.text)")
    for path in [
      "/api/operators/named", "/api/operators/named/maria-exemplo", "/sitemaps/operators-0.xml",
      "/operators/named/maria-exemplo", "/api/statistics?group_by=operator",
      "/api/statistics?group_by=operator&interval=year",
    ] {
      let text = app.send(target: path).text.lowercased()
      #expect(!text.contains("maria") || path.hasSuffix("maria-exemplo"), "\(path)")
      #expect(path.hasSuffix("exemplo") == (app.send(target: path).status == .notFound), "\(path)")
    }
    #expect(try app.get("/api/operators/named").json["devices"]?["unlisted"] == 1)
    for line in try app.audit() {
      #expect(!line.joined().lowercased().contains("maria"), "\(line)")
    }
    #expect(try undo(withheld).status == .noContent)
    #expect(try keys()["maria-exemplo"] == 1)
  }

  @Test func `a name whose letters each become a sentence can be withheld`() throws {
    let person = String(repeating: "\u{FDFA}", count: 100)
    _ = try app.device { $0.answersFor = Operator(name: person, kind: .unknown) }
    let withheld = decide(["kind": "withhold", "operator": .string(person)])
    #expect(withheld.status == .created, "\(withheld.text)")
    #expect(try keys() == Self.before)
  }

  @Test func `the log names each decision and its undoing`() throws {
    let merged = decide([
      "kind": "merge", "operator": "third", "into": "koko-chicken", "reason": "Same imprint",
    ])
    #expect(try undo(merged).status == .noContent)
    let id = try merged.json["id"]?.stringValue ?? ""
    let lines = try app.audit().suffix(2).map { Array($0.prefix(2)) }
    #expect(
      lines == [
        ["merge_operator", "operator_ruling \(id) third → koko-chicken"],
        ["undo", "operator_ruling \(id) third → koko-chicken"],
      ])
    let log = try app.get("/api/moderation/log", as: mia.identity).json["entries"]
    #expect(log?[1]?["target"]?["type"] == "operator_ruling")
    #expect(log?[1]?["reason"] == "Same imprint")
  }

  @Test func `decisions need moderators, known operators and a reason`() throws {
    let ana = try app.account("ana")
    let body: JSONValue = [
      "kind": "merge", "operator": "third", "into": "koko-chicken", "reason": "Same imprint",
    ]
    #expect(app.send(.post, Self.path, json: body, as: ana.identity).status == .forbidden)
    #expect(app.send(.post, Self.path, json: body).status == .unauthorized)
    for (member, value, status) in [
      ("operator", "nobody", Status.notFound), ("into", "nobody", .unprocessableContent),
      ("into", "third", .unprocessableContent), ("reason", "", .unprocessableContent),
      ("kind", "rename", .unprocessableContent),
    ] {
      var wrong = body.objectValue ?? [:]
      wrong[member] = .string(value)
      let answer = decide(.object(wrong))
      #expect([status, .badRequest].contains(answer.status), "\(member): \(answer.text)")
      #expect(answer.status.isError)
    }
    #expect(try keys() == Self.before)
  }
}
