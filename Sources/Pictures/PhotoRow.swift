package import SpatialDatabase

/// A row of the `photo` table.
package struct PhotoRow: Sendable {
  package let rowid: Int64
  package let id: String
  package let device: Int64
  /// The account that uploaded it; nil if the account is deleted.
  package let author: Int64?
  package let position: Int64
  package let alt: String
  /// `public`, `waiting` (for review), `hidden` (by a moderator) or `deleted`.
  package let state: String
  package let file: String
  /// Pixels of the large picture.
  package let width, height: Int64
  package let version: Int64
  package let deletedAt: String?
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

  package var kept: KeptPhoto { KeptPhoto(id: id, alt: alt, version: version) }

  package var isDeleted: Bool { state == "deleted" }

  /// Whether every visitor who may see the device may see the photo.
  package var isPublic: Bool { state == "public" }
}
