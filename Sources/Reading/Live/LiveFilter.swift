package import Devices
package import PrivacyMap

/// The filter of a listener or a watch, the same as for lists. The point index answers one part, the database the rest.
package struct LiveFilter: Sendable {
  /// The conditions that the index cannot answer; nil if it answers all.
  package let rest: DeviceFilter?
  private let indexed: DeviceFilter
  private let vocabulary: Vocabulary

  package init(_ filter: DeviceFilter, vocabulary: Vocabulary) {
    var points = PointFilter()
    var (indexed, rest) = (DeviceFilter(), DeviceFilter())
    for condition in filter.conditions {
      if condition.narrow(&points, vocabulary, today: Day(daysSinceEpoch: 0)) {
        indexed.conditions.append(condition)
      } else {
        rest.conditions.append(condition)
      }
    }
    let isIndexed = rest.conditions.isEmpty
    // As in lists, an expression may select statuses that are not standing.
    indexed[StatusCondition.self] = StatusCondition(codes: filter.statuses)
    rest[StatusCondition.self] = StatusCondition(codes: DeviceStatus.allCases)
    (self.indexed, self.rest, self.vocabulary) = (indexed, isIndexed ? nil : rest, vocabulary)
  }

  /// The part that the index answers; every device of the filter passes it. Freshness depends on `today`.
  package func points(today: Day) -> PointFilter {
    indexed.pointFilter(vocabulary: vocabulary, today: today) ?? PointFilter()
  }
}
