package import Devices
import Pictures
import PrivacyMap
import Service
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
    guard let found = try PhotoTable().photo(photo, connection),
      states.contains(found.stateBefore ?? found.state)
    else { return }
    try PhotoTable().set(state, of: found, connection)
    try ErasureList.note(
      .photoState, [found.id], value: state, at: map.environment.now(), connection)
    // A change between two states that are not public is not visible to others.
    guard !found.isDeleted, found.state == "public" || state == "public" else { return }
    try DeviceChanges.note([found.device], at: map.environment.now(), connection)
  }

  /// Repeats that a photo was deleted, hidden or redacted, which a restored backup has undone. A photo without its
  /// redaction is hidden until a moderator redacts it again: backups do not contain the redacted picture.
  ///
  /// - Returns: whether the photo was still there, public or without the redaction.
  func withdrawAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool {
    guard let photo = try PhotoTable().photo(entry.id, connection), !photo.isDeleted else {
      return false
    }
    switch entry.kind {
    case .photo:
      guard entry.value == "true" else { return false }
      try PhotoTable().delete(photo, at: entry.at, connection)
      if photo.state == "public" {
        try DeviceChanges.note([photo.device], at: map.environment.now(), connection)
      }
    case .redaction:
      let version = entry.value.flatMap { Int64($0) } ?? 0
      guard photo.version < version, photo.state != "hidden" else { return false }
      try set(photo.rowid, to: "hidden", connection)
    default:
      guard let state = entry.value, state != "public", photo.state == "public" else {
        return false
      }
      try set(photo.rowid, to: state, connection)
    }
    return true
  }
}
