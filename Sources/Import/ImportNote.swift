/// Something an import has to say about one row.
package struct ImportNote: Hashable, Sendable {
  package enum Severity: String, Sendable {
    /// The device was taken; somebody should look.
    case flagged
    /// The row, or this device of it, was not taken.
    case refused
  }

  package var severity: Severity
  /// The field it is about, as `docs/import.md` names it; nil when it is about the whole row.
  package var field: String?
  /// A word for counting: `out_of_range`, `not_a_date`.
  package var code: String
  /// One sentence for people. Excerpts of values are short and hold no address or login.
  package var detail: String

  package init(_ severity: Severity, field: String?, code: String, detail: String) {
    self.severity = severity
    self.field = field
    self.code = code
    self.detail = detail
  }

  /// At most 60 characters of `value` for a note, cut where an address or a login begins.
  static func excerpt(_ value: String) -> String {
    let cleaned = CleanText(value, limit: 60, lines: false).text
    let words = cleaned.split(separator: " ", omittingEmptySubsequences: false)
    return words.map { ContactText.holdsAddress(String($0)) ? "…" : String($0) }.joined(
      separator: " ")
  }
}
