/// A number on public profiles of contributors.
package struct PersonCount: Sendable {
  /// The name of the number, such as `devices`.
  package let name: String
  /// Selects the account and the count of every account that has one, of public content only.
  package let sql: String

  package init(_ name: String, _ sql: String) { (self.name, self.sql) = (name, sql) }
}

/// A kind of contribution, for the figures of how many people contribute.
package struct PersonContribution: Sendable {
  /// `edits`, `claims` or `photos`.
  package let name: String
  /// The table and the condition of the contributions of a row of `account`.
  package let rows: String

  package init(_ name: String, _ rows: String) { (self.name, self.rows) = (name, rows) }
}
