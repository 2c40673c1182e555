import PrivacyMap

// Syntax written as a word with parentheses: relations, dates, case folding, geometries.

extension TextParser {
  /// Parses a call. The current token is its name.
  mutating func call(_ keyword: String, _ name: String) throws(InvalidFilter) -> Node {
    let offset = token.offset
    let lower = keyword.lowercased()
    if let relation = SpatialRelation(rawValue: lower) {
      let (left, right) = try pair()
      return .predicate(.spatial(relation, left, right))
    }
    if let relation = TemporalRelation(rawValue: lower) {
      let (left, right) = try pair()
      return .predicate(.temporal(relation, left, right))
    }
    if let relation = ArrayRelation(rawValue: lower) {
      let (left, right) = try pair()
      return .predicate(.array(relation, left, right))
    }
    switch keyword {
    case "CASEI":
      advance()
      try expect("(")
      guard case .operand(let operand) = try sum() else { throw unexpected("property, text") }
      try expect(")")
      return .operand(.caseFolded(operand))
    case "DATE", "TIMESTAMP":
      advance()
      try expect("(")
      let literal = try instant(keyword)
      try expect(")")
      return .operand(literal)
    case "INTERVAL":
      advance()
      try expect("(")
      let start = try end()
      try expect(",")
      let end = try end()
      try expect(")")
      return .operand(.interval(start, end))
    default:
      if Self.geometries.contains(keyword) { return .operand(.geometry(try geometry())) }
      throw InvalidFilter(.notOffered(String(name.prefix(40))), at: offset)
    }
  }

  /// The two operands of a relation.
  private mutating func pair() throws(InvalidFilter) -> (Operand, Operand) {
    advance()
    try expect("(")
    let operands = try operands(until: ")")
    guard operands.count == 2 else { throw unexpected("two operands") }
    return (operands[0], operands[1])
  }

  private mutating func instant(_ keyword: String) throws(InvalidFilter) -> Operand {
    guard case .text(let text) = token.kind else { throw unexpected("'…'") }
    let offset = token.offset
    advance()
    let literal: Operand? =
      keyword == "DATE"
      ? Day(text: text).map { .date($0) } : Moment(text: text).map { .timestamp($0) }
    guard let literal else {
      throw InvalidFilter(.literal(String(text.prefix(40))), at: offset)
    }
    return literal
  }

  /// An end of an interval.
  private mutating func end() throws(InvalidFilter) -> Operand? {
    try budget.spend(at: token.offset)
    let offset = token.offset
    switch token.kind {
    case .text(let text):
      advance()
      return try Operand.intervalEnd(text, at: offset)
    case .word(let name), .name(let name):
      let isBare = if case .word = token.kind { true } else { false }
      let keyword = token.keyword
      advance()
      guard isBare, token.kind == .sign("("), keyword == "DATE" || keyword == "TIMESTAMP" else {
        return .property(name)
      }
      advance()
      let literal = try instant(keyword ?? "")
      try expect(")")
      return literal
    default: throw unexpected("'…', '..', property")
    }
  }

  // Well-known text (OGC 06-103r4)

  static let geometries: Set<String> = [
    "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
    "GEOMETRYCOLLECTION", "BBOX",
  ]

  /// A geometry with no further tokens after it.
  mutating func onlyGeometry() throws(InvalidFilter) -> Geometry {
    let geometry = try geometry()
    guard token.kind == .end else { throw unexpected("the end") }
    return geometry
  }

  private mutating func geometry() throws(InvalidFilter) -> Geometry {
    guard let keyword = token.keyword, Self.geometries.contains(keyword) else {
      throw unexpected("geometry")
    }
    let offset = token.offset
    advance()
    // `POINT Z (…)`: heights are parsed and ignored.
    if token.keyword == "Z" { advance() }
    let geometry = try shape(keyword)
    if let fault = geometry.fault { throw InvalidFilter(.literal(fault), at: offset) }
    return geometry
  }

  private mutating func shape(_ keyword: String) throws(InvalidFilter) -> Geometry {
    switch keyword {
    case "POINT":
      try expect("(")
      let position = try position()
      try expect(")")
      return .point(position)
    case "LINESTRING": return .lineString(try line())
    case "POLYGON": return .polygon(try lines())
    case "MULTIPOINT":
      return .multiPoint(try listed { p throws(InvalidFilter) in try p.loosePoint() })
    case "MULTILINESTRING": return .multiLineString(try lines())
    case "MULTIPOLYGON":
      return .multiPolygon(try listed { parser throws(InvalidFilter) in try parser.lines() })
    case "BBOX": return try box()
    default:
      try budget.enter(at: token.offset)
      defer { budget.leave() }
      return .collection(try listed { parser throws(InvalidFilter) in try parser.geometry() })
    }
  }

  /// Comma-separated items in parentheses.
  private mutating func listed<Part>(
    _ part: (inout TextParser) throws(InvalidFilter) -> Part
  ) throws(InvalidFilter) -> [Part] {
    try expect("(")
    var parts = [try part(&self)]
    while skip(",") { parts.append(try part(&self)) }
    try expect(")")
    return parts
  }

  private mutating func line() throws(InvalidFilter) -> [Geometry.Position] {
    try listed { parser throws(InvalidFilter) in try parser.position() }
  }

  private mutating func lines() throws(InvalidFilter) -> [[Geometry.Position]] {
    try listed { parser throws(InvalidFilter) in try parser.line() }
  }

  /// A point of a MULTIPOINT, with or without parentheses.
  private mutating func loosePoint() throws(InvalidFilter) -> Geometry.Position {
    guard skip("(") else { return try position() }
    let position = try position()
    try expect(")")
    return position
  }

  private mutating func position() throws(InvalidFilter) -> Geometry.Position {
    try budget.spendPosition(at: token.offset)
    let position = Geometry.Position(try coordinate(), try coordinate())
    if isCoordinate { _ = try coordinate() }
    return position
  }

  private var isCoordinate: Bool {
    switch token.kind {
    case .number, .sign("-"), .sign("+"): true
    default: false
    }
  }

  private mutating func coordinate() throws(InvalidFilter) -> Double {
    let isNegative = token.kind == .sign("-")
    if isNegative || token.kind == .sign("+") { advance() }
    let value: Double =
      switch try number() {
      case .integer(let value): Double(value)
      case .number(let value): value
      default: 0
      }
    return isNegative ? -value : value
  }

  private mutating func box() throws(InvalidFilter) -> Geometry {
    let offset = token.offset
    let edges = try listed { parser throws(InvalidFilter) in try parser.coordinate() }
    guard let box = Geometry(edges: edges) else {
      throw InvalidFilter(.expected("4 or 6 numbers", found: "\(edges.count)"), at: offset)
    }
    return box
  }
}

extension Geometry {
  /// A box from four edges, or from six numbers with heights in third and sixth place. Nil for
  /// another count.
  init?(edges: [Double]) {
    switch edges.count {
    case 4: self = .box(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    case 6: self = .box(west: edges[0], south: edges[1], east: edges[3], north: edges[4])
    default: return nil
    }
  }
}

extension Operand {
  /// An end of an interval in its notation: `..`, a date or a timestamp.
  static func intervalEnd(
    _ text: String, at offset: Int? = nil
  ) throws(InvalidFilter) -> Operand? {
    if text == ".." { return nil }
    if let day = Day(text: text) { return .date(day) }
    if let moment = Moment(text: text) { return .timestamp(moment) }
    throw InvalidFilter(.literal(String(text.prefix(40))), at: offset)
  }
}
