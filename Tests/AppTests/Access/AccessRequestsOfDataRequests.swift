import JSON
import SpatialDatabase
import WebServer

extension AccessRequests {
  static let dataRequests = asking + between

  private static let asking = [
    AccessRequests("GET /api/data-requests", "own") { $0.get("/api/data-requests") },
    AccessRequests("POST /api/data-requests", "a person") {
      ask(try $0.somebody().username, $0)
    },
    AccessRequests("POST /api/data-requests", "an unconfirmed person") {
      ask(try $0.somebody(isConfirmed: false).username, $0)
    },
    AccessRequests("POST /api/data-requests", "a suspended person") { scene in
      let other = try scene.app.account("away\(scene.app.count("account"))", isSuspended: true)
      return ask(other.username, scene)
    },
    AccessRequests("POST /api/data-requests", "a person who accepts none") { scene in
      let other = try scene.somebody()
      try scene.app.database.write {
        try $0.execute(
          "UPDATE account SET data_requests = 0 WHERE rowid = ?", [.integer(other.rowid)])
      }
      return ask(other.username, scene)
    },
    AccessRequests("POST /api/data-requests", "an unknown person") { ask("nobody-at-all", $0) },
  ]

  private static let between = [
    of("GET", "", "the sender's", isAsker: true),
    of("GET", "", "the recipient's", isAsker: false),
    of("POST", "/answer", "the recipient's", isAsker: false, ["accept": false]),
    of("POST", "/answer", "the sender's", isAsker: true, ["accept": false]),
    of("POST", "/revoke", "the recipient's, accepted", isAsker: false, isAccepted: true, [:]),
    of("POST", "/revoke", "the sender's, accepted", isAsker: true, isAccepted: true, [:]),
    of("POST", "/withdraw", "the sender's", isAsker: true, [:]),
    of("POST", "/withdraw", "the recipient's", isAsker: false, [:]),
    of("GET", "/records", "the sender's, accepted", isAsker: true, isAccepted: true),
    of("GET", "/records", "the sender's, pending", isAsker: true),
    of("GET", "/records", "the recipient's, accepted", isAsker: false, isAccepted: true),
  ]

  private static func ask(_ username: String, _ scene: AccessScene) -> AccessRequest {
    scene.send(
      .post, "/api/data-requests",
      [
        "username": .string(username), "reason": "A study.", "fields": ["devices"], "days": 30,
      ])
  }

  /// A request about a data request of which the author is one of the two sides.
  private static func of(
    _ method: String, _ path: String, _ what: String, isAsker: Bool, isAccepted: Bool = false,
    _ json: JSONValue? = nil
  ) -> AccessRequests {
    AccessRequests("\(method) /api/data-requests/{id}\(path)", what) { scene in
      let other = try scene.somebody()
      let (asker, asked) = isAsker ? (scene.author, other) : (other, scene.author)
      let id = try scene.app.dataRequest(from: asker, to: asked)
      if isAccepted { try scene.app.accept(id, as: asked) }
      let address = "/api/data-requests/\(id)\(path)"
      return json == nil ? scene.get(address) : scene.send(.post, address, json)
    }
  }
}
