import CQL2
import PrivacyMap

extension DeviceFilter {
  /// Takes in conditions that all must hold: what a parameter can say as well is said by that, which
  /// the point index and the tree of boxes answer; the rest becomes ``expression``.
  ///
  /// Parameters come first: what these say already is narrowed.
  mutating func narrow(by conditions: [Filter], vocabulary: Vocabulary) {
    let rest = conditions.flatMap(\.conjuncts).filter { !narrow(by: $0, vocabulary) }
    expression = rest.count > 1 ? .and(rest) : rest.first
  }

  /// - Returns: false where no parameter says the same.
  private mutating func narrow(by condition: Filter, _ vocabulary: Vocabulary) -> Bool {
    if case .spatial(.intersects, let left, let right) = condition {
      return narrow(by: left, right)
    }
    guard let (name, values) = condition.anyOfTexts else { return false }
    switch name {
    case "category":
      return Self.narrow(&categories, to: values.filter { vocabulary.category($0) != nil })
    case "country":
      return Self.narrow(&countries, to: values.filter(DeviceParameters.isCountry))
    case "operator_kind":
      return Self.narrow(&operatorKinds, to: values.compactMap(Operator.Kind.init))
    case "setting": return Self.narrow(&settings, to: values.compactMap(Setting.init))
    case "status": return Self.narrow(&statuses, to: values.compactMap(DeviceStatus.init))
    default: return false
    }
  }

  /// An empty list means any, so that one which would become empty stays as it is.
  private static func narrow<Code: Equatable>(_ codes: inout [Code], to values: [Code]) -> Bool {
    var narrowed: [Code] = []
    for value in values where (codes.isEmpty || codes.contains(value)) && !narrowed.contains(value)
    {
      narrowed.append(value)
    }
    guard !narrowed.isEmpty else { return false }
    codes = narrowed
    return true
  }

  private mutating func narrow(by left: Operand, _ right: Operand) -> Bool {
    guard box == nil else { return false }
    switch (left, right) {
    case (.property("geometry"), .geometry(.box(let west, let south, let east, let north))),
      (.geometry(.box(let west, let south, let east, let north)), .property("geometry")):
      // What is no box stays a condition.
      box = try? BoundingBox(west: west, south: south, east: east, north: north)
      return box != nil
    default: return false
    }
  }
}

extension Filter {
  /// What must all hold, on the outside of this filter.
  fileprivate var conjuncts: [Filter] {
    guard case .and(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }

  /// The property and the texts, any of which it is to be; nil for a filter that says anything else.
  fileprivate var anyOfTexts: (name: String, values: [String])? {
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
