import PrivacyMap
import SpatialDatabase

/// Who sees a photo, decided by moderators. What changes shows on the map, yet is no revision.
struct PhotoStates: Sendable {
  let map: LiveMap

  /// Lets everybody see a photo that has waited for a look.
  func publish(_ photo: Int64, _ connection: borrowing Connection) throws {
    try change(photo, to: "public", from: ["waiting"], connection)
  }

  /// Makes a photo `public`, `waiting` or `hidden`; a deleted one will be that when it comes back.
  func set(_ photo: Int64, to state: String, _ connection: borrowing Connection) throws {
    try change(photo, to: state, from: ["public", "waiting", "hidden"], connection)
  }

  private func change(
    _ photo: Int64, to state: String, from states: Set<String>, _ connection: borrowing Connection
  ) throws {
    let found = try connection.first(
      "SELECT \(PhotoRow.columns) FROM photo WHERE rowid = ?", [.integer(photo)],
      decode: PhotoRow.init)
    guard let found, states.contains(found.stateBefore ?? found.state) else { return }
    try connection.execute(
      "UPDATE photo SET \(found.isDeleted ? "state_before" : "state") = ? WHERE rowid = ?",
      [.text(state), .integer(photo)])
    // Nobody sees a photo on its way from one state out of sight to another.
    guard !found.isDeleted, found.state == "public" || state == "public" else { return }
    try Self.noteChange(of: found.device, map, connection)
  }

  /// Notes that what a device shows is another, so that everybody who keeps it asks again.
  static func noteChange(
    of device: Int64, _ map: LiveMap, _ connection: borrowing Connection
  ) throws {
    let now = map.surroundings.now()
    try connection.execute(
      "UPDATE device SET updated_at = ? WHERE rowid = ?", [.text(now.text), .integer(device)])
    try map.writer.change(device, kind: "changed", now, connection)
  }
}
