import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `GET /api/people/{username}`: the public profile of a contributor.
struct PersonRoutes: Sendable {
  let accounts: Accounts

  /// Contributions listed in a profile.
  private static let recent: Int64 = 20

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getPerson", "/api/people/{username}", tag: "People",
        summary: "The public profile of a contributor.",
        parameters: [
          .path("username", .text(maxLength: 40), "The username.")
        ], answers: [.ok("The profile.", schema: "person")], get)
    ]
  }

  private static let notThere = NotFound(Message("error.not_found.person"))

  @Sendable private func get(_ request: Request) throws -> Response {
    guard let name = try? Username(request.parameter("username"), isNew: false) else {
      throw Self.notThere
    }
    let answer = try accounts.database.read { connection in
      guard let account = try accounts.store.account(named: name.text, connection),
        account.isConfirmed
      else { throw Self.notThere }
      return try Self.profile(account, connection)
    }
    var response = Response.json(answer)
    if case .bytes(let bytes) = response.body { response.etag = EntityTag(hashing: bytes) }
    response.headers.add("Cache-Control", AnswerVersions.cacheControl)
    return response
  }

  private static func profile(
    _ account: StoredAccount, _ connection: borrowing Connection
  ) throws -> JSONValue {
    let counts = try ProfileStore().counts(of: account.rowid, connection)
    return [
      "username": .string(account.username), "role": .string(account.role.rawValue),
      "joined_on": .string(account.createdAt.day.text),
      "contributions": .object(
        JSONObject(
          ProfileCount.ofContributions.map { ($0.rawValue, JSONValue.integer(counts[$0] ?? 0)) })),
      "flags": ["upheld": .integer(counts[.upheld] ?? 0)],
      "recent": .array(try recent(account, connection)),
    ]
  }

  private static func recent(
    _ account: StoredAccount, _ connection: borrowing Connection
  ) throws -> [JSONValue] {
    try ProfileStore().revisions(of: account.rowid, limit: recent, connection).map { revision in
      [
        "device": [
          "id": .string(revision.device), "name": .string(revision.name),
          "category": .string(revision.category),
        ],
        "revision": .integer(revision.number), "kind": .string(revision.kind),
        "made_at": .string(revision.madeAt),
      ]
    }
  }
}
