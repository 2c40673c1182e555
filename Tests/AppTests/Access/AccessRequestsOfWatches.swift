@testable import App
import JSON
import PrivacyMap
import SpatialDatabase
@testable import Watching
import WebServer

extension AccessRequests {
  static let watches =
    [
      AccessRequests("GET /api/watches", "own") { $0.get("/api/watches") },
      AccessRequests("POST /api/watches", "own") {
        $0.send(.post, "/api/watches", TestApp.watch())
      },
    ]
    + ofWatch("GET /api/watches/{id}") { $0.get("/api/watches/\($1.id)") }
    + ofWatch("PATCH /api/watches/{id}") {
      $0.send(.patch, "/api/watches/\($1.id)", ["label": "School"])
    }
    + ofWatch("DELETE /api/watches/{id}") { $0.send(.delete, "/api/watches/\($1.id)") }
    + ofWatch("GET /api/watches/{id}/deliveries") { $0.get("/api/watches/\($1.id)/deliveries") }
    + ofWatch("POST /api/watches/{id}/test") { $0.send(.post, "/api/watches/\($1.id)/test") }
    + [
      AccessRequests("POST /api/watches/unsubscribe", "token from the mail") { scene in
        scene.send(.post, try unsubscribe(scene), [:])
      },
      AccessRequests("GET /api/watches/unsubscribe", "token from the mail") { scene in
        scene.get(try unsubscribe(scene))
      },
    ]
    + ["atom", "json"].map { format in
      AccessRequests("GET /api/feeds/watches/{secret}.\(format)", "known secret") { scene in
        let key = try watch(of: scene.author, scene).keys.feed ?? []
        let token = scene.app.app.watches.secrets.feedToken(key)
        return scene.get("/api/feeds/watches/\(token).\(format)")
      }
    }
    + [
      AccessRequests("GET /api/feeds/watches/{secret}.atom", "unknown secret") {
        $0.get("/api/feeds/watches/unknown.atom")
      }
    ]

  /// A watch of the requester and of another person.
  private static func ofWatch(
    _ endpoint: String,
    _ make: @escaping @Sendable (AccessScene, StoredWatch) throws -> AccessRequest
  ) -> [AccessRequests] {
    [
      AccessRequests(endpoint, "own") { try make($0, watch(of: $0.owner, $0)) },
      AccessRequests(endpoint, "another's") { try make($0, watch(of: $0.somebody(), $0)) },
    ]
  }

  private static func unsubscribe(_ scene: AccessScene) throws -> String {
    scene.app.app.watches.secrets.unsubscribePath(try watch(of: scene.author, scene).keys)
  }

  private static func watch(of account: TestAccount, _ scene: AccessScene) throws -> StoredWatch {
    let settings = WatchSettings(
      label: "My street", area: .country("PT"), filter: [:], events: [.added], properties: [],
      mail: .daily, hour: 8, weekday: 1, timeZone: "UTC", isPaused: false, hasFeed: true,
      webhook: "https://hook.example/")
    return try scene.app.database.write {
      try scene.app.app.watches.store.add(settings, of: account.rowid, $0)
    }
  }
}
