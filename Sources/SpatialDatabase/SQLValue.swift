/// A value bound to a `?` of a statement.
///
/// Integers, floating-point numbers, text and `nil` can be written as literals.
package enum SQLValue: Sendable, Equatable {
  case null
  case integer(Int64)
  /// Not-a-number is stored as NULL, because SQLite does not support it.
  case real(Double)
  /// Stored byte for byte, including U+0000.
  case text(String)
  case blob([UInt8])

  /// As many `?` as a list has values, separated by commas.
  package static func marks(_ count: Int) -> String {
    Array(repeating: "?", count: max(0, count)).joined(separator: ", ")
  }

  /// NULL for nil.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  /// NULL for nil.
  package init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  /// NULL for nil.
  package init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
  /// NULL for nil.
  package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  /// NULL for nil.
  package init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
  /// 1 for true, 0 for false, NULL for nil.
  package init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }

  /// The integer, if it is one.
  package var integerValue: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number, if it is a floating-point number or an integer.
  package var realValue: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// The text, if it is one.
  package var textValue: String? {
    if case .text(let value) = self { value } else { nil }
  }
}

extension SQLValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }
  package init(nilLiteral: ()) { self = .null }
}
