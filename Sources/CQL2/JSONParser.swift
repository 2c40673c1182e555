package import JSON
import PrivacyMap

extension Filter {
  /// Reads CQL2 JSON (21-065r2, Annex C).
  ///
  /// - Throws: ``InvalidFilter`` without a position.
  package init(
    cql2JSON text: String, limits: FilterLimits = FilterLimits()
  ) throws(InvalidFilter) {
    guard text.utf8.count <= limits.length else { throw InvalidFilter(.tooMuch(.length)) }
    let value: JSONValue
    do { value = try JSONValue(parsing: Array(text.utf8)) } catch {
      throw InvalidFilter(.json("\(error)"))
    }
    try self.init(cql2JSON: value, limits: limits)
  }

  /// Reads CQL2 JSON from a request body.
  package init(
    cql2JSON value: JSONValue, limits: FilterLimits = FilterLimits()
  ) throws(InvalidFilter) {
    var parser = JSONFilterParser(limits)
    self = try parser.predicate(value)
  }
}

/// Parses `{"op": …, "args": […]}` and its content.
struct JSONFilterParser {
  private var budget: Budget

  init(_ limits: FilterLimits) { budget = Budget(limits) }

  mutating func predicate(_ value: JSONValue) throws(InvalidFilter) -> Filter {
    try budget.spend()
    if let constant = value.boolValue { return .constant(constant) }
    guard let name = value["op"]?.stringValue else { throw .json("a condition has no op") }
    guard let arguments = value["args"]?.arrayValue else { throw .json("args is no array") }
    try budget.enter()
    defer { budget.leave() }
    if name == "and" || name == "or" {
      guard arguments.count >= 2 else { throw .json("\(name) joins two or more") }
      var parts: [Filter] = []
      for argument in arguments { parts.append(try predicate(argument)) }
      return name == "and" ? .and(parts) : .or(parts)
    }
    if name == "not" { return .not(try predicate(try Self.only(1, of: arguments, name)[0])) }
    return try comparison(name, arguments)
  }

  private mutating func comparison(
    _ name: String, _ arguments: [JSONValue]
  ) throws(InvalidFilter) -> Filter {
    if name == "isNull" {
      return .isNull(try operand(try Self.only(1, of: arguments, name)[0]))
    }
    if name == "between" {
      let found = try operands(try Self.only(3, of: arguments, name))
      return .between(found[0], found[1], found[2])
    }
    _ = try Self.only(2, of: arguments, name)
    if name == "in" {
      guard let list = arguments[1].arrayValue else { throw .json("in needs an array") }
      return .oneOf(try operand(arguments[0]), try operands(list))
    }
    let found = try operands(arguments)
    let (left, right) = (found[0], found[1])
    if let comparison = Comparison(rawValue: name) { return .comparison(comparison, left, right) }
    if name == "like" { return .like(left, pattern: right) }
    if let relation = SpatialRelation(rawValue: name) { return .spatial(relation, left, right) }
    if let relation = TemporalRelation(rawValue: name) { return .temporal(relation, left, right) }
    if let relation = ArrayRelation(rawValue: name) { return .array(relation, left, right) }
    throw InvalidFilter(.notOffered(String(name.prefix(40))))
  }

  private static func only(
    _ count: Int, of arguments: [JSONValue], _ name: String
  ) throws(InvalidFilter) -> [JSONValue] {
    guard arguments.count == count else { throw .json("\(name.prefix(40)) needs \(count) args") }
    return arguments
  }

  private mutating func operands(_ values: [JSONValue]) throws(InvalidFilter) -> [Operand] {
    var operands: [Operand] = []
    for value in values { operands.append(try operand(value)) }
    return operands
  }

  mutating func operand(_ value: JSONValue) throws(InvalidFilter) -> Operand {
    try budget.spend()
    switch value {
    case .string(let text): return .text(text)
    case .integer(let number): return .integer(number)
    case .double(let number): return .number(number)
    case .bool(let flag): return .boolean(flag)
    case .null: throw .json("null is no value; use isNull")
    case .array(let values):
      try budget.enter()
      defer { budget.leave() }
      return .list(try operands(values))
    case .object(let object): return try operand(object)
    }
  }

