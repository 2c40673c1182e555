package import Contributions
package import Devices
import Foundation
import JSON
import Logging
package import Metrics
package import Pictures
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// The shared dependencies of all code for photos.
package struct Photos: Feature {
  package let map: LiveMap
  package let pictures: any PictureStore
  package let image: ImageProcess
  package let limits: ContributionLimits
  package let addresses: Addresses
  package let features: DeviceFeatures

  package init(_ instance: Instance) throws {
    let (folders, logger) = (instance.folders, instance.logger)
    (map, limits, features) = try (instance.map, instance.part(), instance.part())
    pictures = MediaFolder.store(of: instance.database, path: folders.media.path, logger: logger)
    image = ImageProcess(
      program: folders.imageProgram ?? ImageProcess.besideThis, logger: logger)
    addresses = instance.addresses
  }

  /// The maximum number of photos per device, not counting deleted ones.
  static let maximum = 12
  /// The maximum length of a description, in characters.
  static let maxAltLength = 300
  /// The maximum size of an uploaded file, in bytes.
  static let maxPictureSize = 10 << 20

  var reviews: ReviewStore { ReviewStore(environment: map.environment) }

  /// All endpoints for photos.
  package var endpoints: [Endpoint] {
    PhotoRoutes(photos: self).endpoints + PhotoChangeRoutes(photos: self).endpoints
      + PhotoFileRoutes(photos: self).endpoints
  }
  package var schemas: [Schema] { PhotoSchemas.all }
  package var jobs: [Job] {
    [
      Job(MediaSweep.job, every: MediaSweep.every, run: sweep.run),
      Job(DeviceErasure.job) { [erasure] _ in try erasure.run() },
    ]
  }

  /// Erases devices permanently, together with their photos.
  package var erasure: DeviceErasure {
    DeviceErasure(database: map.database, environment: map.environment) { [sweep] in
      try sweep.erase(photosOf: $0)
    }
  }

  package var metrics: [MetricFamily] {
    [.counter("farol_photos_total", "Uploaded pictures.", by: "outcome", image.outcomes)]
  }

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .picture: try PhotoTable().eraseAgain(entry.id, connection)
    case .photo, .photoState, .redaction:
      try PhotoStates(map: map).withdrawAgain(entry, connection)
    default: nil
    }
  }

  /// Backups contain no files of deleted photos.
  package func settleRestore(_ connection: borrowing Connection) throws {
    try MediaFiles().settleRestore(connection)
  }

  package static let portions = [PhotoTable.erasing]

  /// Erases pictures that can no longer be restored.
  package var sweep: MediaSweep {
    MediaSweep(database: map.database, environment: map.environment, pictures: pictures)
  }

  /// Prepares a picture under a new name.
  ///
  /// - Returns: the name.
  func prepare(_ picture: DrawnPicture) throws -> String {
    let file = MediaFolder.name(map.environment.randomBytes(MediaFolder.nameLength / 2))
    try pictures.prepare(picture, as: file)
    return file
  }

  /// Runs a transaction that refers to a prepared picture; erases the picture if it fails.
  func write<T>(showing file: String, _ body: (Connection) throws -> T) throws -> T {
    do { return try map.write(body) } catch {
      pictures.erase(file)
      throw error
    }
  }

  /// Adds a revision of the device if its photos have changed.
  func revise(
    _ device: Int64, to list: [KeptPhoto], from stored: StoredDevice, by principal: Principal,
    _ connection: borrowing Connection
  ) throws {
    guard list != stored.photos else { return }
    var edit = DeviceEdit(of: stored)
    edit.photos = list
    try map.writer.apply(
      edit, to: device,
      by: DeviceWriter.Author(
        kind: .edit, account: principal.account, moderates: principal.moderates),
      kind: .changed, connection)
  }

  /// The id of a device and its present revision, where they are known without reading its row.
  typealias Version = (id: DeviceID, revision: Int64)

  /// Writes the member `device` with the revisions before and after a change of photos, so that a client
  /// editing the device can continue if it has not been changed by others.
  func writeVersion(
    of device: Int64, before: Int64, now: Version? = nil, to json: inout JSONWriter,
    _ connection: borrowing Connection
  ) throws {
    guard let now = try now ?? PhotoStore().version(of: device, connection) else {
      throw NotFound.device
    }
    let feature = try features.feature(rowid: device, id: now.id, connection)
    json.key("device")
    json.beginObject()
    json.member("id", now.id.text)
    json.member("revision_before", before)
    json.member("revision", now.revision)
    json.member("etag", feature.tag.headerValue)
    json.endObject()
  }

  /// The response with a photo, after a change of its device's revision `before`.
  func answer(
    _ id: String, before: Int64, now: Version? = nil, for caller: Caller, status: Status = .ok,
    _ connection: borrowing Connection
  ) throws -> Response {
    let photo = try PhotoRow(id, for: caller, connection)
    var json = JSONWriter()
    json.beginObject()
    PhotoJSON.writeMembers(photo, for: caller, to: &json)
    try writeVersion(of: photo.device, before: before, now: now, to: &json, connection)
    json.endObject()
    return .json(json.bytes, status: status)
  }
}
