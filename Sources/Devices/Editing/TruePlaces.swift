package import PrivacyMap
package import SpatialDatabase

/// The `device_location` and `revision_location` tables: true points, which only moderators and authors see.
package enum TruePlaces {
  /// The true point of a device.
  package static func place(
    of device: Int64, _ connection: borrowing Connection
  ) throws -> (longitude: Double, latitude: Double)? {
    try connection.first(
      "SELECT longitude, latitude FROM device_location WHERE device_rowid = ?",
      [.integer(device)]
    ) { ($0.double(0), $0.double(1)) }
  }

  /// The true point of a device at a revision; nil if it has not moved since. The first move after that
  /// revision has stored the point that it moved the device from.
  package static func place(
    at number: Int64, of rowid: Int64, _ connection: borrowing Connection
  ) throws -> Coordinate? {
    try connection.first(
      """
      SELECT longitude, latitude FROM revision_location
      WHERE device_rowid = ? AND number > ? ORDER BY number LIMIT 1
      """, [.integer(rowid), .integer(number)]
    ) { .clamped(longitude: $0.double(0), latitude: $0.double(1)) }
  }
}
