package import JSON
package import Pictures
import PrivacyMap
package import Service
package import SpatialDatabase
import WebServer

/// A row of the `photo` table.
package struct PhotoRow: Sendable {
  package let rowid: Int64
  package let id: String
  package let device: Int64
  /// The account that uploaded it; nil if the account is deleted.
  package let author: Int64?
  let position: Int64
  let alt: String
  /// `public`, `waiting` (for review), `hidden` (by a moderator) or `deleted`.
  package let state: String
  package let file: String
  /// Pixels of the large picture.
  let width, height: Int64
  package let version: Int64
  let deletedAt: String?
  /// The state before deletion.
  package let stateBefore: String?

  package static let columns = """
    photo.rowid, photo.id, photo.device_rowid, photo.account_rowid, photo.position, photo.alt,
    photo.state, photo.file, photo.width, photo.height, photo.version, photo.deleted_at,
    photo.state_before
    """

  package init(_ row: borrowing Row) {
    rowid = row.int(0)
    id = row.text(1)
    device = row.int(2)
    author = row.optionalInt(3)
    position = row.int(4)
    alt = row.text(5)
    state = row.text(6)
    file = row.text(7)
    width = row.int(8)
    height = row.int(9)
    version = row.int(10)
    deletedAt = row.optionalText(11)
    stateBefore = row.optionalText(12)
  }

  package var isDeleted: Bool { state == "deleted" }

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

  /// Whether every visitor who may see the device may see the photo.
  package var isPublic: Bool { state == "public" }

  /// The photos of a device that `caller` may see, in order.
  package static func all(
    of device: Int64, for caller: Caller, _ connection: borrowing Connection
  ) throws -> [PhotoRow] {
    try connection.rows(
      """
      SELECT \(columns) FROM photo
      WHERE device_rowid = ? AND state <> 'deleted' ORDER BY position, rowid
      """, [.integer(device)], decode: PhotoRow.init
    ).filter { $0.isPublic || caller.maySee(authoredBy: $0.author) }
  }

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
  static func write(
    id: String, alt: String, width: Int64, height: Int64, version: Int64,
    to json: inout JSONWriter
  ) {
    json.member("id", id)
    json.member("alt", alt)
    json.key("width")
    json.integer(width)
    json.key("height")
    json.integer(height)
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
    json.key("mine")
    json.bool(photo.author != nil && photo.author == caller.principal?.account)
    json.key("editable")
    json.bool(photo.mayBeChanged(by: caller.principal))
  }
}

extension NotFound {
  package static let photo = NotFound(Message("error.not_found.photo"))
}

extension Refusal {
  /// 410: the photo was deleted.
  static func gone(photo deletedAt: String) -> Refusal {
    Refusal(
      .gone, "error.gone_photo", type: "gone", members: [("deleted_at", .string(deletedAt))])
  }

  /// 403: the photo belongs to another account.
  package static let photoOfAnother = Refusal(.forbidden, "error.photo_of_another")
}
