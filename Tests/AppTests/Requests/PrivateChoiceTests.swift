@testable import App
import JSON
@testable import Service
import Testing
import WebServer

/// Only the table of docs/reference/operators.md defines the parts of a private choice that other users may
/// see.
@Suite struct PrivateChoiceTests {
  /// Words that occur in one place each.
  private static let inLetter = "zqletterzq"
  private static let secrets = [
    "zqusernamezq", "zqnotezq", "zqdetailzq", "zqeventzq", "zqreasonzq", "zqlaterzq",
  ]

  /// Every path of the interface with a GET, with ids of existing resources.
  private static func paths(_ app: TestApp, _ ids: [String]) -> [String] {
    app.app.endpoints.filter { $0.method == .get }.flatMap { endpoint -> [String] in
      let path = endpoint.path.replacing("{revision}", with: "1")
        .replacing("{scheme}", with: "data").replacing("{collectionId}", with: "devices")
        .replacing("{username}", with: "nobody")
        .replacing("{z}", with: "0").replacing("{x}", with: "0").replacing("{y}", with: "0")
        .replacing("{tileMatrix}", with: "0").replacing("{tileRow}", with: "0")
        .replacing("{tileCol}", with: "0")
      return path.contains("{id}") ? ids.map { path.replacing("{id}", with: $0) } : [path]
    }
  }

  @Test func `no other part of it is in a response to another user`() throws {
    let app = try TestApp()
    let owner = try app.account("zqusernamezq")
    let ben = try app.account("ben")
    let device = try app.added(as: ben)
    let city = try app.approved()
    try app.claim(device, as: city)
    func begin() throws -> String {
      try app.choice(
        of: owner, about: device, "access",
        [
          "country": "PT", "note": "zqnotezq", "language": "en",
          "details": ["name": .string(Self.inLetter), "correction": "zqdetailzq"],
        ])
    }
    // One sent through Farol, with the person's own events, and one that was never sent.
    let id = try begin()
    let sent = app.send(.post, "/api/choices/\(id)/send", json: [:], as: owner.identity)
    try #require(sent.status == .ok, "\(sent.text)")
    let unsent = try begin()
    let noted = app.event(
      id, "refused", ["note": "zqeventzq", "reason": "zqreasonzq"], as: owner)
    try #require(noted.status == .ok)
    let later: JSONValue = ["details": ["name": "zqlaterzq"]]
    #expect(app.send(.patch, "/api/choices/\(id)", json: later, as: owner.identity).status == .ok)
    let request = try #require(try app.text("SELECT id FROM request"))
    let ids = [id, unsent, request, device, city.id, owner.id]
    let roles: [(String, Identity)] = [
      ("stranger", .visitor), ("other", ben.identity), ("operator", city.identity),
      ("moderator", try app.account("mia", role: .moderator).identity),
      ("admin", try app.account("root", role: .admin).identity),
    ]
    var sawLetter: [String] = []
    for (role, identity) in roles {
      for path in Self.paths(app, ids) {
        let answer = app.get(path, as: identity)
        #expect(answer.status.code < 500, "\(path)")
        // Usernames are public, and an admin's list contains all accounts.
        let isOfPeople = path.hasPrefix("/api/admin/accounts")
        // A problem repeats the requested address.
        for secret in Self.secrets + [owner.email, id, unsent]
        where !(isOfPeople && secret == "zqusernamezq") && !path.contains(secret) {
          #expect(!answer.text.contains(secret), "\(role) \(path) \(secret)")
        }
        if answer.text.contains(Self.inLetter) { sawLetter.append("\(role) \(path)") }
      }
    }
    #expect(sawLetter == ["operator /api/operator/requests/\(request)"])
    let seen = try app.get("/api/operator/requests/\(request)", as: city.identity).json
    #expect(
      Set(seen.objectValue?.members.map(\.key) ?? []) == [
        "id", "device", "kind", "right", "state", "overdue", "received_on", "due_on",
        "extended_until", "subject", "body", "language", "events", "reasons", "reasons_of", "next",
        "operator_name",
      ])
    #expect(app.log.lines.isEmpty)
  }
}
