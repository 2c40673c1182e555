extension Filter {
  /// Reads CQL2 text (21-065r2, clause 7 and Annex B).
  ///
  /// - Throws: ``InvalidFilter`` with the position of the error.
  package init(
    cql2Text text: String, limits: FilterLimits = FilterLimits()
  ) throws(InvalidFilter) {
    self = try Filter(text: text, isDraft: false, limits: limits)
  }

  /// Reads `cql-text`, the language of the drafts of OGC API – Features Part 3, which GDAL's driver OAPIF sends. It
  /// differs from CQL2 text in two ways: `ILIKE` compares without regard to case, and a backslash is a sign like any
  /// other.
  ///
  /// - Throws: ``InvalidFilter`` with the position of the error.
  package init(
    cqlText text: String, limits: FilterLimits = FilterLimits()
  ) throws(InvalidFilter) {
    self = try Filter(text: text, isDraft: true, limits: limits)
  }

  private init(text: String, isDraft: Bool, limits: FilterLimits) throws(InvalidFilter) {
    guard text.utf8.count <= limits.length else { throw InvalidFilter(.tooMuch(.length)) }
    let tokens = try Lexer.tokens(of: text, escapes: !isDraft)
    var parser = TextParser(tokens, limits, isDraft: isDraft)
    self = try parser.filter()
  }
}

/// A recursive-descent parser: OR, AND, NOT, predicate, sum, product, power, then primary expressions.
struct TextParser {
  /// The meaning of a group in parentheses.
  enum Node {
    case predicate(Filter)
    case operand(Operand)
  }

  private let tokens: [Token]
  /// Whether the language is `cql-text`.
  private let isDraft: Bool
  private var index = 0
  var budget: Budget

  init(_ tokens: [Token], _ limits: FilterLimits, isDraft: Bool = false) {
    self.tokens = tokens
    self.isDraft = isDraft
    budget = Budget(limits)
  }

  var token: Token { tokens[min(index, tokens.count - 1)] }
  private var ahead: Token { tokens[min(index + 1, tokens.count - 1)] }

  mutating func filter() throws(InvalidFilter) -> Filter {
    let predicate = try predicate(try either())
    guard token.kind == .end else { throw unexpected("AND, OR") }
    return predicate
  }

  // Helpers for all rules

  func unexpected(_ expected: String) -> InvalidFilter {
    token.kind == .end
      ? InvalidFilter(.ended(expected: expected), at: token.offset)
      : InvalidFilter(.expected(expected, found: token.shown), at: token.offset)
  }

  mutating func advance() { index += 1 }

