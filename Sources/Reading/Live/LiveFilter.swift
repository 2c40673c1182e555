import CQL2
package import Devices
package import PrivacyMap

/// The filter of a listener or a watch, the same as for lists. The point index answers one part, the database the rest.
package struct LiveFilter: Sendable {
  /// The conditions that the index cannot answer; nil if it answers all.
  package let rest: DeviceFilter?
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
    rest = isIndexed ? nil : Self.rest(of: filter)
  }

  private static func rest(of filter: DeviceFilter) -> DeviceFilter {
    var rest = DeviceFilter()
    rest.changed = filter.changed
    rest.operators = filter.operators
    rest.words = filter.words
    rest.licences = filter.licences
    rest.expression = filter.expression
    rest.statuses = DeviceStatus.allCases
    return rest
  }

  /// Whether words or operators of ``rest`` are compared with a property.
  package func dependsOnText(_ property: String) -> Bool {
    guard let rest else { return false }
    switch property {
    case "operator": return rest.words != nil || !rest.operators.isEmpty
    case "name", "description", "category": return rest.words != nil
    default: return false
    }
  }

  /// Whether the expression names a property.
  package func expressionNames(_ property: String) -> Bool {
    guard let expression = rest?.expression else { return false }
    return expression.names(property)
      || property == "operator" && expression.names("operator_kind")
  }

  /// The part that the index answers; every device of the filter passes it. Freshness depends on `today`.
  package func points(today: Day) -> PointFilter {
    indexed.pointFilter(vocabulary: vocabulary, today: today) ?? PointFilter()
  }
}
