package import Service
package import SpatialDatabase

/// The devices, and the requests that read them.
package struct DeviceRecords: Feature {
  private let reading: DeviceRoutes
  private let writer: DeviceWriter

  package init(_ instance: Instance) throws {
    reading = try DeviceRoutes(instance)
    writer = try instance.map.writer
  }

  package var endpoints: [Endpoint] { reading.endpoints }
  package var schemas: [Schema] { DeviceSchemas.all }

  package static let portions = [
    """
    UPDATE revision SET account_rowid = NULL, comment = NULL WHERE (device_rowid, number) IN (
      SELECT device_rowid, number FROM revision WHERE account_rowid = ? LIMIT 50)
    """,
    """
    UPDATE device SET account_rowid = NULL WHERE rowid IN (
      SELECT rowid FROM device WHERE account_rowid = ? LIMIT 50)
    """,
  ]

  package static func erase(_ account: ErasedAccount, _ connection: borrowing Connection) throws {
    try eraseFromDeletedDevices(account.rowid, connection)
  }

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    let removal = DeviceRemoval(writer: writer)
    return switch entry.kind {
    case .device: try removal.eraseAgain(entry.id, connection)
    case .precision, .hidden, .removed: try removal.protectAgain(entry, connection)
    default: nil
    }
  }

  /// Erases the account from the stored content of deleted devices, which can still be restored.
  private static func eraseFromDeletedDevices(
    _ account: Int64, _ connection: borrowing Connection
  ) throws {
    let kept = try connection.rows(
      "SELECT id, content FROM tombstone_content WHERE instr(content, ?) > 0",
      [.text("\"account_rowid\":\(account)")]
    ) { (id: $0.text(0), rows: DeviceRows(json: $0.text(1))) }
    for (id, rows) in kept {
      guard var rows, rows.forget(account) else { continue }
      try connection.execute(
        "UPDATE tombstone_content SET content = ? WHERE id = ?", [.text(rows.json), .text(id)])
    }
  }
}
