package import Devices
import PrivacyMap
import Service
import SpatialDatabase

/// Undoes an import by adding one revision to each device that it changed.
package struct ImportUndo {
  /// The result of an undo.
  package struct Report: Sendable {
    /// Devices that the import had added, now off the map.
    package var withdrawn = 0
    /// Devices with their previous values restored.
    package var restored = 0
    /// Devices left unchanged because people have edited them since.
    package var kept = 0
  }

  private let map: LiveMap
  private let store = ImportRunStore()
  private static let batchSize = 500

  package init(map: LiveMap) { self.map = map }

  /// `actor` is the person in the log; nil if the caller has logged the undo.
  ///
  /// - Throws: ``ImportNotUndoable`` if the import does not exist, is running, or is already
  ///   undone.
  package func undo(_ id: Int64, by actor: String? = nil) throws -> Report {
    let state = try map.database.read { try store.progress(of: id, $0) }
    guard let state else { throw ImportNotUndoable(reason: "there is no import \(id)") }
    guard state != "running" else {
      throw ImportNotUndoable(reason: "import \(id) is still running")
    }
    guard state != "undone" else {
      throw ImportNotUndoable(reason: "import \(id) was undone already")
    }
    var report = Report()
    var last: Int64 = 0
    while true {
      let rowids = try map.database.read { connection in
        try store.devices(of: id, after: last, limit: Self.batchSize, connection)
      }
      guard let end = rowids.last else { break }
      try map.write { connection in
        for rowid in rowids { try undo(id, of: rowid, &report, connection) }
      }
      last = end
    }
    try map.database.write { [report] connection in
      try store.markUndone(id, report, at: map.environment.now(), connection)
      guard let actor else { return }
      try AuditStore(environment: map.environment).note(
        "undo_import", target: "import \(id)", by: actor, reason: nil, connection)
    }
    return report
  }

  private func undo(
    _ id: Int64, of rowid: Int64, _ report: inout Report, _ connection: borrowing Connection
  ) throws {
    let undo = RevisionUndo(
      writer: map.writer, author: DeviceWriter.Author(kind: .undo, importRun: id), hidden: 2)
    let outcome = try undo.undo(
      rowid, where: { $0.importRun == id }, keptFor: { $0.importRun == nil }, connection)
    switch outcome {
    case .restored: report.restored += 1
    case .withdrawn: report.withdrawn += 1
    case .kept: report.kept += 1
    case .unchanged: break
    }
  }
}

/// The reason why an import cannot be undone.
package struct ImportNotUndoable: Error, CustomStringConvertible {
  let reason: String
  package var description: String { reason }
}
