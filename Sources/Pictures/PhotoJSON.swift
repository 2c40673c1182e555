package import JSON
package import Service
import WebServer

extension PhotoRow {
  /// Whether an account may replace, describe and delete it: its author, or a moderator.
  package func mayBeChanged(by principal: Principal?) -> Bool {
    guard let principal else { return false }
    return author == principal.account || principal.moderates
  }
}

/// The JSON of a photo.
package struct PhotoJSON {
  /// The address of a picture. Its content never changes, so it may be cached.
  package static func address(_ id: String, _ size: MediaFolder.Size, version: Int64) -> String {
    "/api/photos/\(id)?size=\(size.rawValue)&v=\(version)"
  }

  /// The public members.
  package static func write(
    id: String, alt: String, width: Int64, height: Int64, version: Int64,
    to json: inout JSONWriter
  ) {
    json.member("id", id)
    json.member("alt", alt)
    json.member("width", width)
    json.member("height", height)
    json.member("url", address(id, .large, version: version))
    json.member("thumb", address(id, .thumb, version: version))
  }

  /// A photo as seen by `caller`.
  package static func write(_ photo: PhotoRow, for caller: Caller, to json: inout JSONWriter) {
    json.beginObject()
    writeMembers(photo, for: caller, to: &json)
    json.endObject()
  }

  /// The same, inside an object with more members.
  package static func writeMembers(_ photo: PhotoRow, for caller: Caller, to json: inout JSONWriter)
  {
    write(
      id: photo.id, alt: photo.alt, width: photo.width, height: photo.height,
      version: photo.version, to: &json)
    json.member("state", photo.state)
    json.member("mine", photo.author != nil && photo.author == caller.principal?.account)
    json.member("editable", photo.mayBeChanged(by: caller.principal))
  }
}

extension NotFound {
  package static let photo = NotFound(Message("error.not_found.photo"))
}

extension Refusal {
  /// 410: the photo was deleted.
  package static func gone(photo deletedAt: String) -> Refusal {
    Refusal(
      .gone, "error.gone_photo", type: "gone", members: [("deleted_at", .string(deletedAt))])
  }

  /// 403: the photo belongs to another account.
  package static let photoOfAnother = Refusal(.forbidden, "error.photo_of_another")
}
