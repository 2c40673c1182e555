package import Service

/// A feature that decides which names of operators no list shows.
package protocol WithholdsOperators: Feature {
  /// The rows of `operator` that no list names, because a moderator withholds the name of a private person.
  func withheldOperators() throws -> Set<UInt32>
}

extension Instance {
  /// The rows that the feature of this instance withholds.
  ///
  /// - Throws: ``MissingPart`` without such a feature, so that no instance names withheld operators by mistake.
  package func withheldOperators() throws -> @Sendable () throws -> Set<UInt32> {
    let kinds = features.lazy.compactMap { $0 as? any WithholdsOperators.Type }
    guard let kind = kinds.first else { throw MissingPart(name: "WithholdsOperators") }
    let feature: any WithholdsOperators = try part(kind)
    return { try feature.withheldOperators() }
  }
}
