import CQL2
import PrivacyMap
import SpatialDatabase

// Instants and intervals. Times are stored as text in UTC with a precision of one second, so text order
// equals time order. A date that is compared with times is the whole day.

extension FilterSQL {
  /// The start and end of an operand, as SQL texts; an open end is a text before or after all others.
  private struct Span {
    let start, end: String
    let startValues, endValues: [SQLValue]
  }

  private static let before = ""
  private static let after = "~"

  /// Whether all operands are days.
  private func areDates(_ operands: [Operand]) throws(InvalidFilter) -> Bool {
    for operand in operands {
      switch operand {
      case .date, .text: continue
      case .interval(let start, let end):
        guard try areDates([start, end].compactMap { $0 }) else { return false }
      default: guard try kind(of: operand) == .date else { return false }
      }
    }
    return true
  }

  private func span(_ operand: Operand, asDates: Bool) throws(InvalidFilter) -> Span {
    switch operand {
    case .date(let day):
      let (start, end) = asDates ? (day.text, day.text) : Self.ends(of: day)
      return literal(start, end)
    case .timestamp(let moment):
      return literal(moment.second.text, moment.second.text)
    case .text(let text):
      if let day = Day(text: text) { return try span(.date(day), asDates: asDates) }
      if !asDates, let moment = Moment(text: text) {
        return try span(.timestamp(moment), asDates: asDates)
      }
      throw InvalidFilter(.literal(String(text.prefix(40))))
    case .interval(let start, let end):
      let first = try start.map { operand throws(InvalidFilter) in
        try span(operand, asDates: asDates)
      }
      let last = try end.map { operand throws(InvalidFilter) in
        try span(operand, asDates: asDates)
      }
      let open = literal(Self.before, Self.after)
      return Span(
        start: (first ?? open).start, end: (last ?? open).end,
        startValues: (first ?? open).startValues, endValues: (last ?? open).endValues)
    case .property(let name):
      let field = try field(name)
      guard field.kind.isTemporal else {
        throw InvalidFilter(.types(field.kind.shown, "date, timestamp"))
      }
      if field.kind == .date, !asDates {
        return Span(
          start: "(\(field.sql) || 'T00:00:00Z')", end: "(\(field.sql) || 'T23:59:59Z')",
          startValues: [], endValues: [])
      }
      return Span(start: field.sql, end: field.sql, startValues: [], endValues: [])
    default: throw InvalidFilter(.types(try kind(of: operand).shown, "date, timestamp"))
    }
  }

  private func literal(_ start: String, _ end: String) -> Span {
    Span(start: "?", end: "?", startValues: [.text(start)], endValues: [.text(end)])
  }

  private static func ends(of day: Day) -> (String, String) {
    (day.text + "T00:00:00Z", day.text + "T23:59:59Z")
  }

