import Devices
import PrivacyMap
import Reading
import SpatialDatabase

/// The values of a device before a change that filters use and its image does not contain.
struct FormerDevice {
  let change: ChangeStore.Change
  let point: IndexedPoint

  /// Whether the change concerns a property that a filter uses.
  func isOther(to filter: LiveFilter) -> Bool {
    change.properties.contains { filter.dependsOnText($0) || filter.expressionNames($0) }
  }

  /// Whether the device matched. An expression with a changed property counts as true: a removal that is reported
  /// in vain is better than one that is missed.
  func matches(
    _ filter: LiveFilter, _ changes: ChangeStore, _ store: DeviceStore,
    _ connection: borrowing Connection
  ) throws -> Bool {
    guard var others = filter.rest else { return true }
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
