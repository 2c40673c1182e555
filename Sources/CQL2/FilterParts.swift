package import PrivacyMap

extension Filter {
  /// The same filter with every geometry transformed, for literals in another reference system.
  package func mapGeometries<Failure: Error>(
    _ move: (Geometry) throws(Failure) -> Geometry
  ) throws(Failure) -> Filter {
    func operand(_ operand: Operand) throws(Failure) -> Operand {
      guard case .geometry(let shape) = operand else { return operand }
      return .geometry(try move(shape))
    }
    func all(_ parts: [Filter]) throws(Failure) -> [Filter] {
      var moved: [Filter] = []
      for part in parts { moved.append(try part.mapGeometries(move)) }
      return moved
    }
    switch self {
    case .and(let parts): return .and(try all(parts))
    case .or(let parts): return .or(try all(parts))
    case .not(let inner): return .not(try inner.mapGeometries(move))
    case .spatial(let relation, let left, let right):
      return .spatial(relation, try operand(left), try operand(right))
    default: return self
    }
  }

  /// Whether the filter contains a property.
  package func names(_ property: String) -> Bool {
    switch self {
    case .constant: false
    case .and(let parts), .or(let parts): parts.contains { $0.names(property) }
    case .not(let inner): inner.names(property)
    case .comparison(_, let left, let right), .like(let left, let right),
      .spatial(_, let left, let right), .temporal(_, let left, let right),
      .array(_, let left, let right):
      left.names(property) || right.names(property)
    case .between(let subject, let low, let high):
      [subject, low, high].contains { $0.names(property) }
    case .oneOf(let subject, let values): ([subject] + values).contains { $0.names(property) }
    case .isNull(let subject): subject.names(property)
    }
  }
}

extension Operand {
  fileprivate func names(_ property: String) -> Bool {
    switch self {
    case .property(let name): name == property
    case .interval(let start, let end):
      start?.names(property) == true || end?.names(property) == true
    case .list(let values): values.contains { $0.names(property) }
    case .caseFolded(let inner): inner.names(property)
    case .arithmetic(_, let left, let right): left.names(property) || right.names(property)
    default: false
    }
  }
}
