import PrivacyMap
package import SpatialDatabase

extension DeviceWriter {
  /// How the map shows that a list no longer has a device.
  package enum Dismissal: Sendable {
    /// It leaves the map. Its rows stay in case its list has it again.
    case withdrawn
    /// It stays, with the status `removed`.
    case removed
  }

  /// Dismisses a device that is on the map.
  ///
  /// - Returns: whether it changed.
  package func dismiss(
    _ rowid: Int64, as dismissal: Dismissal, by author: Author, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let stored = try StoredDevice(rowid: rowid, connection), stored.columns["hidden"] == 0
    else { return false }
    var edit = DeviceEdit(of: stored)
    edit.columns =
      switch dismissal {
      case .withdrawn: [("hidden", 2)]
      case .removed: [("status", .text("removed"))]
      }
    try apply(
      edit, to: rowid, by: author, kind: dismissal == .withdrawn ? .removed : .changed, connection)
    return true
  }
}
