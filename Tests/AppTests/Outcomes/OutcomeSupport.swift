@testable import App
import JSON
@testable import Rights
@testable import Service
import Testing
import WebServer

/// A small town whose people send requests to operators. Tests see it as attackers do: through
/// responses alone.
final class Town {
  let app: TestApp
  private let mapper: TestAccount
  private var count = 0

  init() throws {
    app = try TestApp()
    mapper = try app.account("mapper")
  }

  /// A device of an operator.
  func device(_ category: String, of name: String?) throws -> String {
    count += 1
    var properties = JSONObject([("category", .string(category))])
    if let name {
      properties["operator"] = ["kind": "company", "name": .string(name)]
    }
    return try app.added(
      .object(properties), longitude: 7 + Double(count) / 100, latitude: 46.5, as: mapper)
  }

  /// New people with accounts.
  func people(_ number: Int) throws -> [TestAccount] {
    try (0..<number).map { _ in
      count += 1
      return try app.account("person\(count)")
    }
  }

  /// Each person sends a request about a device, and its events, in a browser that signs in again.
  @discardableResult
  func ask(_ people: [TestAccount], about device: String, _ events: String...) throws -> [String] {
    try people.map { person in
      let person = TestAccount(
        rowid: person.rowid, id: person.id, username: person.username, email: person.email,
        identity: try app.signIn(person.rowid))
      let id = try app.choice(of: person, about: device)
      let sent = app.event(id, "sent", ["channel": "email"], as: person)
      try #require(sent.status == .ok, "\(sent.text)")
      for event in events {
        let answer = app.event(id, event, as: person)
        try #require(answer.status == .ok, "\(answer.text)")
      }
      return id
    }
  }

  /// A week passes, and the job runs.
  func publish() throws {
    app.clock.advance(by: .seconds(7 * 86_400))
    try app.app.outcomes.run()
  }

  /// The public outcomes, by name of operator or code of category.
  func outcomes(by kind: String) throws -> [String: JSONValue] {
    let answer = app.get("/api/outcomes", ["by": kind, "limit": "100"])
    try #require(answer.status == .ok, "\(answer.text)")
    var found: [String: JSONValue] = [:]
    for outcome in try answer.json["outcomes"]?.arrayValue ?? [] {
      let name = outcome["operator"]?["name"]?.stringValue ?? outcome["category"]?.stringValue
      found[try #require(name)] = outcome
    }
    return found
  }

  func asked(_ name: String, by kind: String = "operator") throws -> Int? {
    try outcomes(by: kind)[name]?["asked"]?.intValue
  }

  /// All public figures, as text.
  func everything() throws -> [String] {
    ["operator", "category"].map { app.get("/api/outcomes", ["by": $0, "limit": "100"]).text }
  }

  /// The same without the day of publication, which all figures share.
  func numbers() throws -> [[String]] {
    try ["operator", "category"].map { kind in
      try outcomes(by: kind).sorted { $0.key < $1.key }.map { _, outcome in
        var members = outcome.objectValue ?? [:]
        members["as_of"] = nil
        return JSONValue.object(members).text
      }
    }
  }
}
