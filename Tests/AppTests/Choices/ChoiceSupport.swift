import JSON
import Testing
import WebServer

extension TestApp {
  /// Creates a choice and returns its id.
  func choice(
    of account: TestAccount, about device: String, _ kind: String = "access",
    _ more: JSONValue = ["country": "PT", "language": "en"]
  ) throws -> String {
    var members = JSONObject([("device", .string(device)), ("kind", .string(kind))])
    for member in more.objectValue?.members ?? [] { members[member.key] = member.value }
    let answer = send(.post, "/api/choices", json: .object(members), as: account.identity)
    try #require(answer.status == .created, "\(answer.text)")
    return try #require(try answer.json["id"]?.stringValue)
  }

  /// Adds an event to a choice, in a browser that signs in again: months may have passed.
  @discardableResult
  func event(
    _ id: String, _ event: String, _ more: JSONValue = [:], as account: TestAccount
  ) -> TestAnswer {
    var members = JSONObject([("event", .string(event))])
    for member in more.objectValue?.members ?? [] { members[member.key] = member.value }
    return send(
      .post, "/api/choices/\(id)/events", json: .object(members),
      as: (try? signIn(account.rowid)) ?? account.identity)
  }
}
