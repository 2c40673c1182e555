import Devices
import PrivacyMap
import SpatialDatabase

/// Takes devices off the map that a newer list no longer has, or marks them as removed, each with a revision of that
/// import.
struct MissingDevices {
  enum Action: String, CaseIterable, Sendable {
    /// The devices leave the map, as if an import were undone.
    case withdraw
    /// The devices stay, as removed.
    case remove
    /// Takes both back.
    case restore
  }

  let map: LiveMap
  private static let batchSize = 500

  /// Carries out an action on all devices that the file of an import lacked, except those that people have edited or
  /// confirmed since.
  ///
  /// - Returns: the number of devices that changed.
  @discardableResult
  func carryOut(_ action: Action, of id: Int64) throws -> Int {
    var changed = 0
    var last: Int64 = 0
    while true {
      let rowids = try map.database.read { connection in
        let store = ImportRunStore()
        return action == .restore
          ? try store.allMissing(from: id, after: last, limit: Self.batchSize, connection)
          : try store.missing(from: id, after: last, limit: Self.batchSize, connection)
      }
      guard let end = rowids.last else { return changed }
      changed += try map.write { connection in
        try rowids.count { try apply(action, to: $0, of: id, connection) }
      }
      last = end
    }
  }

  private func apply(
    _ action: Action, to rowid: Int64, of id: Int64, _ connection: borrowing Connection
  ) throws -> Bool {
    switch action {
    case .withdraw, .remove:
      return try map.writer.dismiss(
        rowid, as: action == .withdraw ? .withdrawn : .removed,
        by: DeviceWriter.Author(kind: .import, importRun: id), connection)
    case .restore:
      let undo = RevisionUndo(
        writer: map.writer, author: DeviceWriter.Author(kind: .undo, importRun: id), hidden: 2)
      let outcome = try undo.undo(
        rowid, where: { $0.importRun == id && $0.kind == .import },
        keptFor: { $0.importRun == nil }, connection)
      return outcome.revision != nil
    }
  }
}
