package import SpatialDatabase

/// The checks of a feature's tables, and the repairs of their derived rows.
package struct IntegrityRules: Sendable {
  /// A statement that counts inconsistent rows, from a schema version on. The words are about these rows, such as
  /// `devices have no full text`.
  package typealias Count = (since: Int, kind: Finding.Kind, words: String, sql: String)

  /// A check that needs more than one statement, from a schema version on. Some findings are no problem in a copy.
  package typealias Search = (
    since: Int, isForCopies: Bool, findings: @Sendable (Connection) throws -> [Finding]
  )

  /// An R-tree, whose contents SQLite's integrity check does not verify.
  package typealias Tree = (since: Int, name: String, part: DerivedPart)

  /// The repair of one part.
  package struct Repair: Sendable {
    package let part: DerivedPart
    /// Finds the inconsistent rows.
    package let find: @Sendable (Connection) throws -> [Int64]
    /// The statements that rewrite one row, each with the rowid as its only argument.
    package let statements: [String]

    package init(
      _ part: DerivedPart, _ statements: String...,
      find: @escaping @Sendable (Connection) throws -> [Int64]
    ) {
      (self.part, self.statements, self.find) = (part, statements, find)
    }

    package init(_ part: DerivedPart, rows sql: String, _ statements: String...) {
      (self.part, self.statements) = (part, statements)
      find = { try $0.rows(sql) { $0.int(0) } }
    }
  }

  package let counts: [Count]
  /// Counts whose statements need SpatiaLite.
  package let spatialCounts: [Count]
  package let trees: [Tree]
  package let searches: [Search]
  /// In the order of derivation: each part follows the parts that it is computed from.
  package let repairs: [Repair]

  package init(
    counts: [Count], spatialCounts: [Count] = [], trees: [Tree] = [], searches: [Search] = [],
    repairs: [Repair]
  ) {
    (self.counts, self.spatialCounts, self.trees) = (counts, spatialCounts, trees)
    (self.searches, self.repairs) = (searches, repairs)
  }
}
