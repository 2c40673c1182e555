import Accounts
import Devices
import PrivacyMap
import Rights
import Service
import SpatialDatabase

/// Repeats the erasures that happened after a backup.
struct ErasureReplay {
  let instance: OpenedInstance

  private var now: Timestamp { instance.map.environment.now() }

  /// - Returns: the number of objects that the database still contained.
  func erase(_ entries: [ErasureList.Entry]) throws -> Int {
    var count = 0
    for entry in entries {
      let wasThere = try instance.map.write { connection in
        switch entry.kind {
        case .account: try eraseAccount(entry.id, connection)
        case .choice: try delete("choice", "id", entry.id, connection)
        case .device: try eraseDevice(entry.id, connection)
        case .organisation: try eraseOrganisation(entry.id, connection)
        case .picture: try erasePicture(entry.id, connection)
        }
      }
      if wasThere { count += 1 }
    }
    return count
  }

  private func eraseAccount(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    let account = try connection.first(
      "SELECT \(StoredAccount.columns) FROM account WHERE id = ?", [.text(id)],
      decode: StoredAccount.init)
    guard let account else { return false }
    try instance.accounts.erasure.erase(account, connection)
    return true
  }

  private func eraseDevice(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    let row = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(id)])
    guard let row, let device = DeviceID(text: id) else {
      return try delete("tombstone_content", "id", id, connection)
    }
    // The original reason of the deletion was stored only in the database that is being replaced.
    let reason = DeviceRemoval.Reason(role: Role.admin.rawValue, code: "other")
    _ = try DeviceRemoval(writer: instance.map.writer)
      .remove(row, device, reason, purge: true, connection)
    return true
  }

  private func eraseOrganisation(_ id: String, _ connection: borrowing Connection) throws -> Bool {
    let account = try connection.integer(
      "SELECT account_rowid FROM organisation WHERE id = ?", [.text(id)])
    let store = OrganisationStore(environment: instance.map.environment)
    guard let account, let found = try store.organisation(of: account, connection) else {
      return false
    }
    try store.erase(found, connection)
    try connection.execute(
      """
      UPDATE account SET role = 'contributor', operator_rowid = NULL
      WHERE rowid = ? AND role = 'operator'
      """, [.integer(account)])
    return true
  }

  /// Erases the photo as a whole: the backup does not contain its other versions.
  private func erasePicture(_ file: String, _ connection: borrowing Connection) throws -> Bool {
    let photo = try delete("photo", "file", file, connection)
    let version = try delete("photo_version", "file", file, connection)
    let row = try delete("media_file", "file", file, connection)
    return photo || version || row
  }

  private func delete(
    _ table: String, _ key: String, _ id: String, _ connection: borrowing Connection
  ) throws -> Bool {
    try connection.execute("DELETE FROM \(table) WHERE \(key) = ?", [.text(id)])
    return connection.changedRowCount > 0
  }
}
