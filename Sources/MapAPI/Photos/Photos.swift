import JSON
import Logging
import PrivacyMap
import SpatialDatabase
import WebServer

/// The shared dependencies of all code for photos.
struct Photos: Sendable {
  let map: LiveMap
  let folder: MediaFolder
  let image: ImageProcess
  let limits: ContributionLimits
  let addresses: Addresses
  let features: DeviceFeatures

  /// The maximum number of photos per device, not counting deleted ones.
  static let most = 12
  /// The maximum length of a description, in characters.
  static let longestAlt = 300
  /// The maximum size of an uploaded file, in bytes.
  static let longestPicture = 10 << 20

  var reviews: ReviewStore { ReviewStore(surroundings: map.surroundings) }

  /// All endpoints for photos.
  var endpoints: [Endpoint] {
    PhotoRoutes(photos: self).endpoints + PhotoChangeRoutes(photos: self).endpoints
      + PhotoFileRoutes(photos: self).endpoints
  }

  /// Writes a picture to the disk under a new name.
  ///
  /// - Returns: the name.
  func keep(_ picture: DrawnPicture) throws -> String {
    let file = MediaFolder.name(map.surroundings.randomBytes(MediaFolder.nameLength / 2))
    try folder.keep(picture, as: file)
    return file
  }

  /// Runs a transaction that refers to a picture just written; erases the picture if it fails.
  func write<T>(showing file: String, _ body: (Connection) throws -> T) throws -> T {
    do { return try map.write(body) } catch {
      folder.erase(file)
      throw error
    }
  }

  /// Adds a revision of the device if its photos have changed.
  func revise(
    _ device: Int64, to list: [KeptPhoto], from stored: StoredDevice, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    guard list != stored.photos else { return }
    var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
    edit.photos = list
    try map.writer.apply(
      edit, to: device, stored,
      by: DeviceWriter.Author(
        kind: "edit", account: principal.account, moderates: principal.moderates),
      kind: "changed", connection)
  }

  /// Writes the member `device` with the revisions before and after a change of photos, so that a client
  /// editing the device can continue if it has not been changed by others.
  func writeVersion(
    of device: Int64, before: Int64, to json: inout JSONWriter,
    _ connection: borrowing Connection
  ) throws {
    let found = try connection.first(
      "SELECT id, revision FROM device WHERE rowid = ?", [.integer(device)]
    ) { (id: DeviceID(text: $0.text(0)), revision: $0.int(1)) }
    guard let found, let id = found.id else { throw NotFound.device }
    let feature = try features.feature(
      rowid: device, id: id, revision: found.revision, connection)
    json.key("device")
    json.beginObject()
    json.member("id", id.text)
    json.key("revision_before")
    json.integer(before)
    json.key("revision")
    json.integer(found.revision)
    json.member("etag", feature.tag.headerValue)
    json.endObject()
  }

  /// The response with a photo, after a change of its device's revision `before`.
  func answer(
    _ id: String, before: Int64, for caller: Caller, status: Status = .ok,
    _ connection: borrowing Connection
  ) throws -> Response {
    let photo = try PhotoRow(id, for: caller, connection)
    var json = JSONWriter()
    json.beginObject()
    PhotoJSON.writeMembers(photo, for: caller, to: &json)
    try writeVersion(of: photo.device, before: before, to: &json, connection)
    json.endObject()
    return .json(json.bytes, status: status)
  }
}
