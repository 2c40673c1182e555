package import PrivacyMap
package import SpatialDatabase

/// Changes to the public content of a device in tables other than its own, such as photos.
package enum DeviceChanges {
  /// Records that the public content of devices has changed, so that copies are read again. Like
  /// ``DeviceWriter/change(_:kind:_:_:)``, it records nothing about hidden devices.
  package static func note(
    _ devices: [Int64], at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    for device in devices {
      try connection.execute(
        """
        INSERT INTO change (device_rowid, kind, changed_at)
        SELECT rowid, 'changed', ? FROM device WHERE rowid = ? AND hidden = 0
        """, [.text(now.text), .integer(device)])
      try connection.execute(
        "UPDATE device SET updated_at = ? WHERE rowid = ?", [.text(now.text), .integer(device)])
    }
  }
}
