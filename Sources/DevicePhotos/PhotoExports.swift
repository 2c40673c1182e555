package import Service
import SpatialDatabase

extension Photos {
  package static let exports = [photos]

  private static let photos = ExportSection(
    name: "photos",
    sql: """
      SELECT photo.rowid, photo.id, device.id, photo.alt, photo.state, photo.created_at,
        '/api/photos/' || photo.id || '?size=large'
      FROM photo JOIN device ON device.rowid = photo.device_rowid
      WHERE photo.account_rowid = ? AND photo.rowid > ? ORDER BY photo.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("device", .text), ("alt", .text), ("state", .text), ("created_at", .text),
      ("url", .text),
    ])
}
