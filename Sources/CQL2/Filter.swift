package import PrivacyMap

/// A filter of OGC CQL2 (21-065r2), parsed from either text or JSON.
package indirect enum Filter: Equatable, Sendable {
  /// All conditions hold. Two or more.
  case and([Filter])
  /// At least one condition holds. Two or more.
  case or([Filter])
  case not(Filter)
  case constant(Bool)
  case comparison(Comparison, Operand, Operand)
  /// The pattern is a text literal, possibly case-folded. `%` matches any text, `_` matches one
  /// character, and `\` escapes the next character.
  case like(Operand, pattern: Operand)
  /// Both ends included.
  case between(Operand, Operand, Operand)
  case oneOf(Operand, [Operand])
  case isNull(Operand)
  case spatial(SpatialRelation, Operand, Operand)
  case temporal(TemporalRelation, Operand, Operand)
  case array(ArrayRelation, Operand, Operand)
}

/// An operand of a predicate: a property, a literal, or an expression of these.
package indirect enum Operand: Equatable, Sendable {
  case property(String)
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case date(Day)
  case timestamp(Moment)
  /// An interval between two instants. Nil means open. An end is a date, a timestamp or a property.
  case interval(Operand?, Operand?)
  case geometry(Geometry)
  case list([Operand])
  /// Compared case-insensitively.
  case caseFolded(Operand)
  case arithmetic(Arithmetic, Operand, Operand)
}

package enum Comparison: String, CaseIterable, Sendable {
  case equal = "="
  case notEqual = "<>"
  case less = "<"
  case greater = ">"
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
}

package enum Arithmetic: String, CaseIterable, Sendable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divided = "/"
  case remainder = "%"
  /// Integer division.
  case quotient = "div"
  case power = "^"
}

/// Spatial relations (21-065r2, 7.9).
package enum SpatialRelation: String, CaseIterable, Sendable {
  case intersects = "s_intersects"
  case equals = "s_equals"
  case disjoint = "s_disjoint"
  case touches = "s_touches"
  case within = "s_within"
  case overlaps = "s_overlaps"
  case crosses = "s_crosses"
  case contains = "s_contains"
}

/// Temporal relations of instants and intervals (21-065r2, 7.11), after Allen.
package enum TemporalRelation: String, CaseIterable, Sendable {
  case after = "t_after"
  case before = "t_before"
  case contains = "t_contains"
  case disjoint = "t_disjoint"
  case during = "t_during"
  case equals = "t_equals"
  case finishedBy = "t_finishedby"
  case finishes = "t_finishes"
  case intersects = "t_intersects"
  case meets = "t_meets"
  case metBy = "t_metby"
  case overlappedBy = "t_overlappedby"
  case overlaps = "t_overlaps"
  case startedBy = "t_startedby"
  case starts = "t_starts"
}

/// Relations of arrays (21-065r2, 7.12).
package enum ArrayRelation: String, CaseIterable, Sendable {
  case equals = "a_equals"
  case contains = "a_contains"
  case containedBy = "a_containedby"
  case overlaps = "a_overlaps"
}

/// A time in a filter: the second and its fraction.
package struct Moment: Equatable, Sendable {
  /// The second that contains it, in UTC.
  package let second: Timestamp
  /// The digits of the fraction without trailing zeros. Empty for a whole second.
  package let fraction: String

  /// Reads RFC 3339. Nil for an invalid time.
  package init?(text: String) {
    guard let second = Timestamp(text: text) else { return nil }
    self.second = second
    guard let point = text.firstIndex(of: ".") else {
      fraction = ""
      return
    }
    var digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
    while digits.last == "0" { digits.removeLast() }
    fraction = String(digits)
  }

  package init(_ second: Timestamp) {
    self.second = second
    fraction = ""
  }

  /// RFC 3339 in UTC.
  package var text: String {
    fraction.isEmpty ? second.text : second.text.dropLast() + ".\(fraction)Z"
  }
}
