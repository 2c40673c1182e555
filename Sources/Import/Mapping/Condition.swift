import PrivacyMap
import WrittenValues

/// The condition of a rule for a row.
indirect enum Condition: Equatable, Sendable {
  case column(Column, TextTest)
  case number(Column, NumberTest)
  case present(Column, Bool)
  /// Whether a date is before today, or not.
  case past(Column, Bool)
  case place(PlaceTest)
  case all([Condition])
  case any([Condition])
  case not(Condition)

  init(_ node: MappingNode) throws(InvalidMapping) {
    let members = try node.members(
      [
        "column", "columns", "prefixes", "equals", "prefix", "suffix", "contains", "other_than",
        "present", "past", "ignore_case", "all", "any", "not", "is", "country", "other_country",
        "farther_than", "from", "decimal",
      ] + NumberTest.keys)
    if let list = members["all"] {
      self = .all(try Self.conditions(list))
    } else if let list = members["any"] {
      self = .any(try Self.conditions(list))
    } else if let inner = members["not"] {
      self = .not(try Condition(inner))
    } else if let name = members["is"] {
      guard let known = node.conditions[try name.text()] else {
        throw name.fault("names no condition of the mapping")
      }
      self = known
    } else if let name = members["column"] {
      self = try Self.test(of: Column(try name.text()), members, node)
    } else if let names = members["columns"] {
      var conditions: [Condition] = []
      for prefix in try members["prefixes"]?.texts() ?? [""] {
        for name in try names.texts() {
          conditions.append(try Self.test(of: Column(prefix + name), members, node))
        }
      }
      self = .any(conditions)
    } else if let test = try PlaceTest(members, in: node) {
      self = .place(test)
    } else {
      throw node.fault(
        "needs one of column, columns, country, other_country, farther_than, all, any, not, is")
    }
  }

  private static func test(
    of column: Column, _ members: [String: MappingNode], _ node: MappingNode
  ) throws(InvalidMapping) -> Condition {
    if let present = members["present"] { return .present(column, try present.flag()) }
    if let past = members["past"] { return .past(column, try past.flag()) }
    if let test = try NumberTest(members) { return .number(column, test) }
    return .column(column, try TextTest(members, in: node))
  }

  private static func conditions(_ node: MappingNode) throws(InvalidMapping) -> [Condition] {
    var conditions: [Condition] = []
    for node in try node.list() { conditions.append(try Condition(node)) }
    return conditions
  }

  /// Whether the row meets the condition. `lookup` returns the cleaned values of a column. `isAt` returns whether the
  /// position of the row passes a test; false without a position.
  func holds(
    on today: Day, _ lookup: (Column) -> [String], _ isAt: (PlaceTest) -> Bool
  ) -> Bool {
    switch self {
    case .column(let column, let test): lookup(column).contains(where: test.holds)
    case .number(let column, let test): test.holds(lookup(column))
    case .present(let column, let present): lookup(column).isEmpty != present
    case .past(let column, let isPast):
      lookup(column).contains { Self.isPast($0, on: today) == isPast }
    case .place(let test): isAt(test)
    case .all(let conditions): conditions.allSatisfy { $0.holds(on: today, lookup, isAt) }
    case .any(let conditions): conditions.contains { $0.holds(on: today, lookup, isAt) }
    case .not(let condition): !condition.holds(on: today, lookup, isAt)
    }
  }

  /// Whether a day, month or year of ISO 8601 has ended; nil for other texts.
  private static func isPast(_ text: String, on today: Day) -> Bool? {
    let date = DateFormat.iso.lazy.compactMap {
      $0.read(text, months: DateFormat.months)
    }.first
    guard let date, date.exists else { return nil }
    return date.text < today.text.prefix(date.text.utf8.count)
  }

  /// The columns that the condition compares. A test for absence may name a column that is not there.
  var columns: [Column] {
    switch self {
    case .column(let column, _), .number(let column, _), .past(let column, _): [column]
    case .present, .place: []
    case .all(let conditions), .any(let conditions): conditions.flatMap(\.columns)
    case .not(let condition): condition.columns
    }
  }
}

/// A comparison of texts without regular expressions.
struct TextTest: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case equals, prefix, suffix, contains
    /// The text differs from all of these.
    case otherThan = "other_than"
  }

  private let kind: Kind
  let texts: [String]
  private let ignoresCase: Bool

  /// Whether a text passes because it differs from all ``texts``.
  var isNegative: Bool { kind == .otherThan }

  /// Reads `equals`, `prefix`, `suffix`, `contains` or `other_than`, and `ignore_case`.
  init(
    _ members: [String: MappingNode], in node: MappingNode, ignoresCase: Bool = false
  ) throws(InvalidMapping) {
    let ignoresCase = try members["ignore_case"]?.flag() ?? ignoresCase
    for kind in Kind.allCases {
      guard let node = members[kind.rawValue] else { continue }
      self.kind = kind
      texts = try node.scalars().map { ignoresCase ? $0.lowercased() : $0 }
      self.ignoresCase = ignoresCase
      return
    }
    throw node.fault(
      "needs one of equals, prefix, suffix, contains, other_than, present, past, number, at_least, "
        + "at_most, above, below")
  }

  func holds(_ text: String) -> Bool {
    let text = ignoresCase ? text.lowercased() : text
    if isNegative { return !texts.contains(text) }
    return texts.contains { other in
      switch kind {
      case .equals, .otherThan: text == other
      case .prefix: text.hasPrefix(other)
      case .suffix: text.hasSuffix(other)
      case .contains: text.contains(other)
      }
    }
  }
}
