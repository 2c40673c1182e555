package import Devices
import PrivacyMap
package import SpatialDatabase

/// The visibility of photos, decided by moderators. Changes update the map but add no revision.
package struct PhotoStates: Sendable {
  package let map: LiveMap

  package init(map: LiveMap) {
    self.map = map
  }

  /// Publishes a photo that waited for review.
  package func publish(_ photo: Int64, _ connection: borrowing Connection) throws {
    try change(photo, to: "public", from: ["waiting"], connection)
  }

  /// Makes a photo `public`, `waiting` or `hidden`; a deleted photo gets that state when it is restored.
  package func set(_ photo: Int64, to state: String, _ connection: borrowing Connection) throws {
    try change(photo, to: state, from: ["public", "waiting", "hidden"], connection)
  }

  private func change(
    _ photo: Int64, to state: String, from states: Set<String>, _ connection: borrowing Connection
  ) throws {
    guard let found = try PhotoStore().photo(photo, connection),
      states.contains(found.stateBefore ?? found.state)
    else { return }
    try PhotoStore().set(state, of: found, connection)
    // A change between two states that are not public is not visible to others.
    guard !found.isDeleted, found.state == "public" || state == "public" else { return }
    try Self.noteChange(of: found.device, map, connection)
  }

  /// Records that a device's public content has changed, so that cached copies are refreshed.
  package static func noteChange(
    of device: Int64, _ map: LiveMap, _ connection: borrowing Connection
  ) throws {
    let now = map.environment.now()
    try connection.execute(
      "UPDATE device SET updated_at = ? WHERE rowid = ?", [.text(now.text), .integer(device)])
    try map.writer.change(device, kind: .changed, now, connection)
  }
}
