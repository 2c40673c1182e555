@testable import App
import JSON
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// An account with an approved organisation.
struct TestOperator {
  let account: TestAccount
  /// Signed in after the approval.
  let identity: Identity
  /// The organisation's id.
  let id: String
}

extension TestApp {
  /// Registers an organisation for an account.
  @discardableResult
  func register(
    _ name: String, _ domain: String, _ more: JSONValue = [:], as identity: Identity
  ) -> TestAnswer {
    var members = JSONObject([
      ("name", .string(name)), ("kind", "public"), ("domain", .string(domain)),
    ])
    for member in more.objectValue?.members ?? [] { members[member.key] = member.value }
    return send(.post, "/api/operators", json: .object(members), as: identity)
  }

  /// The current version of an organisation.
  func version(ofOrganisation id: String) throws -> String {
    try database.read { connection in
      let found = try OrganisationStore(environment: environment).organisation(id, connection)
      return found?.members["version"]?.stringValue ?? "none"
    }
  }

  /// Decides about an organisation in its current version, or in the given one.
  @discardableResult
  func decide(
    _ id: String, _ decision: String, note: String? = "a good reason", version: String? = nil,
    as admin: Identity
  ) -> TestAnswer {
    var body = JSONObject([("decision", .string(decision))])
    let seen = version ?? (try? self.version(ofOrganisation: id)) ?? "none"
    body["version"] = .string(seen)
    if let note { body["note"] = .string(note) }
    let proven = (try? proving(.object(body))) ?? .object(body)
    return send(.post, "/api/admin/operators/\(id)", json: proven, as: admin)
  }

  /// An account whose organisation an admin has approved.
  func approved(
    _ name: String = "City of Exemplo", _ domain: String = "exemplo.example",
    _ more: JSONValue = [:], as account: TestAccount? = nil
  ) throws -> TestOperator {
    let speaker = try account ?? self.account("speaker\(count("account"))")
    let made = register(name, domain, more, as: speaker.identity)
    try #require(made.status == .created, "\(made.text)")
    let id = try #require(try made.json["id"]?.stringValue)
    let admin = try self.account("admin\(count("account"))", role: .admin)
    let answer = decide(id, "approve", as: admin.identity)
    try #require(answer.status == .ok, "\(answer.text)")
    return TestOperator(account: speaker, identity: try signIn(speaker.rowid), id: id)
  }

  /// Verifies an organisation's domain by mail.
  func checkDomain(of speaker: TestOperator, _ domain: String = "exemplo.example") throws {
    let begun = send(
      .post, "/api/operators/mine/check",
      json: ["method": "email", "address": .string("office@\(domain)")], as: speaker.identity)
    try #require(begun.status == .ok, "\(begun.text)")
    try confirm("operator_check")
  }

  /// Opens the link of the last mail of a template.
  @discardableResult
  func confirm(_ template: String) throws -> TestAnswer {
    let done = send(
      .post, "/api/operators/check", json: ["token": .string(try token(in: template))])
    try #require(done.status == .ok, "\(done.text)")
    return done
  }

  /// Claims a device for an organisation. Returns `standing` or `waiting`.
  @discardableResult
  func claim(_ device: String, as speaker: TestOperator) throws -> String {
    let answer = send(
      .post, Path.item(device) + "/operator", json: [:], as: speaker.identity)
    try #require(answer.status == .created, "\(answer.text)")
    return try answer.json["state"]?.stringValue ?? ""
  }

  /// Queued mails: the template, the recipient, and the link.
  func waitingMails() throws -> [(template: String, to: String, link: String, all: String)] {
    try database.read { connection in
      try connection.rows("SELECT template, address, link, arguments FROM mail ORDER BY rowid") {
        let link = try $0.optionalText(2).map { [to = $0.text(1)] in
          try app.mailSeal.open($0, to: to)
        }
        return ($0.text(0), $0.text(1), link ?? "", $0.text(3))
      }
    }
  }

  /// The token of the last mail of a template.
  func token(in template: String) throws -> String {
    let link = try #require(try waitingMails().last { $0.template == template }?.link)
    return try #require(link.split(separator: "=", maxSplits: 1).last.map(String.init))
  }
}
