@testable import App
import JSON
@testable import MappingDays
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import Watching
import WebServer

extension AccessRequests {
  /// Times that stay far enough ahead while a test moves its clock.
  private static let later: JSONObject = [
    "starts": "2026-12-05T15:00", "ends": "2026-12-05T19:00",
  ]

  static let mappingDays =
    [
      AccessRequests("GET /api/mapping-days", "–") { $0.get("/api/mapping-days") },
      AccessRequests("POST /api/mapping-days", "own") {
        $0.send(.post, "/api/mapping-days", TestApp.day(later))
      },
      AccessRequests("GET /api/mapping-days/own", "own") { $0.get("/api/mapping-days/own") },
      AccessRequests("GET /api/moderation/mapping-days", "–") {
        $0.get("/api/moderation/mapping-days")
      },
      AccessRequests("GET /api/feeds/mapping-days.atom", "–") {
        $0.get("/api/feeds/mapping-days.atom")
      },
      AccessRequests("GET /api/feeds/mapping-days.json", "–") {
        $0.get("/api/feeds/mapping-days.json")
      },
      AccessRequests("GET /api/cards/mapping-days/{id}.png", "a draft") {
        $0.get("/api/cards/mapping-days/\(try day(of: $0.author, .draft, $0)).png")
      },
    ]
    + ofDraft("GET /api/mapping-days/{id}") { $0.get("/api/mapping-days/\($1)") }
    + ofDraft("PUT /api/mapping-days/{id}") {
      $0.send(.put, "/api/mapping-days/\($1)", TestApp.day(later))
    }
    + ofDraft("DELETE /api/mapping-days/{id}") { $0.send(.delete, "/api/mapping-days/\($1)") }
    + ofDraft("POST /api/mapping-days/{id}/submission") {
      $0.send(.post, "/api/mapping-days/\($1)/submission")
    }
    + ofDay("POST /api/mapping-days/{id}/withdrawal", .waiting) {
      $0.send(.post, "/api/mapping-days/\($1)/withdrawal")
    }
    + ofDay("POST /api/mapping-days/{id}/cancellation", .approved) {
      $0.send(.post, "/api/mapping-days/\($1)/cancellation", ["reason": "Rain"])
    }
    + ofDay("POST /api/mapping-days/{id}/mails", .approved) {
      $0.send(.post, "/api/mapping-days/\($1)/mails", ["text": "Bring water"])
    }
    + ofDay("PUT /api/mapping-days/{id}/participation", .approved) {
      $0.send(.put, "/api/mapping-days/\($1)/participation", ["shows_name": false])
    }
    + ofDay("DELETE /api/mapping-days/{id}/participation", .approved) {
      $0.send(.delete, "/api/mapping-days/\($1)/participation")
    }
    + ofDay("GET /api/mapping-days/{id}/calendar", .approved) {
      $0.get("/api/mapping-days/\($1)/calendar")
    }
    + ofDay("GET /api/mapping-days/{id}/progress", .running) {
      $0.get("/api/mapping-days/\($1)/progress")
    }
    + ofDay("GET /api/mapping-days/{id}/contributions", .running) {
      $0.get("/api/mapping-days/\($1)/contributions")
    }
    + ofDay("POST /api/moderation/mapping-days/{id}/decision", .waiting) { scene, id in
      let version = try scene.app.database.read {
        try scene.app.app.mappingDays.days.one(id, $0)?.version
      }
      return scene.send(
        .post, "/api/moderation/mapping-days/\(id)/decision",
        ["decision": "approve", "version": .string(version ?? "")])
    }

  private static func ofDraft(
    _ endpoint: String,
    _ make: @escaping @Sendable (AccessScene, String) throws -> AccessRequest
  ) -> [AccessRequests] { ofDay(endpoint, .draft, make) }

  /// A day of the requester and of another person.
  private static func ofDay(
    _ endpoint: String, _ state: DayState,
    _ make: @escaping @Sendable (AccessScene, String) throws -> AccessRequest
  ) -> [AccessRequests] {
    let name = state.rawValue
    return [
      AccessRequests(endpoint, "own, \(name)") { try make($0, day(of: $0.owner, state, $0)) },
      AccessRequests(endpoint, "another's, \(name)") {
        try make($0, day(of: $0.somebody(), state, $0))
      },
    ]
  }

  /// Stores a day. It starts in three hours, also if it runs.
  private static func day(
    of account: TestAccount, _ state: DayState, _ scene: AccessScene
  ) throws -> String {
    let start = scene.app.clock.now.secondsSinceEpoch + 3 * 3_600
    let area = try #require(DrawnPolygon(stored: TestApp.dayArea))
    let plan = DayPlan(
      title: "Old town", purpose: "We look at every camera.", area: area,
      start: Timestamp(secondsSinceEpoch: start), end: Timestamp(secondsSinceEpoch: start + 7_200),
      zone: "UTC", maximum: 20, kinds: [], languages: [])
    let days = scene.app.app.mappingDays.days
    return try scene.app.database.write { connection in
      let day = try #require(try days.add(plan, of: account.rowid, connection))
      try connection.execute(
        "UPDATE mapping_day SET state = ? WHERE rowid = ?",
        [.text(state.rawValue), .integer(day.rowid)])
      return day.id
    }
  }
}
