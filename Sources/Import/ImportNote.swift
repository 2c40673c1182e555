/// A message of an import about one row.
package struct ImportNote: Hashable, Sendable {
  package enum Severity: String, Sendable {
    /// The device was imported but needs a check.
    case flagged
    /// The row, or one device of it, was not imported.
    case refused
  }

  package var severity: Severity
  /// The field concerned, with its name in `docs/reference/import.md`. Nil if the note concerns the whole
  /// row.
  package var field: String?
  /// A code for statistics: `out_of_range`, `not_a_date`.
  package var code: String
  /// One sentence for people. Excerpts of values are short and contain no address or login.
  package var detail: String

  package init(_ severity: Severity, field: String?, code: String, detail: String) {
    self.severity = severity
    self.field = field
    self.code = code
    self.detail = detail
  }
}