  /// Compares two instants. A date that is compared with times is the whole day: a time is later than the
  /// date if it is after the end of the day.
  mutating func instants(
    _ comparison: Comparison, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String {
    for operand in [left, right] {
      if case .interval = operand { throw InvalidFilter(.types("interval", comparison.rawValue)) }
      let kind = try kind(of: operand)
      guard kind.isTemporal || Self.isText(operand) else {
        throw InvalidFilter(.types(kind.shown, "date, timestamp"))
      }
    }
    if let sql = try beyondTheSecond(comparison, left, right) { return sql }
    let asDates = try areDates([left, right])
    let (a, b) = (try span(left, asDates: asDates), try span(right, asDates: asDates))
    switch comparison {
    case .less: return one(a.end, a.endValues, "<", b.start, b.startValues)
    case .greater: return one(a.start, a.startValues, ">", b.end, b.endValues)
    case .lessOrEqual: return one(a.end, a.endValues, "<=", b.end, b.endValues)
    case .greaterOrEqual: return one(a.start, a.startValues, ">=", b.start, b.startValues)
    case .equal, .notEqual:
      let sql =
        one(a.start, a.startValues, ">=", b.start, b.startValues) + " AND "
        + one(a.end, a.endValues, "<=", b.end, b.endValues)
      return comparison == .equal ? sql : "NOT (\(sql))"
    }
  }

  private static func isText(_ operand: Operand) -> Bool {
    if case .text = operand { true } else { false }
  }

  /// Compares a time with a fraction of a second with another one, or with stored times, which have none; nil for other
  /// times.
  private mutating func beyondTheSecond(
    _ comparison: Comparison, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String? {
    if case .timestamp(let one) = left, case .timestamp(let other) = right {
      return comparison.holds(one, other) ? "TRUE" : "FALSE"
    }
    if case .timestamp(let moment) = left, !moment.fraction.isEmpty, case .property = right {
      return try beyondTheSecond(comparison.mirrored, right, left)
    }
    guard case .timestamp(let moment) = right, !moment.fraction.isEmpty, case .property = left
    else { return nil }
    let span = try span(left, asDates: false)
    let text = SQLValue.text(moment.second.text)
    switch comparison {
    case .less, .lessOrEqual: return one(span.end, span.endValues, "<=", "?", [text])
    case .greater, .greaterOrEqual: return one(span.start, span.startValues, ">", "?", [text])
    case .equal, .notEqual:
      // Never equal, and unknown if the stored value is unknown.
      let sql = one(span.start, span.startValues, "<", "''", [])
      return comparison == .equal ? sql : "NOT (\(sql))"
    }
  }

  private mutating func one(
    _ left: String, _ leftValues: [SQLValue], _ sign: String, _ right: String,
    _ rightValues: [SQLValue]
  ) -> String {
    for value in leftValues + rightValues { _ = bind(value) }
    return "\(left) \(sign) \(right)"
  }

  /// Compares starts and ends as the relation requires (21-065r2, table 9).
  mutating func temporal(
    _ relation: TemporalRelation, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String {
    let asDates = try areDates([left, right])
    let (a, b) = (try span(left, asDates: asDates), try span(right, asDates: asDates))
    func starts(_ sign: String) -> Clause { Clause(a, \.start, sign, b, \.start) }
    func ends(_ sign: String) -> Clause { Clause(a, \.end, sign, b, \.end) }
    let startAgainstEnd = { (sign: String) in Clause(a, \.start, sign, b, \.end) }
    let endAgainstStart = { (sign: String) in Clause(a, \.end, sign, b, \.start) }
    let clauses: [Clause] =
      switch relation {
      case .after: [startAgainstEnd(">")]
      case .before: [endAgainstStart("<")]
      case .contains: [starts("<"), ends(">")]
      case .during: [starts(">"), ends("<")]
      case .equals: [starts("="), ends("=")]
      case .finishedBy: [starts("<"), ends("=")]
      case .finishes: [starts(">"), ends("=")]
      case .intersects, .disjoint: [startAgainstEnd("<="), endAgainstStart(">=")]
      case .meets: [endAgainstStart("=")]
      case .metBy: [startAgainstEnd("=")]
      case .overlappedBy: [starts(">"), startAgainstEnd("<"), ends(">")]
      case .overlaps: [starts("<"), endAgainstStart(">"), ends("<")]
      case .startedBy: [starts("="), ends(">")]
      case .starts: [starts("="), ends("<")]
      }
    let sql = clauses.map { clause in
      for value in clause.values { _ = bind(value) }
      return clause.sql
    }.joined(separator: " AND ")
    return relation == .disjoint ? "NOT (\(sql))" : sql
  }

  /// A comparison of two ends, with its arguments.
  private struct Clause {
    let sql: String
    let values: [SQLValue]

    init(
      _ a: Span, _ left: KeyPath<Span, String>, _ sign: String, _ b: Span,
      _ right: KeyPath<Span, String>
    ) {
      sql = "\(a[keyPath: left]) \(sign) \(b[keyPath: right])"
      values =
        (left == \.start ? a.startValues : a.endValues)
        + (right == \.start ? b.startValues : b.endValues)
    }
  }
}

extension Comparison {
  /// Whether it is true of two times.
  fileprivate func holds(_ one: Moment, _ other: Moment) -> Bool {
    let (left, right) = ((one.second, one.fraction), (other.second, other.fraction))
    return switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .less: left < right
    case .greater: left > right
    case .lessOrEqual: left <= right
    case .greaterOrEqual: left >= right
    }
  }

  /// The comparison with its operands swapped.
  fileprivate var mirrored: Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .greater: .less
    case .lessOrEqual: .greaterOrEqual
    case .greaterOrEqual: .lessOrEqual
    }
  }
}