  private mutating func operand(_ object: JSONObject) throws(InvalidFilter) -> Operand {
    if let name = object["property"]?.stringValue { return .property(name) }
    if let text = object["date"]?.stringValue {
      guard let day = Day(text: text) else { throw InvalidFilter(.literal(text.shortened)) }
      return .date(day)
    }
    if let text = object["timestamp"]?.stringValue {
      guard let moment = Moment(text: text) else { throw InvalidFilter(.literal(text.shortened)) }
      return .timestamp(moment)
    }
    if let ends = object["interval"]?.arrayValue {
      guard ends.count == 2 else { throw .json("an interval has two ends") }
      return .interval(try end(ends[0]), try end(ends[1]))
    }
    if let edges = object["bbox"]?.arrayValue {
      let numbers = edges.compactMap(\.numberValue)
      guard numbers.count == edges.count, let box = Geometry(edges: numbers) else {
        throw .json("bbox has 4 or 6 numbers")
      }
      return .geometry(try checked(box))
    }
    if let type = object["type"]?.stringValue {
      return .geometry(try checked(try geometry(type, object)))
    }
    guard let name = object["op"]?.stringValue, let arguments = object["args"]?.arrayValue else {
      throw .json("an operand is neither a property nor a literal")
    }
    try budget.enter()
    defer { budget.leave() }
    if name == "casei" {
      return .caseFolded(try operand(try Self.only(1, of: arguments, name)[0]))
    }
    guard let sign = Arithmetic(rawValue: name) else {
      throw InvalidFilter(.notOffered(name.shortened))
    }
    let found = try operands(try Self.only(2, of: arguments, name))
    return .arithmetic(sign, found[0], found[1])
  }

  private mutating func end(_ value: JSONValue) throws(InvalidFilter) -> Operand? {
    if let text = value.stringValue { return try Operand.intervalEnd(text) }
    let operand = try operand(value)
    switch operand {
    case .property, .date, .timestamp: return operand
    default: throw .json("an interval ends at a date, a timestamp or a property")
    }
  }

  // GeoJSON (RFC 7946)

  private func checked(_ geometry: Geometry) throws(InvalidFilter) -> Geometry {
    if let fault = geometry.fault { throw InvalidFilter(.literal(fault)) }
    return geometry
  }

  private mutating func geometry(
    _ type: String, _ object: JSONObject
  ) throws(InvalidFilter) -> Geometry {
    if type == "GeometryCollection" {
      try budget.enter()
      defer { budget.leave() }
      var parts: [Geometry] = []
      for part in object["geometries"]?.arrayValue ?? [] {
        guard let inner = part.objectValue, let type = inner["type"]?.stringValue else {
          throw .json("a geometry has no type")
        }
        try budget.spend()
        parts.append(try checked(try geometry(type, inner)))
      }
      guard !parts.isEmpty else { throw .json("a collection has no geometries") }
      return .collection(parts)
    }
    guard let coordinates = object["coordinates"] else {
      throw .json("a geometry has no coordinates")
    }
    switch type {
    case "Point": return .point(try position(coordinates))
    case "MultiPoint": return .multiPoint(try line(coordinates))
    case "LineString": return .lineString(try line(coordinates))
    case "MultiLineString": return .multiLineString(try lines(coordinates))
    case "Polygon": return .polygon(try lines(coordinates))
    case "MultiPolygon":
      var polygons: [[[Geometry.Position]]] = []
      for polygon in try Self.parts(coordinates) { polygons.append(try lines(polygon)) }
      return .multiPolygon(polygons)
    default: throw InvalidFilter(.notOffered(type.shortened))
    }
  }

  private static func parts(_ value: JSONValue) throws(InvalidFilter) -> [JSONValue] {
    guard let parts = value.arrayValue, !parts.isEmpty else {
      throw .json("coordinates are nested otherwise")
    }
    return parts
  }

  private mutating func lines(_ value: JSONValue) throws(InvalidFilter) -> [[Geometry.Position]] {
    var lines: [[Geometry.Position]] = []
    for part in try Self.parts(value) { lines.append(try line(part)) }
    return lines
  }

  private mutating func line(_ value: JSONValue) throws(InvalidFilter) -> [Geometry.Position] {
    var line: [Geometry.Position] = []
    for part in try Self.parts(value) { line.append(try position(part)) }
    return line
  }

  private mutating func position(_ value: JSONValue) throws(InvalidFilter) -> Geometry.Position {
    try budget.spendPosition()
    let numbers = try Self.parts(value)
    guard numbers.count == 2 || numbers.count == 3, let x = numbers[0].numberValue,
      let y = numbers[1].numberValue
    else { throw .json("a position has two or three numbers") }
    return Geometry.Position(x, y)
  }
}

extension InvalidFilter {
  /// An error in the JSON notation, in English, for developers.
  static func json(_ fault: String) -> InvalidFilter { InvalidFilter(.json(fault)) }
}

extension String {
  /// The text, shortened for an error message.
  var shortened: String { String(prefix(40)) }
}
