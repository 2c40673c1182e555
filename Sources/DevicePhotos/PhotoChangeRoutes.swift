import Contributions
import Devices
import JSON
import Pictures
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `PATCH`, `PUT` and `DELETE /api/photos/{id}`, for the author and moderators: changes the description
/// or position, replaces the picture, or deletes the photo. Each adds a revision of the device.
struct PhotoChangeRoutes: Sendable {
  let photos: Photos

  private static let path = "/api/photos/{id}"

  var endpoints: [Endpoint] {
    let photo = Endpoint.Answer.ok("The photo as it is now.", schema: "changedPhoto")
    let gone = Endpoint.Answer.refusal(410, "The photo was deleted.")
    return [
      Endpoint(
        "changePhoto", .patch, Self.path, tag: "Photos",
        summary: "Change the description of a photo, or its position.",
        access: .contributor(.contribute), parameters: [.photoID], body: .json("photoPatch"),
        answers: [photo, gone], .change(change)),
      Endpoint(
        "replacePhoto", .put, Self.path, tag: "Photos",
        summary: "Replace the picture of a photo.", access: .contributor(.contribute),
        parameters: [.photoID],
        body: .form("sentPhoto", limit: PhotoRoutes.bodyLimit, isStored: true),
        answers: [photo, gone] + Endpoint.Answer.pictures, .slow(replace)),
      Endpoint(
        "deletePhoto", .delete, Self.path, tag: "Photos",
        summary: "Delete a photo; restoring a revision brings it back for thirty days.",
        access: .contributor(.contribute), parameters: [.photoID],
        answers: [.ok("The device of the deleted photo.", schema: "changedDevice"), gone],
        .change(delete)),
    ]
  }

  /// The photo, if the caller may change it.
  private func findPhoto(
    _ id: String, for caller: Caller, _ connection: borrowing Connection
  ) throws -> PhotoRow {
    let photo = try PhotoRow(id, for: caller, connection)
    guard photo.mayBeChanged(by: caller.principal) else { throw Refusal.photoOfAnother }
    return photo
  }

  /// The photo and its device, if the caller may change it. Only for writing, because it reads the
  /// device's true point.
  private func find(
    _ id: String, for caller: Caller, _ connection: borrowing Connection
  ) throws -> (photo: PhotoRow, device: StoredDevice) {
    let photo = try findPhoto(id, for: caller, connection)
    guard let device = try StoredDevice(rowid: photo.device, connection) else {
      throw NotFound.device
    }
    return (photo, device)
  }

  @Sendable private func change(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    var body = try RequestBody(
      request, ["alt", "position"],
      types: ["application/json", "application/merge-patch+json"])
    var alt = body.text("alt", 0...Photos.maxAltLength)
    if body.has("alt"), alt == nil { alt = "" }
    let position = body.integer("position", 1...Photos.maximum * 4)
    try body.check()
    let words = alt
    return { connection in
      let (photo, device) = try find(id, for: caller, connection)
      var list = device.photos
      if let place = list.firstIndex(where: { $0.id == photo.id }) {
        if let words { list[place].alt = words }
        if let position {
          let moved = list.remove(at: place)
          list.insert(moved, at: min(position - 1, list.count))
        }
      }
      guard list != device.photos else {
        return try photos.answer(id, before: device.revision, for: caller, connection)
      }
      try photos.limits.spendEdit(principal)
      try photos.revise(photo.device, to: list, from: device, by: principal, connection)
      if principal.isNew, photo.isPublic {
        try photos.reviews.ask(
          for: .revision(device.revision + 1), of: photo.device, by: principal.account, connection)
      }
      return try photos.answer(id, before: device.revision, for: caller, connection)
    }
  }

  @Sendable private func delete(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    return { connection in
      let (photo, device) = try find(id, for: caller, connection)
      try photos.limits.spendEdit(principal)
      try photos.revise(
        photo.device, to: device.photos.filter { $0.id != photo.id }, from: device,
        by: principal, connection)
      var json = JSONWriter()
      json.beginObject()
      try photos.writeVersion(
        of: photo.device, before: device.revision, to: &json, connection)
      json.endObject()
      return .json(json.bytes)
    }
  }

  @Sendable private func replace(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let id = request.parameter("id")
    _ = try photos.map.database.read { try findPhoto(id, for: caller, $0) }
    let form = try PhotoForm(request)
    try photos.limits.spendPhoto(principal)
    let picture = try photos.image.draw(form.image)
    let file = try photos.prepare(picture)
    return try photos.write(showing: file) { connection in
      let (photo, device) = try find(id, for: caller, connection)
      let version = try PhotoVersions(environment: photos.map.environment).add(
        picture, file: file, to: photo, isRedacted: false, in: photos.pictures,
        connection)
      var list = device.photos
      for place in list.indices where list[place].id == photo.id {
        list[place].version = version
        if let alt = form.alt { list[place].alt = alt }
      }
      try photos.revise(photo.device, to: list, from: device, by: principal, connection)
      if principal.isNew, photo.isPublic {
        // A new account's replacement picture is hidden until it is reviewed, like its first.
        try PhotoTable().set("waiting", of: photo, connection)
        try photos.reviews.ask(
          for: .photo(photo.rowid), of: photo.device, by: principal.account, connection)
      }
      return try photos.answer(id, before: device.revision, for: caller, connection)
    }
  }
}

extension Parameter {
  /// The `{id}` of a photo.
  static let photoID = Parameter.path("id", .text(maxLength: 100), "The UUID of the photo.")
}
