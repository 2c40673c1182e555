import JSON
@testable import Service
import SpatialDatabase
import WebServer

extension AccessRequests {
  static let proposals =
    [
      AccessRequests("POST /api/coordinate-conversions", "positions") { scene in
        scene.send(
          .post, "/api/coordinate-conversions",
          ["crs": "EPSG:3857", "positions": [[679_000.0, 5_800_000.0]]])
      },
      AccessRequests("POST /api/list-inspections", "a list") { scene in
        form(scene, "/api/list-inspections", [("file", TestProposal.list(1))])
      },
      AccessRequests("POST /api/proposals", "a list") { scene in
        form(
          scene, "/api/proposals",
          [("mapping_file", TestProposal.mapping().text), ("file", TestProposal.list(1))])
      },
      AccessRequests("GET /api/proposals", "–") { $0.get("/api/proposals") },
      AccessRequests("GET /api/moderation/proposals", "–") {
        $0.get("/api/moderation/proposals")
      },
    ]
    + ofProposal("GET /api/proposals/{id}") { $0.get("/api/proposals/\($1)") }
    + ofProposal("DELETE /api/proposals/{id}") { $0.send(.delete, "/api/proposals/\($1)") }
    + ofProposal("POST /api/moderation/proposals/{id}/decision") {
      $0.send(.post, "/api/moderation/proposals/\($1)/decision", [:])
    }
    + ofProposal("POST /api/moderation/proposals/{id}/undo") { scene, id in
      try TestProposal.accept(id, scene)
      return scene.send(
        .post, "/api/moderation/proposals/\(id)/undo", ["reason": "a second thought"])
    }

  /// A proposal of the requester and of another person.
  private static func ofProposal(
    _ endpoint: String,
    _ make: @escaping @Sendable (AccessScene, String) throws -> AccessRequest
  ) -> [AccessRequests] {
    [
      AccessRequests(endpoint, "own") { try make($0, TestProposal.stored(of: $0.owner, $0.app)) },
      AccessRequests(endpoint, "another's") {
        try make($0, TestProposal.stored(of: $0.somebody(), $0.app))
      },
    ]
  }

  private static func form(
    _ scene: AccessScene, _ path: String, _ fields: [(String, String)]
  ) -> AccessRequest {
    var request = scene.send(.post, path)
    request.headers.append(("Content-Type", "multipart/form-data; boundary=XX"))
    request.body = TestProposal.form(fields)
    return request
  }
}

extension TestProposal {
  /// Accepts a proposal as another moderator does.
  static func accept(_ id: String, _ scene: AccessScene) throws {
    let moderator = try scene.somebody(role: .moderator)
    _ = scene.app.send(
      .post, "/api/moderation/proposals/\(id)/decision", json: [:], as: moderator.identity)
  }
}
