import JSON
import WebServer

extension AccessRequests {
  static let choices = offers + ledgers + others

  private static let offers = [
    AccessRequests("GET \(Path.items)/{id}/choices", "on the map") {
      $0.get("\(Path.item(try $0.device().id))/choices")
    },
    AccessRequests("GET \(Path.items)/{id}/choices", "hidden") {
      $0.get("\(Path.item(try $0.hiddenDevice().id))/choices")
    },
    AccessRequests("GET \(Path.items)/{id}/choices", "deleted") {
      $0.get("\(Path.item(try $0.deletedDevice().id))/choices")
    },
    AccessRequests("GET /api/letters", "a device on the map") {
      $0.get("/api/letters?kind=access&country=PT&device=\(try $0.device().id)")
    },
    AccessRequests("GET /api/letters", "a hidden device") {
      $0.get("/api/letters?kind=access&country=PT&device=\(try $0.hiddenDevice().id)")
    },
    AccessRequests("GET /api/statistics", "–") { $0.get("/api/statistics") },
    AccessRequests("GET /api/statistics/people", "–") { $0.get("/api/statistics/people") },
    AccessRequests("GET /api/outcomes", "–") { $0.get("/api/outcomes") },
    AccessRequests("GET /.well-known/gpc.json", "–") { $0.get("/.well-known/gpc.json") },
  ]

  private static let ledgers = [
    AccessRequests("GET /api/choices", "own") { $0.get("/api/choices") },
    AccessRequests("GET /api/choices/calendar.ics", "own") {
      $0.get("/api/choices/calendar.ics")
    },
    AccessRequests("POST /api/choices", "a device on the map") {
      choose(try $0.device(), $0)
    },
    AccessRequests("POST /api/choices", "a hidden device") {
      choose(try $0.hiddenDevice(), $0)
    },
    AccessRequests("POST /api/choices/import", "own") {
      let choice: JSONValue = [
        "id": "0b4e7c1e-3a6b-4d56-9a3c-6f3b0a2f9d11", "device": ["id": .string(try $0.device().id)],
        "kind": "access", "country": "PT", "language": "pt", "details": ["name": "A"],
        "reminders": false, "state": "sent",
        "events": [
          ["event": "sent", "at": "2026-10-01T10:00:00Z", "channel": "post", "by": "person"]
        ],
      ]
      return $0.send(.post, "/api/choices/import", ["choices": [choice]])
    },
  ]

  private static let others = [
    ofAuthor(.get, ""), ofAuthor(.patch, "", ["note": "a word"]), ofAuthor(.delete, ""),
    ofAuthor(.post, "/events", ["event": "sent"]), ofAuthor(.get, "/letter"),
    ofAuthor(.get, "/record"), ofAuthor(.get, "/receipt"),
  ]

  private static func choose(_ device: TestDevice, _ scene: AccessScene) -> AccessRequest {
    scene.send(
      .post, "/api/choices",
      ["device": .string(device.id), "kind": "access", "country": "PT"])
  }

  /// A request about a choice of the author's.
  private static func ofAuthor(
    _ method: Method, _ path: String, _ json: JSONValue? = nil
  ) -> AccessRequests {
    AccessRequests("\(method.rawValue) /api/choices/{id}\(path)", "another's") { scene in
      let id = try scene.app.choice(of: scene.author, about: scene.device().id)
      let address = "/api/choices/\(id)\(path)"
      return json == nil && method == .get
        ? scene.get(address) : scene.send(method, address, json)
    }
  }
}
