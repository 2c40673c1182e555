package import SpatialDatabase

/// The `device_tag` table: the tags of each device in its source, as a JSON object.
package enum DeviceTags {
  /// The tags as a column of a statement that reads `device`.
  static let column = "(SELECT tags FROM device_tag WHERE device_rowid = device.rowid)"

  /// Selects the tags of all devices from a row on, in ascending order.
  package static let fromRow =
    "SELECT device_rowid, tags FROM device_tag WHERE device_rowid >= ? ORDER BY 1"

  /// - Returns: the JSON object; nil if the device has no tags.
  package static func tags(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> [UInt8]? {
    try connection.first(
      "SELECT tags FROM device_tag WHERE device_rowid = ?", [.integer(device)]
    ) { $0.blob(0) }
  }

  package static func keep(
    _ tags: String, of device: Int64, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      """
      INSERT INTO device_tag (device_rowid, tags) VALUES (?, ?)
      ON CONFLICT (device_rowid) DO UPDATE SET tags = excluded.tags WHERE device_tag.tags <> excluded.tags
      """, [.integer(device), .text(tags)])
  }
}
