import CQL2
package import Devices
package import PrivacyMap

/// The filter of a listener or a watch, the same as for lists. The point index answers one part, the database the rest.
package struct LiveFilter: Sendable {
  /// The whole filter; nil when the index answers it alone.
  package let rest: DeviceFilter?
  /// The conditions of ``rest`` that the index cannot answer, without the others.
  package let unindexed: DeviceFilter?
  private let indexed: DeviceFilter
  private let vocabulary: Vocabulary

  package init(_ filter: DeviceFilter, vocabulary: Vocabulary) {
    var indexed = filter
    indexed.changed = nil
    indexed.operators = []
    indexed.words = nil
    indexed.licences = Licences()
    indexed.expression = nil
    // As in lists, the expression may select statuses that are not standing.
    indexed.statuses = filter.effectiveStatuses
    self.indexed = indexed
    self.vocabulary = vocabulary
    let isIndexed = filter.pointFilter(vocabulary: vocabulary, today: Day(daysSinceEpoch: 0)) != nil
    rest = isIndexed ? nil : filter
    unindexed = isIndexed ? nil : Self.unindexed(filter)
  }

  private static func unindexed(_ filter: DeviceFilter) -> DeviceFilter {
    var unindexed = DeviceFilter()
    unindexed.changed = filter.changed
    unindexed.operators = filter.operators
    unindexed.words = filter.words
    unindexed.licences = filter.licences
    unindexed.expression = filter.expression
    unindexed.statuses = DeviceStatus.allCases
    return unindexed
  }

  /// Whether words or operators of ``unindexed`` are compared with a property.
  package func dependsOnText(_ property: String) -> Bool {
    guard let unindexed else { return false }
    switch property {
    case "operator": return unindexed.words != nil || !unindexed.operators.isEmpty
    case "name", "description", "category": return unindexed.words != nil
    default: return false
    }
  }

  /// Whether the expression names a property.
  package func expressionNames(_ property: String) -> Bool {
    guard let expression = unindexed?.expression else { return false }
    return expression.names(property)
      || property == "operator" && expression.names("operator_kind")
  }

  /// The part that the index answers; every device of the filter passes it. Freshness depends on `today`.
  package func points(today: Day) -> PointFilter {
    indexed.pointFilter(vocabulary: vocabulary, today: today) ?? PointFilter()
  }
}
