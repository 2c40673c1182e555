import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Blacks out parts of photos, for moderators.
///
/// The picture of before is served to nobody from then on. It is kept for ``PhotoList/keptDays`` so that
/// a moderator can take the act back, and erased then.
struct PhotoRedaction: Sendable {
  let photos: Photos

  /// A picture with parts blacked out, on the disk and not yet shown.
  struct Prepared: Sendable {
    let photo: PhotoRow
    fileprivate let picture: DrawnPicture
    fileprivate let file: String
  }

  /// Draws a photo anew with parts blacked out. Takes as long as reading a photo: call it where work may
  /// take time, then ``carryOut(_:_:)`` in a transaction, or ``discard(_:)``.
  ///
  /// - Throws: ``NotFound``, a 410 ``Refusal``, or what keeps a picture from being drawn or kept.
  func prepare(
    _ id: String, _ regions: [PhotoRegion], for caller: Caller
  ) throws -> Prepared {
    let photo = try photos.map.database.read { try PhotoRow(id, for: caller, $0) }
    guard let bytes = photos.folder.bytes(of: photo.file, .large) else { throw NotFound.photo }
    let picture = try photos.image.draw(bytes, without: regions)
    return Prepared(photo: photo, picture: picture, file: try photos.keep(picture))
  }

  /// Shows the prepared picture.
  ///
  /// - Returns: what ``takeBack(_:of:_:)`` needs.
  /// - Throws: a 409 ``Refusal`` where the photo shows another picture by now.
  func carryOut(_ prepared: Prepared, _ connection: borrowing Connection) throws -> JSONValue {
    let photo = prepared.photo
    let version = try connection.integer(
      "SELECT version FROM photo WHERE rowid = ? AND id = ?",
      [.integer(photo.rowid), .text(photo.id)])
    guard version == photo.version else { throw Refusal.photoChanged }
    _ = try PhotoVersions(surroundings: photos.map.surroundings).add(
      prepared.picture, file: prepared.file, to: photo, isRedacted: true, connection)
    try noteChange(of: photo, connection)
    return ["version": .integer(photo.version)]
  }

  /// Erases a prepared picture that is not to be shown.
  func discard(_ prepared: Prepared) { photos.folder.erase(prepared.file) }

  /// Shows again the picture of before; `undo` is what ``carryOut(_:_:)`` returned.
  ///
  /// - Throws: a 409 ``Refusal`` where it is erased.
  func takeBack(
    _ undo: JSONValue, of id: String, _ connection: borrowing Connection
  ) throws {
    let photo = try connection.first(
      "SELECT \(PhotoRow.columns) FROM photo WHERE id = ?", [.text(id)], decode: PhotoRow.init)
    guard let photo, let version = undo["version"]?.intValue,
      try PhotoVersions(surroundings: photos.map.surroundings).show(
        Int64(version), of: photo, evenRedacted: true, connection)
    else { throw Refusal.photoErased }
    try noteChange(of: photo, connection)
  }

  private func noteChange(of photo: PhotoRow, _ connection: borrowing Connection) throws {
    guard photo.state == "public" else { return }
    try PhotoStates.noteChange(of: photo.device, photos.map, connection)
  }
}

extension Refusal {
  /// 409: a photo shows another picture than was looked at.
  static let photoChanged = Refusal(.conflict, "error.photo_changed", type: "photo-changed")
  /// 409: what a photo showed before is erased.
  static let photoErased = Refusal(.conflict, "error.photo_erased", type: "photo-erased")
}
