import CQL2

// SQLite 3.40 parses with a stack of 100 entries. A sum is a call for each sign, so a filter within the limits of CQL2
// could need more, and the statement failed: `units - 1 - 1 - …`, or a dozen signs before a property.

extension FilterSQL {
  /// The entries that a condition may need. Others belong to the statement around it.
  static let maxStack = 80

  /// The most entries of the parser's stack that the condition of a filter needs.
  static func stack(_ predicate: Filter) -> Int {
    switch predicate {
    case .constant: 1
    case .not(let inner): 2 + stack(inner)
    case .and(let parts), .or(let parts):
      3 * levels(parts.count) + (parts.map { stack($0) }.max() ?? 0)
    case .comparison(_, let left, let right): max(stack(left), 2 + stack(right))
    case .like(let subject, let pattern): 5 + max(stack(subject), stack(pattern))
    case .between(let subject, let low, let high):
      4 + [subject, low, high].map { stack($0) }.reduce(0, max)
    case .oneOf(let subject, let values):
      5 + ([subject] + values).map { stack($0) }.reduce(0, max)
    case .isNull(let subject): 1 + stack(subject)
    case .spatial(_, let left, let right), .temporal(_, let left, let right),
      .array(_, let left, let right):
      10 + max(stack(left), stack(right))
    }
  }

  private static func stack(_ operand: Operand) -> Int {
    switch operand {
    case .arithmetic(let sign, let left, let right):
      // `farol_plus(…, -(…))`, and `trunc(farol_divided(…, …))`.
      (sign == .quotient ? 3 : 0)
        + max(3 + stack(left), (sign == .minus ? 7 : 5) + stack(right))
    case .caseFolded(let inner): 3 + stack(inner)
    default: 6
    }
  }

  /// The depth of the balanced tree of so many parts.
  private static func levels(_ count: Int) -> Int {
    var (levels, size) = (0, 1)
    while size < count { (levels, size) = (levels + 1, size * 2) }
    return levels
  }
}
