import JSON
import SpatialDatabase
import WebServer

extension AccessRequests {
  private static let list = "\(Path.items)/{id}/photos"
  private static let photo = "/api/photos/{id}"

  static let photos =
    each("GET \(list)") { $0.get(Path.photos($1.id)) }
    + each("POST \(list)") { scene, device in
      form(.post, Path.photos(device.id), scene)
    }
    + each("PUT \(list)") { scene, device in
      let photos = scene.app.get(Path.photos(device.id), as: scene.author.identity)
      let ids = (try? photos.json["photos"]?.arrayValue)?.compactMap { $0["id"] } ?? []
      return scene.send(.put, Path.photos(device.id), ["photos": .array(ids)])
    }
    + ofEachState("GET \(photo)") { $0.get(Path.photo($1)) }
    + ofEachState("PATCH \(photo)") { scene, id in
      scene.send(.patch, Path.photo(id), ["alt": "A door, ajar"])
    }
    + ofEachState("PUT \(photo)") { scene, id in form(.put, Path.photo(id), scene) }
    + ofEachState("DELETE \(photo)") { scene, id in scene.send(.delete, Path.photo(id)) }

  /// One request about a photo of the author's in each state.
  private static func ofEachState(
    _ endpoint: String, _ make: @escaping @Sendable (AccessScene, String) -> AccessRequest
  ) -> [AccessRequests] {
    [
      ("shown", "public"), ("pending review", "waiting"), ("hidden", "hidden"),
      ("deleted", "deleted"),
    ].map { of, state in
      AccessRequests(endpoint, of) { make($0, try $0.photo(state)) }
    }
  }

  /// A form with a picture.
  private static func form(
    _ method: Method, _ path: String, _ scene: AccessScene
  ) -> AccessRequest {
    var request = scene.send(method, path)
    request.headers.append(("Content-Type", "multipart/form-data; boundary=XX"))
    request.body =
      Array("--XX\r\nContent-Disposition: form-data; name=\"image\"; filename=\"x\"\r\n\r\n".utf8)
      + TestPicture.blue + Array("\r\n--XX--\r\n".utf8)
    return request
  }
}

extension AccessScene {
  /// A photo of the author's, on a device of theirs.
  func photo(_ state: String = "public") throws -> String {
    let photo = try app.photo(of: try device().id, as: author)
    if state == "deleted" {
      _ = app.send(.delete, Path.photo(photo), as: author.identity)
    } else {
      try app.database.write { connection in
        try connection.execute(
          "UPDATE photo SET state = ? WHERE id = ?", [.text(state), .text(photo)])
      }
    }
    return photo
  }
}
