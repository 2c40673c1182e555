import JSON
import WebServer

extension AccessRequests {
  /// Further collections: all users read them, admins add and delete them.
  static let collections =
    read.map { template, path in
      AccessRequests("GET \(template)", "–") { scene in
        try bring(scene)
        return scene.get(path)
      }
    } + [
      AccessRequests("GET /api/collections/{collectionId}", "unknown collection") {
        $0.get("/api/collections/houses")
      },
      AccessRequests("GET /api/admin/collections", "–") { $0.get("/api/admin/collections") },
      AccessRequests("POST /api/admin/collections", "points") { scene in
        var request = scene.send(.post, "/api/admin/collections")
        request.headers.append(("Content-Type", "multipart/form-data; boundary=XX"))
        // A name that no earlier request has used.
        let id = "others\(try scene.app.count("account"))"
        request.body = TestCollection.form(TestCollection.points, id: id)
        return request
      },
      AccessRequests("POST /api/collections/{collectionId}/search", "–") { scene in
        try bring(scene)
        return scene.send(.post, "/api/collections/houses/search", ["limit": 1])
      },
      AccessRequests("DELETE /api/admin/collections/{collectionId}", "–") { scene in
        try bring(scene)
        return scene.send(.delete, "/api/admin/collections/houses")
      },
    ]

  private static let read = [
    ("/api/collections/{collectionId}", "/api/collections/houses"),
    ("/api/collections/{collectionId}/queryables", "/api/collections/houses/queryables"),
    ("/api/collections/{collectionId}/schema", "/api/collections/houses/schema"),
    ("/api/collections/{collectionId}/feature-schema", "/api/collections/houses/feature-schema"),
    ("/api/collections/{collectionId}/items", "/api/collections/houses/items"),
    ("/api/collections/{collectionId}/items/{feature}", "/api/collections/houses/items/a"),
    ("/api/collections/{collectionId}/tiles", "/api/collections/houses/tiles"),
    (
      "/api/collections/{collectionId}/tiles/WebMercatorQuad",
      "/api/collections/houses/tiles/WebMercatorQuad"
    ),
    (
      "/api/collections/{collectionId}/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}",
      "/api/collections/houses/tiles/WebMercatorQuad/0/0/0"
    ),
  ]

  /// Prepared again for each caller, because callers share the database with earlier ones.
  private static func bring(_ scene: AccessScene) throws {
    _ = try TestCollection.load(
      TestCollection.points, into: scene.app, id: "houses", replaces: true)
  }
}
