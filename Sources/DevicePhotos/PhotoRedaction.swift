import Devices
package import JSON
package import Pictures
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// Blacks out regions of photos, for moderators.
///
/// The former picture is no longer served. It is stored for ``PhotoTable/keptDays``, so that a moderator
/// can undo the action, and is then erased.
package struct PhotoRedaction: Sendable {
  package let photos: Photos

  package init(photos: Photos) {
    self.photos = photos
  }

  /// A redacted picture, prepared but not yet shown.
  package struct Prepared: Sendable {
    package let photo: PhotoRow
    fileprivate let picture: DrawnPicture
    fileprivate let file: String
  }

  /// Redacts a photo. This takes as long as processing an upload, so call it outside a transaction; then
  /// call ``carryOut(_:_:)`` in a transaction, or ``discard(_:)``.
  ///
  /// - Throws: ``NotFound``, a 410 ``Refusal``, or an error from processing or storing the picture.
  package func prepare(
    _ id: String, _ regions: [PhotoRegion], for caller: Caller
  ) throws -> Prepared {
    let (photo, bytes) = try photos.map.database.read { connection in
      let photo = try PhotoRow(id, for: caller, connection)
      return (photo, try photos.pictures.bytes(of: photo.file, .large, connection))
    }
    guard let bytes else { throw NotFound.photo }
    let picture = try photos.image.draw(bytes, without: regions)
    return Prepared(photo: photo, picture: picture, file: try photos.prepare(picture))
  }

  /// Shows the prepared picture.
  ///
  /// - Returns: the data needed by ``takeBack(_:of:_:)``.
  /// - Throws: a 409 ``Refusal`` if the photo shows another picture by now.
  package func carryOut(_ prepared: Prepared, _ connection: borrowing Connection) throws
    -> JSONValue
  {
    let photo = prepared.photo
    let version = try PhotoTable().version(of: photo, connection)
    guard version == photo.version else { throw Refusal.photoChanged }
    _ = try PhotoVersions(environment: photos.map.environment).add(
      prepared.picture, file: prepared.file, to: photo, isRedacted: true, in: photos.pictures,
      connection)
    try noteChange(of: photo, connection)
    return ["version": .integer(photo.version)]
  }

  /// Erases a prepared picture that will not be shown.
  package func discard(_ prepared: Prepared) { photos.pictures.erase(prepared.file) }

  /// Shows the former picture again; `undo` is the result of ``carryOut(_:_:)``.
  ///
  /// - Throws: a 409 ``Refusal`` if it has been erased.
  package func takeBack(
    _ undo: JSONValue, of id: String, _ connection: borrowing Connection
  ) throws {
    guard let photo = try PhotoTable().photo(id, connection),
      let version = undo["version"]?.intValue,
      try PhotoVersions(environment: photos.map.environment).show(
        Int64(version), of: photo, evenRedacted: true, connection)
    else { throw Refusal.photoErased }
    try noteChange(of: photo, connection)
  }

  private func noteChange(of photo: PhotoRow, _ connection: borrowing Connection) throws {
    guard photo.state == "public" else { return }
    try DeviceChanges.note([photo.device], at: photos.map.environment.now(), connection)
  }
}

extension Refusal {
  /// 409: the photo no longer shows the picture that the moderator saw.
  static let photoChanged = Refusal(.conflict, "error.photo_changed", type: "photo-changed")
  /// 409: the former picture of a photo has been erased.
  static let photoErased = Refusal(.conflict, "error.photo_erased", type: "photo-erased")
}
