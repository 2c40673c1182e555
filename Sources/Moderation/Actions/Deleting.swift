package import Devices
import JSON
import PrivacyMap
package import Service
package import SpatialDatabase

/// Deletes devices. Deletions are logged, and can be undone until the deleted data is erased.
extension Moderation {
  /// Why a device is deleted, and whether the deletion can be undone.
  package struct Deletion: Sendable {
    /// The public reason code.
    package let code: String
    /// A note for moderators. It is never mailed.
    package let reason: String
    /// The text that the author gets, besides the words of the code.
    package let message: String?
    /// Whether to delete without storing any data for undo.
    package let purge: Bool

    package init(code: String, reason: String, message: String?, purge: Bool) {
      self.code = code
      self.reason = reason
      self.message = message
      self.purge = purge
    }
  }

  /// Deletes a device, in the caller's transaction.
  ///
  /// - Returns: the files of its photos that are no longer needed.
  package func delete(
    _ device: FoundDevice, _ deletion: Deletion, by principal: Principal,
    _ connection: borrowing Connection
  ) throws -> (act: ModerationActionRecord, files: [String]) {
    let target = Target(kind: .device, id: device.id.text)
    let act = try acts.enter(
      .delete, target, reason: deletion.reason, code: deletion.code, by: principal, connection)
    var decision = Decision(
      author: device.author, flags: .onDevice(device.rowid), notice: .author(sentence: "delete"),
      deletion: deletion.code)
    // A purge must leave no trace, and a mail would keep the device's name.
    decision.device = deletion.purge ? nil : try named(device.rowid, connection)
    decision.undo = deletion.purge ? ["purged": true] : [:]
    decision.reviews = try cases.reviews(.onDevice(device.rowid), connection)
    try settle(act, decision, reason: deletion.message ?? "", by: principal, connection)
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
  func bringBack(_ act: ModerationActionRecord, _ connection: borrowing Connection) throws {
    let removal = DeviceRemoval(writer: map.writer)
    guard let id = DeviceID(text: act.target.id), try removal.undo(id, connection) != nil else {
      throw Refusal.overtaken("error.act.erased")
    }
  }
}
