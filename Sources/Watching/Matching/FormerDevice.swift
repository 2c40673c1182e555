import Devices
import PrivacyMap
import Reading
import SpatialDatabase

/// A device as it was before a change, as far as filters need what its image does not have.
struct FormerDevice {
  let change: ChangeStore.Change
  let point: IndexedPoint

  /// Whether the change is about something that a filter asks for.
  func isOther(to filter: LiveFilter) -> Bool {
    change.properties.contains { filter.dependsOnText($0) || filter.expressionNames($0) }
  }

  /// Whether the device matched. An expression about a changed property is taken to be true: the device may have
  /// matched, and then the owner of the watch wants to know.
  func matches(
    _ filter: LiveFilter, _ changes: ChangeStore, _ store: DeviceStore,
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard var others = filter.unindexed else { return true }
    guard others.operators.isEmpty || !change.operatorsBefore.isDisjoint(with: others.operators)
    else { return false }
    if let words = others.words {
      let texts = try changes.textsBefore(change, connection) + change.operatorsBefore
      let category = store.vocabulary.categoryCode(number: point.profile.category) ?? ""
      guard SearchWords(words).areIn(texts, of: category, store.vocabulary) else { return false }
    }
    (others.words, others.operators) = (nil, [])
    if change.properties.contains(where: filter.expressionNames) { others.expression = nil }
    return try !LiveFilter.matching(
      others, among: [point.rowid], includesHidden: true, in: store, connection
    ).isEmpty
  }
}
