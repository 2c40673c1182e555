import JSON
import PrivacyMap
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
    let counts = try ProfilePublication.counts(of: account.rowid, connection)
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
    try connection.rows(
      """
      SELECT device.id, device.name, device.category, revision.number, revision.kind,
        revision.made_at
      FROM revision JOIN device ON device.rowid = revision.device_rowid
      WHERE revision.account_rowid = ? AND device.hidden = 0
      ORDER BY revision.made_at DESC, revision.device_rowid DESC, revision.number DESC LIMIT ?
      """, [.integer(account.rowid), .integer(recent)]
    ) { row in
      [
        "device": [
          "id": .string(row.text(0)), "name": .string(row.text(1)),
          "category": .string(row.text(2)),
        ],
        "revision": .integer(row.int(3)), "kind": .string(row.text(4)),
        "made_at": .string(row.text(5)),
      ]
    }
  }
}
