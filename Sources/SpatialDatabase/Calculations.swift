internal import CSpatiaLite
internal import Glibc

/// Calculations of filters, as SQLite functions.
///
/// A result without a value, or one beyond 1e300, is NULL, and one below 1e-300 is 0. PostgreSQL has functions with the
/// same names and steps (`Tests/Dialect/functions.sql`), so that both engines have the same results and neither fails.
enum Calculations {
  private static let largest = 1e300
  private static let smallest = 1e-300

  static func add(to handle: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    func add(
      _ name: String,
      _ function:
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    ) {
      sqlite3_create_function_v2(handle, name, 2, flags, nil, function, nil, nil, nil)
    }
    add("farol_plus") { answer($0, $2, Calculations.plus) }
    add("farol_times") { answer($0, $2, Calculations.times) }
    add("farol_divided") { answer($0, $2, Calculations.divided) }
    add("farol_remainder") { answer($0, $2, Calculations.remainder) }
    add("farol_power") { answer($0, $2, Calculations.power) }
  }

  /// A number within the limits. Nil beyond them, and for NaN.
  private static func number(_ x: Double) -> Double? {
    guard abs(x) <= largest else { return nil }
    return abs(x) < smallest ? 0 : x
  }

  static func plus(_ a: Double, _ b: Double) -> Double? {
    guard let x = number(a), let y = number(b) else { return nil }
    return number(x + y)
  }

  static func times(_ a: Double, _ b: Double) -> Double? {
    guard let x = number(a), let y = number(b) else { return nil }
    if abs(x) > 1 {
      if abs(y) > largest / abs(x) { return nil }
    } else if x == 0 || abs(y) < smallest / abs(x) {
      return 0
    }
    return number(x * y)
  }

  static func divided(_ a: Double, _ b: Double) -> Double? {
    guard let x = number(a), let y = number(b), y != 0 else { return nil }
    if abs(y) < 1 {
      if abs(x) > largest * abs(y) { return nil }
    } else if abs(x) < smallest * abs(y) {
      return 0
    }
    return number(x / y)
  }

  static func remainder(_ a: Double, _ b: Double) -> Double? {
    divided(a, b).flatMap { times(trunc($0), b) }.flatMap { plus(a, -$0) }
  }

  static func power(_ a: Double, _ b: Double) -> Double? {
    guard let x = number(a), let y = number(b) else { return nil }
    if y == 0 { return 1 }
    if x == 0 { return y > 0 ? 0 : nil }
    if x < 0, y != floor(y) { return nil }
    let exponent = y * log(abs(x))
    // The logarithms of the limits.
    if exponent > 690.7755 { return nil }
    if exponent < -690.7755 { return 0 }
    return number(pow(x, y))
  }
}

/// Gives SQLite the result of a calculation with the two arguments of a function.
private func answer(
  _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
  _ calculate: (Double, Double) -> Double?
) {
  guard let values, let first = values[0], let second = values[1],
    sqlite3_value_type(first) != SQLITE_NULL, sqlite3_value_type(second) != SQLITE_NULL,
    let result = calculate(sqlite3_value_double(first), sqlite3_value_double(second))
  else { return sqlite3_result_null(context) }
  sqlite3_result_double(context, result)
}
