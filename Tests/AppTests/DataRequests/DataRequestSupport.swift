import JSON
import Testing
import WebServer

extension TestApp {
  /// `POST /api/data-requests`.
  func ask(
    _ username: String, _ more: JSONValue = [:], as account: TestAccount
  ) -> TestAnswer {
    var members = JSONObject([
      ("username", .string(username)), ("reason", "A study of maps."),
      ("fields", ["devices", "edits", "claims", "photos"]), ("days", 60),
    ])
    for member in more.objectValue?.members ?? [] { members[member.key] = member.value }
    return send(
      .post, "/api/data-requests", json: .object(members),
      as: (try? signIn(account.rowid)) ?? account.identity)
  }

  /// A pending request. Returns its id.
  func dataRequest(
    from asker: TestAccount, to asked: TestAccount, _ more: JSONValue = [:]
  ) throws -> String {
    let answer = ask(asked.username, more, as: asker)
    try #require(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json["id"]?.stringValue)
  }

  /// Sends an event of a request, in a browser that signs in again: months may have passed.
  @discardableResult
  func tell(
    _ what: String, _ id: String, _ json: JSONValue = [:], as account: TestAccount
  ) -> TestAnswer {
    send(
      .post, "/api/data-requests/\(id)/\(what)", json: json,
      as: (try? signIn(account.rowid)) ?? account.identity)
  }

  func accept(_ id: String, _ more: JSONValue = [:], as account: TestAccount) throws {
    var members = JSONObject([("accept", true)])
    for member in more.objectValue?.members ?? [] { members[member.key] = member.value }
    let answer = tell("answer", id, .object(members), as: account)
    try #require(answer.status == .ok, "\(answer.text)")
  }

  func dataRequest(_ id: String, as account: TestAccount) -> TestAnswer {
    get("/api/data-requests/\(id)", as: (try? signIn(account.rowid)) ?? account.identity)
  }

  /// The records of a request, a second later.
  func records(
    _ id: String, _ query: Parameters = [:], as account: TestAccount
  ) -> TestAnswer {
    clock.advance(by: .seconds(1))
    return get(
      "/api/data-requests/\(id)/records", query,
      as: (try? signIn(account.rowid)) ?? account.identity)
  }
}
