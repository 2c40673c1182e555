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
    let answer = try accounts.database.readQuickly { connection in
      guard let account = try accounts.store.account(named: name.text, connection),
        account.isConfirmed
      else { throw Self.notThere }
      let store = ProfileStore()
      return Profile(
        account: account, counts: try store.counts(of: account.rowid, connection),
        recent: try store.revisions(of: account.rowid, limit: Self.recent, connection))
    }
    var response = Response.json(answer, as: Self.shape)
    if case .bytes(let bytes) = response.body { response.etag = EntityTag(hashing: bytes) }
    response.headers.add("Cache-Control", AnswerVersions.cacheControl)
    return response
  }

  private struct Profile {
    let account: StoredAccount
    let counts: [ProfileCount: Int64]
    let recent: [ProfileStore.Contribution]
  }

  static var schema: (key: String, value: JSONValue) { shape.component }

  private static let shape = JSONShape<Profile>(
    "person", .init("username", .username, \.account.username),
    .oneOf("role", \.account.role.shown),
    .day("joined_on", \.account.createdAt.day),
    .group(
      "contributions", .count("devices") { $0.counts[.devices] ?? 0 },
      .count("edits") { $0.counts[.edits] ?? 0 }, .count("photos") { $0.counts[.photos] ?? 0 }),
    .group("flags", .count("upheld") { $0.counts[.upheld] ?? 0 }),
    .list("recent", of: contribution, \.recent))

  private static let contribution = JSONShape<ProfileStore.Contribution>(
    nil,
    .group("device", .uuid("id", \.device), .text("name", \.name), .text("category", \.category)),
    .count("revision", \.number), .text("kind", \.kind), .time("made_at", \.madeAt))
}
