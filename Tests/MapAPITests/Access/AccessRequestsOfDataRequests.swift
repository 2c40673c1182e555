import JSON
import SpatialDatabase
import WebServer

@testable import MapAPI

extension AccessRequests {
  static let dataRequests = asking + between

  private static let asking = [
    AccessRequests("GET /api/data-requests", "one's own") { $0.get("/api/data-requests") },
    AccessRequests("POST /api/data-requests", "somebody") {
      ask(try $0.somebody().username, $0)
    },
    AccessRequests("POST /api/data-requests", "somebody who has not confirmed") {
      ask(try $0.somebody(isConfirmed: false).username, $0)
    },
    AccessRequests("POST /api/data-requests", "somebody who is suspended") { scene in
      let other = try scene.app.account("away\(scene.app.count("account"))", isSuspended: true)
      return ask(other.username, scene)
    },
    AccessRequests("POST /api/data-requests", "somebody who wants none") { scene in
      let other = try scene.somebody()
      try scene.app.database.write {
        try $0.execute(
          "UPDATE account SET data_requests = 0 WHERE rowid = ?", [.integer(other.rowid)])
      }
      return ask(other.username, scene)
    },
    AccessRequests("POST /api/data-requests", "nobody") { ask("nobody-at-all", $0) },
  ]

  private static let between = [
    of("GET", "", "the asker's", isAsker: true),
    of("GET", "", "the asked's", isAsker: false),
    of("POST", "/answer", "the asked's", isAsker: false, ["accept": false]),
    of("POST", "/answer", "the asker's", isAsker: true, ["accept": false]),
    of("POST", "/revoke", "the asked's, accepted", isAsker: false, isAccepted: true, [:]),
    of("POST", "/revoke", "the asker's, accepted", isAsker: true, isAccepted: true, [:]),
    of("POST", "/withdraw", "the asker's", isAsker: true, [:]),
    of("POST", "/withdraw", "the asked's", isAsker: false, [:]),
    of("GET", "/records", "the asker's, accepted", isAsker: true, isAccepted: true),
    of("GET", "/records", "the asker's, waiting", isAsker: true),
    of("GET", "/records", "the asked's, accepted", isAsker: false, isAccepted: true),
  ]

  private static func ask(_ username: String, _ scene: AccessScene) -> AccessRequest {
    scene.send(
      .post, "/api/data-requests",
      [
        "username": .string(username), "reason": "A study.", "fields": ["devices"], "days": 30,
      ])
  }

  /// Something about a request in which the author asks, or is asked.
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
