import CQL2
import PrivacyMap
import SpatialDatabase

// Spatial predicates and sets

extension FilterSQL {
  /// Compares two geometries. A box, or the bounding box of a literal, preselects the candidates.
  mutating func spatial(
    _ relation: SpatialRelation, _ left: Operand, _ right: Operand
  ) throws(InvalidFilter) -> String {
    for operand in [left, right] {
      let kind = try kind(of: operand)
      guard kind == .geometry else { throw InvalidFilter(.types(kind.shown, "geometry")) }
    }
    if relation == .disjoint { return "NOT (\(try spatial(.intersects, left, right)))" }
    // In the order of the statement, because values are bound on the way.
    if case .property(let name) = left, case .geometry(let shape) = right {
      return try held(relation, try field(name), shape)
    }
    if case .geometry(let shape) = left, case .property(let name) = right {
      return try held(relation.mirrored, try field(name), shape)
    }
    let (a, b) = (try geometry(left), try geometry(right))
    return relation.holds(a, b, isSafe: false)
  }

  private mutating func held(
    _ relation: SpatialRelation, _ field: FilterField, _ shape: Geometry
  ) throws(InvalidFilter) -> String {
    guard let withinBox = field.withinBox else { return try compared(relation, field, shape) }
    let boxes = shape.boxes
    let candidates = boxes.map { box in
      for edge in [box.west, box.south, box.east, box.north] { _ = bind(.real(edge)) }
      return withinBox
    }.joined(separator: " OR ")
    // For points and a box the candidates are the exact result.
    if relation == .intersects, case .box = shape, field.holdsPoints { return "(\(candidates))" }
    return "(\(candidates)) AND (\(try compared(relation, field, shape)))"
  }

  private mutating func compared(
    _ relation: SpatialRelation, _ field: FilterField, _ shape: Geometry
  ) throws(InvalidFilter) -> String {
    // A geometry intersects a collection if it intersects a part, and a point lies within it if it lies within a part.
    let isPointIn = field.holdsPoints && [.intersects, .within].contains(relation)
    let parts = shape.partsByDimension
    if relation == .intersects || isPointIn {
      var conditions: [String] = []
      for part in parts.flatMap(\.withoutOverlaps) {
        conditions.append(
          relation.holds(field.sql, try geometry(.geometry(part)), isSafe: isPointIn))
      }
      return conditions.joined(separator: " OR ")
    }
    let whole = parts.count == 1 ? parts[0] : shape
    return relation.holds(field.sql, try geometry(.geometry(whole)), isSafe: false)
  }

  private mutating func geometry(_ operand: Operand) throws(InvalidFilter) -> String {
    switch operand {
    case .property(let name): return try field(name).sql
    case .geometry(let shape):
      let read = "ST_GeomFromWKB(\(bind(.blob(shape.halved.wellKnownBinary))), 4326)"
      // The engines disagree about places that two parts cover. As a subquery it is computed once for all rows.
      return shape.mayOverlapItself ? "(SELECT ST_UnaryUnion(\(read)))" : read
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
        texts.append(try Self.storable(text))
      }
      return Members(sql: "?", literal: Self.json(texts))
    // A single text in parentheses is parsed as that text.
    case .text(let text):
      return Members(sql: "?", literal: Self.json([try Self.storable(text)]))
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
  /// A condition: the relation holds between two geometries. It is unknown if an engine has no result, for example for
  /// a polygon that crosses itself.
  ///
  /// `isSafe` says that both engines always have a result. PostGIS's functions are faster then. Functions without `ST_`
  /// come from SpatiaLite, and from `Tests/Dialect/functions.sql`, where they do not fail.
  fileprivate func holds(_ left: String, _ right: String, isSafe: Bool) -> String {
    let name = isSafe ? "ST_\(function)" : function
    // SpatiaLite's function returns -1 for no result, PostGIS's function returns a boolean.
    return "NULLIF(CAST(\(name)(\(left), \(right)) AS INTEGER), -1) = 1"
  }

  private var function: String {
    switch self {
    case .intersects: "Intersects"
    case .equals: "Equals"
    case .disjoint: "Disjoint"
    case .touches: "Touches"
    case .within: "Within"
    case .overlaps: "Overlaps"
    case .crosses: "Crosses"
    case .contains: "Contains"
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
    guard case .box(let west, _, let east, _) = self, west > east else { return self }
    return .multiPolygon(asPolygons)
  }

  /// The polygon of a box, two if it crosses the antimeridian. Empty for other geometries.
  private var asPolygons: [[[Position]]] {
    guard case .box(let west, let south, let east, let north) = self else { return [] }
    let halves: [(Double, Double)] = west > east ? [(west, 180), (-180, east)] : [(west, east)]
    return halves.map { from, to in
      let corners = [(from, south), (to, south), (to, north), (from, north), (from, south)]
      return [corners.map { Position($0.0, $0.1) }]
    }
  }

  /// The points, lines and polygons of a collection, each kind as one geometry. Another geometry is one part.
  fileprivate var partsByDimension: [Geometry] {
    guard case .collection = self else { return [self] }
    var points: [Position] = []
    var lines: [[Position]] = []
    var polygons: [[[Position]]] = []
    func add(_ shape: Geometry) {
      switch shape {
      case .point(let point): points.append(point)
      case .multiPoint(let all): points += all
      case .lineString(let line): lines.append(line)
      case .multiLineString(let all): lines += all
      case .polygon(let rings): polygons.append(rings)
      case .multiPolygon(let all): polygons += all
      case .box: polygons += shape.asPolygons
      case .collection(let parts): parts.forEach(add)
      }
    }
    add(self)
    return (points.isEmpty ? [] : [.multiPoint(points)])
      + (lines.isEmpty ? [] : [.multiLineString(lines)])
      + (polygons.isEmpty ? [] : [.multiPolygon(polygons)])
  }

  /// Its polygons in groups in which none overlaps another, judged by their boxes. The whole, if these were many.
  fileprivate var withoutOverlaps: [Geometry] {
    guard case .multiPolygon(let polygons) = self, mayOverlapItself else { return [self] }
    var groups: [(polygons: [[[Position]]], boxes: [Bounds])] = []
    for polygon in polygons {
      guard let box = Geometry.polygon(polygon).bounds else { continue }
      let place = groups.firstIndex { group in !group.boxes.contains { Self.meet($0, box) } }
      if let place {
        groups[place].polygons.append(polygon)
        groups[place].boxes.append(box)
      } else if groups.count == Self.maxGroups {
        return [self]
      } else {
        groups.append(([polygon], [box]))
      }
    }
    return groups.map { .multiPolygon($0.polygons) }
  }

  private typealias Bounds = (west: Double, south: Double, east: Double, north: Double)
  private static let maxGroups = 8

  private static func meet(_ a: Bounds, _ b: Bounds) -> Bool {
    a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north
  }

  /// Whether boxes of two of its polygons have a place in common, so that the polygons may.
  fileprivate var mayOverlapItself: Bool {
    guard case .multiPolygon(let polygons) = self, polygons.count > 1 else { return false }
    let boxes = polygons.compactMap { Geometry.polygon($0).bounds }.sorted { $0.west < $1.west }
    // The boxes that reach as far east as the next one begins.
    var open: [Bounds] = []
    for box in boxes {
      open.removeAll { $0.east < box.west }
      if open.contains(where: { Self.meet($0, box) }) { return true }
      open.append(box)
    }
    return false
  }
}
