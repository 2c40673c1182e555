import JSON
import PrivacyMap
import SpatialDatabase

/// Deletes devices. Deletions are logged, and can be undone until the deleted data is erased.
extension Moderation {
  /// Why a device is deleted, and whether the deletion can be undone.
  struct Deletion: Sendable {
    /// The public reason code.
    let code: String
    /// The reason shown to moderators and the author.
    let reason: String
    /// Whether to delete without storing any data for undo.
    let purge: Bool
  }

  /// Deletes a device, in the caller's transaction.
  ///
  /// - Returns: the files of its photos that are no longer needed.
  func delete(
    _ device: FoundDevice, _ deletion: Deletion, by principal: Principal,
    _ connection: borrowing Connection
  ) throws -> (act: Act, files: [String]) {
    let target = Target(kind: .device, id: device.id.text)
    let act = try acts.enter(
      .delete, target, reason: deletion.reason, code: deletion.code, by: principal, connection)
    var decision = Decision(
      author: device.author, flags: .onDevice(device.rowid), notice: .author(sentence: "delete"))
    // A purge must leave no trace, and a mail would keep the device's name.
    decision.device = deletion.purge ? nil : try named(device.rowid, connection)
    decision.undo = deletion.purge ? ["purged": true] : [:]
    decision.reviews = try cases.reviews(.onDevice(device.rowid), connection)
    try settle(act, decision, reason: deletion.reason, by: principal, connection)
    let files = try DeviceRemoval(writer: map.writer).remove(
      device.rowid, device.id,
      DeviceRemoval.Reason(
        role: principal.role.rawValue, account: principal.account, code: deletion.code,
        note: deletion.reason), purge: deletion.purge, connection)
    return (act, files)
  }

  /// Restores the device that an action deleted or merged.
  ///
  /// - Throws: a 409 ``Refusal`` if its data has been erased.
  func bringBack(_ act: Act, _ connection: borrowing Connection) throws {
    let removal = DeviceRemoval(writer: map.writer)
    guard let id = DeviceID(text: act.target.id), try removal.undo(id, connection) != nil else {
      throw Refusal.overtaken("error.act.erased")
    }
  }
}
