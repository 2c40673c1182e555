package import PrivacyMap

/// A filter of OGC CQL2 (21-065r2), however it was written.
package indirect enum Filter: Equatable, Sendable {
  /// All hold; two or more.
  case and([Filter])
  /// Any holds; two or more.
  case or([Filter])
  case not(Filter)
  case constant(Bool)
  case comparison(Comparison, Operand, Operand)
  /// The pattern is a text literal, perhaps folded: `%` stands for any text, `_` for one character,
  /// `\` makes the next character plain.
  case like(Operand, pattern: Operand)
  /// Ends included.
  case between(Operand, Operand, Operand)
  case oneOf(Operand, [Operand])
  case isNull(Operand)
  case spatial(SpatialRelation, Operand, Operand)
  case temporal(TemporalRelation, Operand, Operand)
  case array(ArrayRelation, Operand, Operand)
}

/// What a predicate is about: a property, a literal, or something made of them.
package indirect enum Operand: Equatable, Sendable {
  case property(String)
  case text(String)
  case integer(Int64)
  case number(Double)
  case boolean(Bool)
  case date(Day)
  case timestamp(Moment)
  /// From one instant through another; nil is open. An end is a date, a timestamp or a property.
  case interval(Operand?, Operand?)
  case geometry(Geometry)
  case list([Operand])
  /// Compared without regard to case.
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
  /// Whole-number division.
  case quotient = "div"
  case power = "^"
}

/// Relations of places (21-065r2, 7.9).
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

/// Relations of instants and intervals (21-065r2, 7.11), after Allen.
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

/// Relations of sets of values (21-065r2, 7.12).
package enum ArrayRelation: String, CaseIterable, Sendable {
  case equals = "a_equals"
  case contains = "a_contains"
  case containedBy = "a_containedby"
  case overlaps = "a_overlaps"
}

/// A moment as a filter names it: to the second, and what lies beyond.
package struct Moment: Equatable, Sendable {
  /// The second it falls in, in UTC.
  package let second: Timestamp
  /// The digits of the fraction without zeros at the end; empty: exactly at the second.
  package let fraction: String

  /// Reads RFC 3339; nil when there is no such moment.
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
