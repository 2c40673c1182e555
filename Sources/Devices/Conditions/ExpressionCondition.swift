package import CQL2
import Filters
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// The parts of a filter in CQL2 that no other condition expresses.
///
/// The property names were checked against ``DeviceQueryables`` before.
struct ExpressionCondition: DeviceCondition {
  let filter: Filter

  init(_ filter: Filter) { self.filter = filter }

  static func parameters(_: Vocabulary) -> [Parameter] { FilterParameters.declared }

  /// Reads nothing: ``DeviceParameters`` first gives the parts of a filter to the other conditions.
  init?(_: Query, _: DeviceParameters) { nil }

  func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) throws {
    let condition = try FilterSQL.condition(filter, fields: DeviceQueryables.fields(connection))
    clauses.add("(\(condition.sql))", condition.arguments)
  }

  /// An expression with a changed property counts as true: a removal that is reported in vain is better than one that
  /// is missed.
  func held(on former: some FormerDevice, _: borrowing Connection) -> Bool? {
    let isConcerned = former.changed.contains { property in
      filter.names(property) || property == "operator" && filter.names("operator_kind")
    }
    return isConcerned ? true : nil
  }
}

extension Filter {
  /// The conditions that this filter joins with AND at its top level.
  var conjuncts: [Filter] {
    guard case .and(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }

  /// A property and the texts of which it must equal one; nil for any other kind of filter.
  package var anyOfTexts: (name: String, values: [String])? {
    switch self {
    case .comparison(.equal, .property(let name), .text(let value)),
      .comparison(.equal, .text(let value), .property(let name)):
      return (name, [value])
    case .oneOf(.property(let name), let operands):
      var values: [String] = []
      for case .text(let value) in operands { values.append(value) }
      return values.count == operands.count ? (name, values) : nil
    case .or(let parts):
      let all = parts.compactMap(\.anyOfTexts)
      guard let name = all.first?.name, all.count == parts.count,
        all.allSatisfy({ $0.name == name })
      else { return nil }
      return (name, all.flatMap(\.values))
    default: return nil
    }
  }
}
