@testable import App
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
@testable import Visits
import WebServer

extension AccessRequests {
  static let visits = needs + askedVisits + takenVisits + volunteering + visitOverview

  private static let needs =
    [
      AccessRequests("GET /api/visits", "–") { $0.get("/api/visits?bbox=-1,-1,1,1") },
      AccessRequests("GET /api/visits/devices/{id}", "on the map") {
        $0.get("/api/visits/devices/\(try $0.device().id)")
      },
      AccessRequests("GET /api/visits/devices/{id}", "hidden") {
        $0.get("/api/visits/devices/\(try $0.hiddenDevice().id)")
      },
      AccessRequests("GET /api/visits/devices/{id}", "deleted") {
        $0.get("/api/visits/devices/\(try $0.deletedDevice().id)")
      },
      AccessRequests("GET /api/statistics/visits", "–") { $0.get("/api/statistics/visits") },
    ]

  private static let askedVisits = [
    AccessRequests("POST /api/visits", "another person's device") {
      ask(try $0.app.device(by: try $0.somebody(), name: "A camera"), $0)
    },
    AccessRequests("POST /api/visits", "the author's device") { ask(try $0.device(), $0) },
    AccessRequests("GET /api/visits/mine", "own") { $0.get("/api/visits/mine") },
    of("GET", "", "the asker's", making: { try visit(asker: $0.author, $0) }),
    of("GET", "", "open to all", making: { try visit(.open, asker: $0.somebody(), $0) }),
    of("POST", "/withdraw", "the asker's", making: { try visit(asker: $0.author, $0) }),
    of(
      "POST", "/flag", "the asker's, ended", ["reason": "other"],
      making: { try visit(.done, asker: $0.author, visitor: $0.somebody(), $0) }),
  ]

  private static let takenVisits = [
    AccessRequests("POST /api/visits/take", "a device that needs a visit") { scene in
      let device = try scene.app.device(by: try scene.somebody(), name: "A camera")
      return scene.send(.post, "/api/visits/take", ["device": .string(device.id)])
    },
    of("POST", "/take", "open to all", [:], making: { try visit(.open, asker: $0.somebody(), $0) }),
    of("POST", "/take", "not open", [:], making: { try visit(asker: $0.somebody(), $0) }),
    of(
      "POST", "/plan", "the volunteer's", ["planned_for": "2026-11-22T12:00:00Z"],
      making: { try visit(.accepted, asker: $0.somebody(), visitor: $0.author, $0) }),
    of(
      "POST", "/cancel", "the volunteer's",
      making: { try visit(.accepted, asker: $0.somebody(), visitor: $0.author, $0) }),
    of(
      "POST", "/outcome", "the volunteer's", ["outcome": "confirmed"],
      making: { try visit(.accepted, asker: $0.somebody(), visitor: $0.author, $0) }),
    of(
      "POST", "/outcome", "the asker's", ["outcome": "confirmed"],
      making: { try visit(.accepted, asker: $0.author, visitor: $0.somebody(), $0) }),
  ]

  private static let volunteering = [
    AccessRequests("GET /api/visits/now", "own") { $0.get("/api/visits/now") },
    AccessRequests("GET /api/visits/stream", "own") { $0.get("/api/visits/stream") },
    AccessRequests("GET /api/visits/volunteer", "own") { scene in
      try scene.app.volunteer(scene.owner)
      return scene.get("/api/visits/volunteer")
    },
    AccessRequests("PUT /api/visits/volunteer", "own") {
      $0.send(.put, "/api/visits/volunteer", ["cell": "4500-9000"])
    },
    AccessRequests("DELETE /api/visits/volunteer", "own") { scene in
      try scene.app.volunteer(scene.owner)
      return scene.send(.delete, "/api/visits/volunteer")
    },
    AccessRequests("POST /api/visits/offers/{id}/accept", "the volunteer's") {
      $0.send(.post, "/api/visits/offers/\(try offer($0))/accept", [:])
    },
    AccessRequests("POST /api/visits/offers/{id}/decline", "the volunteer's") {
      $0.send(.post, "/api/visits/offers/\(try offer($0))/decline")
    },
  ]

  private static let visitOverview = [
    AccessRequests("GET /api/moderation/visits", "–") { $0.get("/api/moderation/visits") },
    AccessRequests("POST /api/moderation/visits/{id}/withdraw", "of a person") { scene in
      let id = try visit(asker: scene.somebody(), scene)
      return scene.send(
        .post, "/api/moderation/visits/\(id)/withdraw", ["reason": "A test."])
    },
  ]

  private static func ask(_ device: TestDevice, _ scene: AccessScene) -> AccessRequest {
    scene.send(
      .post, "/api/visits", ["device": .string(device.id), "reason": "still_there"])
  }

  private static func of(
    _ method: String, _ path: String, _ what: String, _ json: JSONValue? = nil,
    making make: @escaping @Sendable (AccessScene) throws -> String
  ) -> AccessRequests {
    AccessRequests("\(method) /api/visits/{id}\(path)", what) { scene in
      let target = "/api/visits/\(try make(scene))\(path)"
      return method == "GET" ? scene.get(target) : scene.send(.post, target, json)
    }
  }

  /// A request in a state.
  private static func visit(
    _ state: VisitState = .waiting, asker: TestAccount, visitor: TestAccount? = nil,
    _ scene: AccessScene
  ) throws -> String {
    let device = try scene.app.device(by: try scene.somebody(), name: "A camera")
    let store = scene.app.app.visits.workflow.store
    return try scene.app.database.write { connection in
      let found = try #require(try store.device(device.rowid, connection))
      let visit = try store.add(about: found, .stillThere, by: asker.rowid, connection)
      let change = VisitStore.Change(
        dueAt: scene.app.clock.now.later(3_600), visitor: visitor?.rowid)
      if state != .waiting { try store.put(state, change, of: visit, connection) }
      return visit.id
    }
  }

  /// An offer to the author.
  private static func offer(_ scene: AccessScene) throws -> String {
    try scene.app.volunteer(scene.author)
    let id = try visit(asker: scene.somebody(), scene)
    let workflow = scene.app.app.visits.workflow
    return try scene.app.database.write { connection in
      let visit = try workflow.store.one(id, connection)
      _ = try workflow.offer(visit.rowid, to: scene.author.rowid, connection)
      return try #require(try workflow.offers.pending(of: scene.author.rowid, connection)).id
    }
  }
}
