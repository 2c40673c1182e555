import Devices
import PrivacyMap
import SpatialDatabase

/// A device before a change, for the conditions of filters.
struct ChangedDevice: FormerDevice {
  let change: ChangeStore.Change
  let before: IndexedPoint
  let changes: ChangeStore

  var vocabulary: Vocabulary { changes.vocabulary }
  var category: String { vocabulary.categoryCode(number: before.profile.category) ?? "" }

  /// The properties in the revisions, and the properties that change without a revision.
  var changed: Set<String> {
    var changed = change.properties
    guard let after = change.after else { return changed }
    if before.confirmedDay != after.confirmedDay { changed.insert("last_confirmed") }
    if before.dueDay != after.dueDay { changed.insert("stale_on") }
    if before.country != after.country { changed.insert("country") }
    return changed
  }

  func operatorName(_ connection: borrowing Connection) throws -> String? {
    try connection.text(ChangeStore.operators, [.integer(Int64(before.operatorRow))])
  }

  func texts(_ connection: borrowing Connection) throws -> [String] {
    try changes.textsBefore(change, connection)
  }
}
