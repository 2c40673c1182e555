import Devices
import Pictures
import PrivacyMap
import SpatialDatabase

/// Photos together with the rows of their devices.
struct PhotoStore: Sendable {
  /// Whether the last revision of a device is the addition of a photo.
  func isLastChange(
    _ photo: String, of device: FoundDevice, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.integer(
      """
      SELECT 1 FROM revision JOIN photo ON photo.id = ?
      WHERE revision.device_rowid = ? AND number = ? AND made_at = photo.created_at
        AND revision.account_rowid = photo.account_rowid
        AND NOT EXISTS (
          SELECT 1 FROM json_each(before, '$.photos') WHERE json_extract(value, '$.id') = photo.id)
        AND json_type(before, '$.photos') IS NOT NULL
      """, [.text(photo), .integer(device.rowid), .integer(device.revision)]) != nil
  }

  /// The id and revision of a device.
  func version(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> Photos.Version? {
    try connection.first(
      "SELECT id, revision FROM device WHERE rowid = ?", [.integer(device)]
    ) { row in DeviceID(text: row.text(0)).map { ($0, row.int(1)) } } ?? nil
  }

  func isOfHiddenDevice(_ photo: PhotoRow, _ connection: borrowing Connection) throws -> Bool {
    try connection.integer(
      "SELECT hidden FROM device WHERE rowid = ?", [.integer(photo.device)]) != 0
  }
}
