package import CQL2
import Filters
package import PrivacyMap
package import Reference
package import Service
package import WebServer

/// The query parameters that select devices; the same for lists, tiles, counts and exports.
package struct DeviceParameters: Sendable {
  /// All conditions, in the order of the documentation.
  package static let kinds: [any DeviceCondition.Type] = [
    BoxCondition.self, ChangeTimeCondition.self, CategoryCondition.self,
    CollectedDataCondition.self, OfferedChoiceCondition.self, OperatorCondition.self,
    OperatorKindCondition.self, SettingCondition.self, StatusCondition.self,
    FreshnessCondition.self, CountryCondition.self, LicenceCondition.self, PlaceCondition.self,
    IDCondition.self, WordCondition.self,
  ]

  package let vocabulary: Vocabulary
  package let places: PlaceStore?
  /// The licence of contributions to this instance.
  package let licence: String
  private let kinds: [any DeviceCondition.Type]
  /// Queryables whose parameter no condition has. A condition's parameter accepts more: several values, checked codes,
  /// or terms with their descendants.
  private let queryables: QueryableParameters
  /// Their declarations in the OpenAPI document.
  package let declared: [Parameter]
  /// The parameters that the filter of a watch can have.
  package let namesForWatches: [String]

  package init(
    vocabulary: Vocabulary, places: PlaceStore?, licence: String,
    further: [any DeviceCondition.Type] = []
  ) {
    (self.vocabulary, self.places, self.licence) = (vocabulary, places, licence)
    kinds = Self.kinds + further
    let own = kinds.map { (isForWatches: $0.isForWatches, declared: $0.parameters(vocabulary)) }
    queryables = QueryableParameters(
      DeviceQueryables.known, except: own.flatMap(\.declared).map(\.name))
    let expressions = ExpressionCondition.parameters(vocabulary) + queryables.declared
    declared = own.flatMap(\.declared) + expressions
    namesForWatches = (own.filter(\.isForWatches).flatMap(\.declared) + expressions).map(\.name)
  }

  /// Reads a filter. The parts of a filter in CQL2 that another condition expresses are read as that condition, which
  /// the point index and the R-tree can answer.
  ///
  /// - Throws: ``InvalidInput`` with the name of the invalid parameter.
  package func filter(
    _ query: Query, limits: FilterLimits = FilterLimits()
  ) throws -> DeviceFilter {
    var filter = DeviceFilter()
    for kind in kinds {
      guard let condition = try kind.init(query, self) else { continue }
      if filter.conditions.isEmpty { filter.conditions.reserveCapacity(4) }
      filter.conditions.append(condition)
    }
    let expression = try FilterParameters.filter(
      query, fields: DeviceQueryables.known, limits: limits)
    let further = try queryables.conditions(query)
    guard expression != nil || !further.isEmpty else { return filter }
    let parts = (expression?.conjuncts ?? []) + further.flatMap(\.conjuncts)
    let rest = parts.filter { part in
      !kinds.contains { $0.narrow(&filter, by: part, vocabulary) }
    }
    if let first = rest.first {
      filter.conditions.append(ExpressionCondition(rest.count > 1 ? .and(rest) : first))
    }
    return filter
  }
}

extension DeviceCondition {
  /// Combines the condition of this type in a filter with a part of an expression. Returns false if it cannot.
  fileprivate static func narrow(
    _ filter: inout DeviceFilter, by part: Filter, _ vocabulary: Vocabulary
  ) -> Bool {
    guard let narrowed = narrowed(filter[Self.self], by: part, vocabulary) else { return false }
    filter[Self.self] = narrowed
    return true
  }
}
