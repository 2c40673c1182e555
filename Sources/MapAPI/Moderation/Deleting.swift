import JSON
import PrivacyMap
import SpatialDatabase

/// Deleting devices, as acts that are in the log and can be taken back while what was said is kept.
extension Moderation {
  /// Why a device is deleted, and how thoroughly.
  struct Deletion: Sendable {
    /// What everybody is told.
    let code: String
    /// For moderators, and for the author.
    let reason: String
    /// Nothing is kept for taking it back.
    let purge: Bool
  }

  /// Deletes a device, in the caller's transaction.
  ///
  /// - Returns: the files of its photos that nobody needs any more.
  func delete(
    _ device: FoundDevice, _ deletion: Deletion, by principal: Principal,
    _ connection: borrowing Connection
  ) throws -> (act: Act, files: [String]) {
    let target = Target(kind: .device, id: device.id.text)
    let act = try acts.enter(
      .delete, target, reason: deletion.reason, code: deletion.code, by: principal, connection)
    var decision = Decision(
      author: device.author, flags: .onDevice(device.rowid), notice: .author(sentence: "delete"))
    // A mail would keep the name of what is to leave no trace.
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

  /// Puts back the device that an act deleted or merged.
  ///
  /// - Throws: a 409 where what it said is erased.
  func bringBack(_ act: Act, _ connection: borrowing Connection) throws {
    let removal = DeviceRemoval(writer: map.writer)
    guard let id = DeviceID(text: act.target.id), try removal.undo(id, connection) != nil else {
      throw Refusal.overtaken("error.act.erased")
    }
  }
}
