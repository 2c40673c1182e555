import CQL2
import PrivacyMap

extension DeviceFilter {
  /// Adds conditions that must all hold. A condition that a parameter can express is stored as that
  /// parameter, which the point index and the R-tree can answer. The rest becomes ``expression``.
  ///
  /// Values that parameters have already set are narrowed.
  mutating func narrow(by conditions: [Filter], vocabulary: Vocabulary) {
    let rest = conditions.flatMap(\.conjuncts).filter { !narrow(by: $0, vocabulary) }
    expression = rest.count > 1 ? .and(rest) : rest.first
  }

  /// - Returns: false if no parameter expresses the condition.
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

  /// An empty list means "any", so a list that would become empty stays unchanged.
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
      // A geometry that is not a valid box stays a condition.
      box = try? BoundingBox(west: west, south: south, east: east, north: north)
      return box != nil
    default: return false
    }
  }
}

extension Filter {
  /// The conditions that this filter joins with AND at its top level.
  fileprivate var conjuncts: [Filter] {
    guard case .and(let parts) = self else { return [self] }
    return parts.flatMap(\.conjuncts)
  }

  /// A property and the texts of which it must equal one; nil for any other kind of filter.
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
