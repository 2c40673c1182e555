import CQL2
import PrivacyMap
import SpatialDatabase

// Spatial predicates and sets

extension FilterSQL {
  /// Compares two geometries with SpatiaLite. A box, or the bounding box of a literal, preselects the
  /// candidates.
  mutating func spatial(
    _ relation: SpatialRelation, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String {
    for operand in [left, right] {
      let kind = try kind(of: operand)
      guard kind == .geometry else { throw InvalidFilter(.types(kind.shown, "geometry")) }
    }
    if relation == .disjoint { return "NOT (\(try spatial(.intersects, left, right)))" }
    if case .property(let name) = left, case .geometry(let shape) = right {
      return try held(relation, try field(name), shape)
    }
    if case .geometry(let shape) = left, case .property(let name) = right {
      return try held(relation.mirrored, try field(name), shape)
    }
    let (a, b) = (try geometry(left), try geometry(right))
    return relation.holds(a, b)
  }

  private mutating func held(
    _ relation: SpatialRelation, _ field: FilterField, _ shape: Geometry
  ) throws(InvalidFilter) -> String {
    guard let withinBox = field.withinBox else {
      return relation.holds(field.sql, try geometry(.geometry(shape)))
    }
    let boxes = shape.boxes
    let candidates = boxes.map { box in
      for edge in [box.west, box.south, box.east, box.north] { _ = bind(.real(edge)) }
      return withinBox
    }.joined(separator: " OR ")
    // For points and a box the candidates are the exact result.
    if relation == .intersects, case .box = shape, field.holdsPoints { return "(\(candidates))" }
    let exact = relation.holds(field.sql, try geometry(.geometry(shape)))
    return "(\(candidates)) AND \(exact)"
  }

  private mutating func geometry(_ operand: Operand) throws(InvalidFilter) -> String {
    switch operand {
    case .property(let name): return try field(name).sql
    case .geometry(let shape):
      return "ST_GeomFromWKB(\(bind(.blob(shape.halved.wellKnownBinary))), 4326)"
    default: throw InvalidFilter(.types(try kind(of: operand).shown, "geometry"))
    }
  }

  // Sets

  /// Compares two sets of texts. The result is unknown if a set is unknown.
  mutating func array(
    _ relation: ArrayRelation, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String {
    let (a, b) = (try set(left), try set(right))

    switch relation {
    case .overlaps:
      return bound(a, b, "EXISTS (\(Self.members(a)) WHERE value IN (\(Self.members(b))))")
    case .contains:
      return bound(b, a, "NOT EXISTS (\(Self.members(b)) WHERE value NOT IN (\(Self.members(a))))")
    case .containedBy:
      return bound(a, b, "NOT EXISTS (\(Self.members(a)) WHERE value NOT IN (\(Self.members(b))))")
    case .equals:
      let first = bound(
        a, b, "NOT EXISTS (\(Self.members(a)) WHERE value NOT IN (\(Self.members(b))))")
      let second = bound(
        b, a, "NOT EXISTS (\(Self.members(b)) WHERE value NOT IN (\(Self.members(a))))")
      return "(\(first)) AND (\(second))"
    }
  }

  /// A set: SQL for a JSON array, and the JSON itself if it is a literal.
  private struct Members {
    let sql: String
    let literal: String?
  }

  private func set(_ operand: Operand) throws(InvalidFilter) -> Members {
    switch operand {
    case .property(let name):
      let field = try field(name)
      guard field.kind == .texts else { throw InvalidFilter(.types(field.kind.shown, "array")) }
      return Members(sql: field.sql, literal: nil)
    case .list(let values):
      var texts: [String] = []
      for value in values {
        guard case .text(let text) = value else {
          throw InvalidFilter(.types("array", try kind(of: value).shown))
        }
        texts.append(text)
      }
      return Members(sql: "?", literal: Self.json(texts))
    // A single text in parentheses is parsed as that text.
    case .text(let text): return Members(sql: "?", literal: Self.json([text]))
    default: throw InvalidFilter(.types(try kind(of: operand).shown, "array"))
    }
  }

  private static func members(_ set: Members) -> String {
    "SELECT value FROM json_each(\(set.sql))"
  }

  /// Binds the literals in order of occurrence; the result is NULL if a set is NULL.
  private mutating func bound(_ first: Members, _ second: Members, _ sql: String) -> String {
    var known = ""
    for set in [first, second] where set.literal == nil { known += "\(set.sql) IS NULL OR " }
    for literal in [first.literal, second.literal] { if let literal { _ = bind(.text(literal)) } }
    if known.isEmpty { return sql }
    return "CASE WHEN \(known.dropLast(4)) THEN NULL ELSE \(sql) END"
  }

  /// A JSON array of texts.
  private static func json(_ texts: [String]) -> String {
    let quoted = texts.map { text in
      let escaped = text.unicodeScalars.map { scalar in
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case let scalar where scalar.value < 0x20:
          "\\u" + String(repeating: "0", count: scalar.value < 16 ? 3 : 2)
            + String(scalar.value, radix: 16)
        default: String(scalar)
        }
      }
      return "\"" + escaped.joined() + "\""
    }
    return "[" + quoted.joined(separator: ",") + "]"
  }
}

extension SpatialRelation {
  /// A condition: the relation holds between two geometries. SpatiaLite's function gives -1 if it cannot tell,
  /// PostGIS's a boolean.
  fileprivate func holds(_ left: String, _ right: String) -> String {
    "CAST(\(function)(\(left), \(right)) AS INTEGER) = 1"
  }

  private var function: String {
    switch self {
    case .intersects: "ST_Intersects"
    case .equals: "ST_Equals"
    case .disjoint: "ST_Disjoint"
    case .touches: "ST_Touches"
    case .within: "ST_Within"
    case .overlaps: "ST_Overlaps"
    case .crosses: "ST_Crosses"
    case .contains: "ST_Contains"
    }
  }

  /// The relation with its operands swapped.
  fileprivate var mirrored: SpatialRelation {
    switch self {
    case .within: .contains
    case .contains: .within
    default: self
    }
  }
}

extension Geometry {
  /// The boxes that contain every geometry that intersects this one: two if a box crosses the antimeridian.
  fileprivate var boxes: [(west: Double, south: Double, east: Double, north: Double)] {
    if case .box(let west, let south, let east, let north) = self, west > east {
      return [(west, south, 180, north), (-180, south, east, north)]
    }
    return bounds.map { [$0] } ?? []
  }

  /// The same geometry, where a box across the antimeridian is split into two halves.
  fileprivate var halved: Geometry {
    guard case .box(let west, let south, let east, let north) = self, west > east else {
      return self
    }
    return .multiPolygon(
      [(west, 180.0), (-180.0, east)].map { from, to in
        let corners = [(from, south), (to, south), (to, north), (from, north), (from, south)]
        return [corners.map { Position($0.0, $0.1) }]
      })
  }
}