  /// Consumes a sign. Returns false if the current token is different.
  mutating func skip(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(InvalidFilter) {
    guard skip(sign) else { throw unexpected(sign) }
  }

  private mutating func skip(keyword: String) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  private mutating func expect(keyword: String) throws(InvalidFilter) {
    guard skip(keyword: keyword) else { throw unexpected(keyword) }
  }

  private func predicate(_ node: Node) throws(InvalidFilter) -> Filter {
    switch node {
    case .predicate(let predicate): return predicate
    case .operand(.boolean(let value)): return .constant(value)
    case .operand: throw unexpected("=, <>, <, >, <=, >=, LIKE, BETWEEN, IN, IS")
    }
  }

  private func operand(_ node: Node) throws(InvalidFilter) -> Operand {
    guard case .operand(let operand) = node else { throw unexpected("AND, OR") }
    return operand
  }

  // Logic

  private mutating func either() throws(InvalidFilter) -> Node {
    try joined("OR", { parser throws(InvalidFilter) in try parser.both() }, Filter.or)
  }

  private mutating func both() throws(InvalidFilter) -> Node {
    try joined("AND", { parser throws(InvalidFilter) in try parser.negation() }, Filter.and)
  }

  private mutating func joined(
    _ keyword: String, _ part: (inout TextParser) throws(InvalidFilter) -> Node,
    _ join: ([Filter]) -> Filter
  ) throws(InvalidFilter) -> Node {
    let first = try part(&self)
    guard token.keyword == keyword else { return first }
    var parts = [try predicate(first)]
    while skip(keyword: keyword) {
      try budget.spend(at: token.offset)
      parts.append(try predicate(try part(&self)))
    }
    return .predicate(join(parts))
  }

  private mutating func negation() throws(InvalidFilter) -> Node {
    guard token.keyword == "NOT" else { return try relation() }
    let start = token.offset
    advance()
    try budget.enter(at: start)
    defer { budget.leave() }
    return .predicate(.not(try predicate(try negation())))
  }

  // Comparisons

  private mutating func relation() throws(InvalidFilter) -> Node {
    let left = try sum()
    if case .sign(let sign) = token.kind, let comparison = Comparison(rawValue: sign) {
      let operand = try operand(left)
      advance()
      return .predicate(.comparison(comparison, operand, try self.operand(try sum())))
    }
    guard let keyword = token.keyword else { return left }
    let isNegated = keyword == "NOT"
    switch isNegated ? ahead.keyword : keyword {
    case "LIKE", "BETWEEN", "IN",
      "ILIKE" where isDraft:
      let subject = try operand(left)
      if isNegated { advance() }
      let found = try comparison(of: subject)
      return .predicate(isNegated ? .not(found) : found)
    case "IS":
      let subject = try operand(left)
      advance()
      let isNegated = skip(keyword: "NOT")
      try expect(keyword: "NULL")
      return .predicate(isNegated ? .not(.isNull(subject)) : .isNull(subject))
    default: return left
    }
  }

  private mutating func comparison(of subject: Operand) throws(InvalidFilter) -> Filter {
    if skip(keyword: "LIKE") { return .like(subject, pattern: try pattern()) }
    if isDraft, skip(keyword: "ILIKE") {
      return .like(.caseFolded(subject), pattern: .caseFolded(try pattern()))
    }
    if skip(keyword: "BETWEEN") {
      let low = try operand(try sum())
      try expect(keyword: "AND")
      return .between(subject, low, try operand(try sum()))
    }
    try expect(keyword: "IN")
    try expect("(")
    return .oneOf(subject, try operands(until: ")"))
  }

  private mutating func pattern() throws(InvalidFilter) -> Operand {
    let pattern = try operand(try single())
    guard isDraft, case .text(let text) = pattern else { return pattern }
    return .text(text.replacing("\\", with: "\\\\"))
  }

  /// One or more operands separated by commas, and the sign that ends them.
  mutating func operands(until end: String) throws(InvalidFilter) -> [Operand] {
    var found = [try operand(try sum())]
    while skip(",") { found.append(try operand(try sum())) }
    try expect(end)
    return found
  }

  // Arithmetic

  mutating func sum() throws(InvalidFilter) -> Node {
    var left = try product()
    while case .sign(let sign) = token.kind, ["+", "-"].contains(sign),
      let sign = Arithmetic(rawValue: sign)
    {
      left = try arithmetic(
        sign, left, { parser throws(InvalidFilter) in try parser.product() })
    }
    return left
  }

  private mutating func product() throws(InvalidFilter) -> Node {
    var left = try power()
    while let sign = productSign {
      left = try arithmetic(sign, left, { parser throws(InvalidFilter) in try parser.power() })
    }
    return left
  }

  private var productSign: Arithmetic? {
    if token.keyword == "DIV" { return .quotient }
    guard case .sign(let sign) = token.kind, ["*", "/", "%"].contains(sign) else { return nil }
    return Arithmetic(rawValue: sign)
  }

  private mutating func power() throws(InvalidFilter) -> Node {
    let base = try single()
    guard token.kind == .sign("^") else { return base }
    try budget.enter(at: token.offset)
    defer { budget.leave() }
    return try arithmetic(.power, base, { parser throws(InvalidFilter) in try parser.power() })
  }

  private mutating func arithmetic(
    _ sign: Arithmetic, _ left: Node, _ right: (inout TextParser) throws(InvalidFilter) -> Node
  ) throws(InvalidFilter) -> Node {
    let operand = try operand(left)
    advance()
    return .operand(.arithmetic(sign, operand, try self.operand(try right(&self))))
  }

  // Primary expressions

  mutating func single() throws(InvalidFilter) -> Node {
    try budget.spend(at: token.offset)
    switch token.kind {
    case .text(let text):
      advance()
      return .operand(.text(text))
    case .name(let name):
      advance()
      return .operand(.property(name))
    case .number: return .operand(try number())
    case .sign("-"), .sign("+"): return .operand(try signed())
    case .sign("("): return try group()
    case .sign("["):
      advance()
      if skip("]") { return .operand(.list([])) }
      return .operand(.list(try operands(until: "]")))
    case .word: return try word()
    case .sign, .end: throw unexpected("property, literal, (")
    }
  }

  private mutating func group() throws(InvalidFilter) -> Node {
    try budget.enter(at: token.offset)
    defer { budget.leave() }
    advance()
    if skip(")") { return .operand(.list([])) }
    let node = try either()
    if token.kind == .sign(",") {
      var found = [try operand(node)]
      while skip(",") { found.append(try operand(try sum())) }
      try expect(")")
      return .operand(.list(found))
    }
    try expect(")")
    return node
  }

  private mutating func signed() throws(InvalidFilter) -> Operand {
    let isNegative = token.kind == .sign("-")
    try budget.enter(at: token.offset)
    defer { budget.leave() }
    advance()
    let operand = try operand(try single())
    guard isNegative else { return operand }
    switch operand {
    case .integer(let value) where value != .min: return .integer(-value)
    case .number(let value): return .number(-value)
    default: return .arithmetic(.minus, .integer(0), operand)
    }
  }

  mutating func number() throws(InvalidFilter) -> Operand {
    guard case .number(let text) = token.kind else { throw unexpected("number") }
    let offset = token.offset
    advance()
    if let value = Int64(text) { return .integer(value) }
    guard let value = Double(text.hasSuffix(".") ? text + "0" : text), value.isFinite else {
      throw InvalidFilter(.literal(String(text.prefix(40))), at: offset)
    }
    return .number(value)
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "LIKE", "BETWEEN", "IN", "IS", "NULL", "DIV",
  ]

  private mutating func word() throws(InvalidFilter) -> Node {
    guard case .word(let name) = token.kind, let keyword = token.keyword else {
      throw unexpected("property")
    }
    if keyword == "TRUE" || keyword == "FALSE" {
      advance()
      return .operand(.boolean(keyword == "TRUE"))
    }
    if Self.reserved.contains(keyword) { throw unexpected("property, literal, (") }
    guard ahead.kind == .sign("(") || ahead.keyword == "Z" && Self.geometries.contains(keyword)
    else {
      advance()
      return .operand(.property(name))
    }
    try budget.enter(at: token.offset)
    defer { budget.leave() }
    return try call(keyword, name)
  }
}

/// The remaining limits of a filter.
struct Budget {
  private let limits: FilterLimits
  private var depth = 0
  private var parts = 0
  private var positions = 0

  init(_ limits: FilterLimits) { self.limits = limits }

  mutating func spend(at offset: Int? = nil) throws(InvalidFilter) {
    parts += 1
    guard parts <= limits.parts else { throw InvalidFilter(.tooMuch(.parts), at: offset) }
  }

  mutating func spendPosition(at offset: Int? = nil) throws(InvalidFilter) {
    positions += 1
    guard positions <= limits.positions else {
      throw InvalidFilter(.tooMuch(.positions), at: offset)
    }
  }

  mutating func enter(at offset: Int? = nil) throws(InvalidFilter) {
    depth += 1
    guard depth <= limits.depth else { throw InvalidFilter(.tooMuch(.depth), at: offset) }
  }

  mutating func leave() { depth -= 1 }
}
