package import Pictures
package import Service
package import SpatialDatabase

extension PhotoRow {
  /// Looks up a photo that `caller` may see.
  ///
  /// Only its author and moderators may see a photo that waits for review or is hidden. The same applies
  /// to all photos of a device that is visible only to them.
  ///
  /// - Throws: ``NotFound``, or a 410 ``Refusal`` if it was deleted.
  package init(
    _ id: String, for caller: Caller, _ connection: borrowing Connection
  ) throws {
    let found = try connection.first(
      """
      SELECT \(Self.columns), device.hidden, device.account_rowid
      FROM photo JOIN device ON device.rowid = photo.device_rowid WHERE photo.id = ?
      """, [.text(id)]
    ) { (photo: PhotoRow($0), isHidden: $0.bool(13), owner: $0.optionalInt(14)) }
    guard let found, !found.isHidden || caller.maySee(authoredBy: found.owner) else {
      throw NotFound.photo
    }
    let photo = found.photo
    let wasPublic = (photo.stateBefore ?? photo.state) == "public"
    guard wasPublic || caller.maySee(authoredBy: photo.author) else { throw NotFound.photo }
    if photo.isDeleted { throw Refusal.gone(photo: photo.deletedAt ?? "") }
    self = photo
  }

  /// The photos of a device that `caller` may see, in order.
  package static func all(
    of device: Int64, for caller: Caller, _ connection: borrowing Connection
  ) throws -> [PhotoRow] {
    try PhotoTable().notDeleted(of: device, connection).filter {
      $0.isPublic || caller.maySee(authoredBy: $0.author)
    }
  }
}
