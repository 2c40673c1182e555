package import Devices
package import PrivacyMap

/// The filter of a listener or a watch, the same as for lists. The point index answers one part, the database the rest.
package struct LiveFilter: Sendable {
  /// The whole filter; nil when the index answers it alone.
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
    rest = isIndexed ? nil : filter
  }

  /// The part that the index answers; every device of the filter passes it. Freshness depends on `today`.
  package func points(today: Day) -> PointFilter {
    indexed.pointFilter(vocabulary: vocabulary, today: today) ?? PointFilter()
  }
}
