package import CQL2
import Service
package import SpatialDatabase

/// Converts a filter to an SQL condition. Names are field names; values are bound as arguments.
///
/// SQL and CQL2 use the same three-valued logic: a comparison with an unknown value is neither true nor false,
/// and only rows for which the condition is true are found.
package struct FilterSQL {
  package private(set) var arguments: [SQLValue] = []
  let fields: [String: FilterField]

  /// - Throws: ``InvalidFilter`` if the filter names an unknown field, compares incompatible types, or is nested too
  ///   deeply.
  package static func condition(
    _ predicate: Filter, fields: [String: FilterField]
  ) throws(InvalidFilter) -> (sql: String, arguments: [SQLValue]) {
    var writer = FilterSQL(fields: fields)
    let sql = try writer.condition(predicate)
    guard stack(predicate) <= maxStack else { throw InvalidFilter(.tooMuch(.depth)) }
    return (sql, writer.arguments)
  }

  private init(fields: [String: FilterField]) { self.fields = fields }

  mutating func bind(_ value: SQLValue) -> String {
    arguments.append(value)
    return "?"
  }

  mutating func condition(_ predicate: Filter) throws(InvalidFilter) -> String {
    switch predicate {
    case .constant(let value): return value ? "TRUE" : "FALSE"
    case .and(let parts): return try joined(parts[...], "AND")
    case .or(let parts): return try joined(parts[...], "OR")
    case .not(let inner): return "NOT (\(try condition(inner)))"
    case .comparison(let comparison, let left, let right):
      return try self.comparison(comparison, left, right)
    case .like(let subject, let pattern): return try like(subject, pattern)
    case .between(let subject, let low, let high):
      // Written as two comparisons, so that dates can be compared with timestamps.
      let parts = [
        try comparison(.greaterOrEqual, subject, low), try comparison(.lessOrEqual, subject, high),
      ]
      return parts.joined(separator: " AND ")
    case .oneOf(let subject, let values): return try oneOf(subject, values)
    case .isNull(let subject): return try isNull(subject)
    case .spatial(let relation, let left, let right): return try spatial(relation, left, right)
    case .temporal(let relation, let left, let right): return try temporal(relation, left, right)
    case .array(let relation, let left, let right): return try array(relation, left, right)
    }
  }

  /// A balanced tree, because SQLite limits the depth of expressions.
  private mutating func joined(
    _ parts: ArraySlice<Filter>, _ word: String
  ) throws(InvalidFilter) -> String {
    guard parts.count > 1, let first = parts.first else {
      return try parts.first.map { part throws(InvalidFilter) in try condition(part) } ?? "TRUE"
    }
    if parts.count == 2, let last = parts.last {
      return "(\(try condition(first))) \(word) (\(try condition(last)))"
    }
    let middle = parts.startIndex + parts.count / 2
    let left = try joined(parts[..<middle], word)
    return "(\(left)) \(word) (\(try joined(parts[middle...], word)))"
  }

  // Comparisons

  private mutating func comparison(
    _ comparison: Comparison, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String {
    let kinds = (try kind(of: left), try kind(of: right))
    if kinds.0.isTemporal || kinds.1.isTemporal {
      return try instants(comparison, left, right)
    }
    guard kinds.0 == kinds.1, [.text, .number, .boolean].contains(kinds.0) else {
      throw InvalidFilter(.types(kinds.0.shown, kinds.1.shown))
    }
    // A calculation has the precision of its operands, and so has a number that is compared with it.
    let isCalculated = Self.isCalculated(left) || Self.isCalculated(right)
    let sql = try isCalculated ? real(left) : scalar(left)
    let other = try isCalculated ? real(right) : scalar(right)
    return "\(sql) \(comparison.rawValue) \(other)"
  }

  private mutating func like(
    _ subject: Operand, _ pattern: Operand
  ) throws(InvalidFilter) -> String {
    guard try kind(of: subject) == .text else {
      throw InvalidFilter(.types(try kind(of: subject).shown, "LIKE"))
    }
    let text: String
    switch pattern {
    case .text(let pattern): text = try Self.storable(pattern)
    case .caseFolded(.text(let pattern)): text = try Self.storable(pattern).caseFolded
    default: throw InvalidFilter(.types("LIKE", try kind(of: pattern).shown))
    }
    // The operator GLOB calls this function, whose first argument is the pattern.
    let mark = bind(.text(try Self.glob(text)))
    return "glob(\(mark), \(try scalar(subject)))"
  }

  /// The pattern in GLOB syntax, which is case-sensitive, as CQL2 requires (https://sqlite.org/lang_expr.html#glob).
  static func glob(_ pattern: String) throws(InvalidFilter) -> String {
    var glob = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "%" where !isEscaped: glob += "*"
      case "_" where !isEscaped: glob += "?"
      case "*", "?", "[": glob += "[\(scalar)]"
      default: glob.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    if isEscaped { glob += "\\" }
    // SQLite accepts no longer patterns (`SQLITE_LIMIT_LIKE_PATTERN_LENGTH` of a connection).
    guard glob.utf8.count <= 1_000 else { throw InvalidFilter(.tooMuch(.length)) }
    return glob
  }

  private mutating func oneOf(
    _ subject: Operand, _ values: [Operand]
  ) throws(InvalidFilter) -> String {
    let kind = try kind(of: subject)
    if kind.isTemporal {
      var parts: [String] = []
      for value in values { parts.append("(\(try instants(.equal, subject, value)))") }
      return parts.joined(separator: " OR ")
    }
    let isCalculated = ([subject] + values).contains(where: Self.isCalculated)
    let sql = try isCalculated ? real(subject) : scalar(subject)
    var marks: [String] = []
    for value in values {
      guard try self.kind(of: value) == kind else {
        throw InvalidFilter(.types(kind.shown, try self.kind(of: value).shown))
      }
      marks.append(try isCalculated ? real(value) : scalar(value))
    }
    return "\(sql) IN (\(marks.joined(separator: ", ")))"
  }

  private mutating func isNull(_ subject: Operand) throws(InvalidFilter) -> String {
    switch subject {
    case .property(let name): return "\(try field(name).sql) IS NULL"
    // PostgreSQL cannot find the type of a bound value here.
    case .text(let text), .caseFolded(.text(let text)):
      _ = try Self.storable(text)
      return "FALSE"
    case .integer, .number, .boolean, .geometry: return "FALSE"
    default:
      // A calculation with a text fails in PostgreSQL.
      _ = try kind(of: subject)
      return "(\(try scalar(subject))) IS NULL"
    }
  }

  // Values

  func field(_ name: String) throws(InvalidFilter) -> FilterField {
    guard let field = fields[name] else {
      throw InvalidFilter(.unknownProperty(PlainText.clipped(name)))
    }
    return field
  }

  /// The type of an operand; a text that contains a date counts as a text.
  func kind(of operand: Operand) throws(InvalidFilter) -> FilterField.Kind {
    switch operand {
    case .property(let name): return try field(name).kind
    case .text: return .text
    case .integer, .number: return .number
    case .boolean: return .boolean
    case .date: return .date
    case .timestamp, .interval: return .timestamp
    case .geometry: return .geometry
    case .list: return .texts
    case .caseFolded(let inner):
      guard try kind(of: inner) == .text else {
        throw InvalidFilter(.types("CASEI", try kind(of: inner).shown))
      }
      return .text
    case .arithmetic(_, let left, let right):
      for side in [left, right] where try kind(of: side) != .number {
        throw InvalidFilter(.types("number", try kind(of: side).shown))
      }
      return .number
    }
  }

  mutating func scalar(_ operand: Operand) throws(InvalidFilter) -> String {
    switch operand {
    case .property(let name): return try field(name).sql
    case .text(let text): return bind(.text(try Self.storable(text)))
    // PostgreSQL cannot find the type of a sum of two bound numbers.
    case .integer(let value): return "CAST(\(bind(.integer(value))) AS BIGINT)"
    case .number(let value): return "CAST(\(bind(.real(value))) AS DOUBLE PRECISION)"
    case .boolean(let value): return bind(.integer(value ? 1 : 0))
    case .caseFolded(.text(let text)): return bind(.text(try Self.storable(text).caseFolded))
    case .caseFolded(let inner): return "casefold(\(try scalar(inner)))"
    case .arithmetic(let sign, let left, let right):
      return Self.calculation(sign, try real(left), try real(right))
    case .date, .timestamp, .interval, .geometry, .list:
      throw InvalidFilter(.types(try kind(of: operand).shown, "text, number"))
    }
  }

  /// A number as one of double precision, in which both engines calculate.
  private mutating func real(_ operand: Operand) throws(InvalidFilter) -> String {
    switch operand {
    case .arithmetic: return try scalar(operand)
    case .integer(let value): return "CAST(\(bind(.real(Double(value)))) AS DOUBLE PRECISION)"
    default: return "CAST(\(try scalar(operand)) AS DOUBLE PRECISION)"
    }
  }

  private static func isCalculated(_ operand: Operand) -> Bool {
    if case .arithmetic = operand { true } else { false }
  }

  /// PostgreSQL's operators fail if a result is out of range; these functions, which both engines have, return NULL
  /// (`Sources/SpatialDatabase/Calculations.swift`).
  private static func calculation(_ sign: Arithmetic, _ left: String, _ right: String) -> String {
    switch sign {
    case .plus: "farol_plus(\(left), \(right))"
    case .minus: "farol_plus(\(left), -(\(right)))"
    case .times: "farol_times(\(left), \(right))"
    case .divided: "farol_divided(\(left), \(right))"
    case .remainder: "farol_remainder(\(left), \(right))"
    case .quotient: "trunc(farol_divided(\(left), \(right)))"
    case .power: "farol_power(\(left), \(right))"
    }
  }

  /// A text that may be stored. No stored text contains U+0000, which PostgreSQL does not even compare.
  static func storable(_ text: String) throws(InvalidFilter) -> String {
    guard !text.unicodeScalars.contains("\0") else {
      throw InvalidFilter(.literal(PlainText.clipped(text)))
    }
    return text
  }
}

extension FilterField.Kind {
  var isTemporal: Bool { self == .date || self == .timestamp }

  /// The name of the type in error messages.
  var shown: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .timestamp: "timestamp"
    case .texts: "array"
    case .geometry: "geometry"
    }
  }
}
