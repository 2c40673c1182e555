/// The names, in the log of moderation, of the targets of one kind.
package struct LogName: Sendable {
  /// The first word of `audit.target`, such as `import` in `import 12`.
  package let kind: String
  /// A scalar subquery that returns the current name of the target of `audit`; NULL if it is gone.
  package let subquery: String

  /// `statement` makes the query from an expression for the id of the target.
  package init(_ kind: String, _ statement: (_ id: String) -> String) {
    self.kind = kind
    subquery = "(\(statement("substr(audit.target, \(kind.utf8.count + 2))")))"
  }
}
