import CQL2
import PrivacyMap
import Testing

struct FilterTextTests {
  private func read(_ text: String) throws -> Filter { try Filter(cql2Text: text) }

  @Test func `AND binds more tightly than OR, and NOT more tightly than AND`() throws {
    let a = Filter.comparison(.equal, .property("a"), .integer(1))
    let b = Filter.comparison(.equal, .property("b"), .integer(2))
    let c = Filter.comparison(.equal, .property("c"), .integer(3))
    #expect(try read("a=1 OR b=2 AND NOT c=3") == .or([a, .and([b, .not(c)])]))
    #expect(try read("(a=1 or b=2) and not(c=3)") == .and([.or([a, b]), .not(c)]))
    #expect(try read("NOT a=1 AND b=2") == .and([.not(a), b]))
    #expect(try read("a=1 AND b=2 AND c=3") == .and([a, b, c]))
  }

  @Test(
    arguments: [
      ("=", Comparison.equal), ("<>", .notEqual), ("<", .less), (">", .greater),
      ("<=", .lessOrEqual), (">=", .greaterOrEqual),
    ])
  func `each comparison operator is parsed`(sign: String, comparison: Comparison) throws {
    #expect(
      try read("units \(sign) 2") == .comparison(comparison, .property("units"), .integer(2)))
    #expect(
      try read("2\(sign)units") == .comparison(comparison, .integer(2), .property("units")))
  }

  @Test(
    arguments: [
      ("1", Operand.integer(1)), ("-1", .integer(-1)), ("+1", .integer(1)), ("1.5", .number(1.5)),
      (".5", .number(0.5)), ("1.", .number(1)), ("1e3", .number(1_000)),
      ("-1.5E-1", .number(-0.15)),
      ("9223372036854775807", .integer(.max)),
      ("9223372036854775808", .number(9223372036854775808)),
      ("'it''s'", .text("it's")), (#"'it\'s'"#, .text("it's")), ("''", .text("")),
      ("'São Tomé 🎥'", .text("São Tomé 🎥")), ("TRUE", .boolean(true)), ("false", .boolean(false)),
      ("DATE('2024-02-29')", .date(Day(year: 2024, month: 2, day: 29)!)),
    ])
  func `each kind of literal is parsed`(text: String, operand: Operand) throws {
    #expect(try read("a = \(text)") == .comparison(.equal, .property("a"), operand))
  }

  @Test func `a timestamp is read in UTC and keeps its fractions of a second`() throws {
    guard
      case .comparison(_, _, .timestamp(let moment)) = try read(
        "a < TIMESTAMP('2024-01-01T01:00:00.250+01:00')")
    else {
      Issue.record("no moment")
      return
    }
    #expect(moment.second.text == "2024-01-01T00:00:00Z")
    #expect(moment.fraction == "25")
    #expect(moment.text == "2024-01-01T00:00:00.25Z")
  }

  @Test func `names may be in double quotes, also when they equal keywords`() throws {
    #expect(
      try read(#""date" = 1 AND "a ""b""" = 2"#)
        == .and([
          .comparison(.equal, .property("date"), .integer(1)),
          .comparison(.equal, .property("a \"b\""), .integer(2)),
        ]))
    #expect(try read("date = 1") == .comparison(.equal, .property("date"), .integer(1)))
    #expect(
      try read("operator.name = 1") == .comparison(.equal, .property("operator.name"), .integer(1)))
    #expect(try read("größe = 1") == .comparison(.equal, .property("größe"), .integer(1)))
  }

  @Test func `LIKE, BETWEEN, IN and IS NULL are parsed, also when negated`() throws {
    let a = Operand.property("a")
    #expect(try read("a LIKE 'x%'") == .like(a, pattern: .text("x%")))
    #expect(try read("a NOT LIKE 'x%'") == .not(.like(a, pattern: .text("x%"))))
    #expect(
      try read("CASEI(a) LIKE casei('x%')")
        == .like(.caseFolded(a), pattern: .caseFolded(.text("x%"))))
    #expect(try read("a BETWEEN 1 AND 2") == .between(a, .integer(1), .integer(2)))
    #expect(
      try read("a NOT BETWEEN 1 AND 2 AND a = 3")
        == .and([.not(.between(a, .integer(1), .integer(2))), .comparison(.equal, a, .integer(3))]))
    #expect(try read("a IN ('x')") == .oneOf(a, [.text("x")]))
    #expect(try read("a NOT IN (1, 2)") == .not(.oneOf(a, [.integer(1), .integer(2)])))
    #expect(try read("a IS NULL") == .isNull(a))
    #expect(try read("a is not null") == .not(.isNull(a)))
  }

  @Test func `arithmetic follows the usual operator precedence`() throws {
    #expect(
      try read("a = 1+2*3^2^1-4/2")
        == .comparison(
          .equal, .property("a"),
          .arithmetic(
            .minus,
            .arithmetic(
              .plus, .integer(1),
              .arithmetic(
                .times, .integer(2),
                .arithmetic(.power, .integer(3), .arithmetic(.power, .integer(2), .integer(1))))),
            .arithmetic(.divided, .integer(4), .integer(2)))))
    #expect(
      try read("a = (1+2)*3")
        == .comparison(
          .equal, .property("a"),
          .arithmetic(.times, .arithmetic(.plus, .integer(1), .integer(2)), .integer(3))))
    #expect(
      try read("a > 7 div 2 - 5%2")
        == .comparison(
          .greater, .property("a"),
          .arithmetic(
            .minus, .arithmetic(.quotient, .integer(7), .integer(2)),
            .arithmetic(.remainder, .integer(5), .integer(2)))))
  }

  @Test func `each geometry type of well-known text is parsed`() throws {
    func shape(_ text: String) throws -> Geometry? {
      guard
        case .spatial(.intersects, _, .geometry(let shape)) = try read("S_INTERSECTS(g, \(text))")
      else { return nil }
      return shape
    }
    let p = { (x: Double, y: Double) in Geometry.Position(x, y) }
    #expect(try shape("POINT(1 -2)") == .point(p(1, -2)))
    #expect(try shape("POINT Z (1 2 3)") == .point(p(1, 2)))
    #expect(try shape("LINESTRING(0 0, 1 1.5)") == .lineString([p(0, 0), p(1, 1.5)]))
    let ring = [p(0, 0), p(1, 0), p(1, 1), p(0, 0)]
    #expect(try shape("POLYGON((0 0,1 0,1 1,0 0))") == .polygon([ring]))
    #expect(try shape("MULTIPOINT((0 0),(1 1))") == .multiPoint([p(0, 0), p(1, 1)]))
    #expect(try shape("MULTIPOINT(0 0,1 1)") == .multiPoint([p(0, 0), p(1, 1)]))
    #expect(
      try shape("MULTILINESTRING((0 0,1 1),(2 2,3 3))")
        == .multiLineString([[p(0, 0), p(1, 1)], [p(2, 2), p(3, 3)]]))
    #expect(try shape("MULTIPOLYGON(((0 0,1 0,1 1,0 0)))") == .multiPolygon([[ring]]))
    #expect(
      try shape("GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))")
        == .collection([.point(p(1, 1)), .lineString([p(0, 0), p(1, 1)])]))
    #expect(try shape("BBOX(-1,-2,3,4)") == .box(west: -1, south: -2, east: 3, north: 4))
    #expect(try shape("BBOX(-1,-2,0,3,4,9)") == .box(west: -1, south: -2, east: 3, north: 4))
  }

  @Test func `intervals end at dates, timestamps, properties or are open`() throws {
    let day = Day(year: 2024, month: 1, day: 1)!
    #expect(
      try read("T_DURING(a, INTERVAL('2024-01-01','..'))")
        == .temporal(.during, .property("a"), .interval(.date(day), nil)))
    #expect(
      try read("T_OVERLAPS(INTERVAL(a,b), INTERVAL('..',DATE('2024-01-01')))")
        == .temporal(
          .overlaps, .interval(.property("a"), .property("b")), .interval(nil, .date(day))))
  }

  @Test func `lists may be in parentheses or brackets`() throws {
    let expected = Filter.array(.overlaps, .property("a"), .list([.text("x"), .text("y")]))
    #expect(try read("A_OVERLAPS(a, ('x','y'))") == expected)
    #expect(try read("a_overlaps(a, ['x','y'])") == expected)
  }

  @Test(
    arguments: [
      "", " ", "a", "a =", "= 1", "a = 1 AND", "a = 1 b = 2", "AND a = 1", "a == 1", "a != 1",
      "(a = 1",
      "a = 1)", "a = 'x", "\"a = 1", "a LIKE b", "a LIKE", "a IN ()", "a IN (1", "a IN 1",
      "a BETWEEN 1",
      "a BETWEEN 1 OR 2", "a IS 1", "NOT", "a = DATE('2023-02-29')", "a = DATE(2023)",
      "a = TIMESTAMP('x')",
      "S_INTERSECTS(g)", "S_INTERSECTS(g, POINT(1))", "S_INTERSECTS(g, POINT())",
      "S_INTERSECTS(g, POLYGON((0 0,1 1,0 0)))",
      "S_INTERSECTS(g, POLYGON((0 0,1 0,1 1,0 1)))", "S_INTERSECTS(g, LINESTRING(0 0))",
      "S_INTERSECTS(g, BBOX(1,2,3))",
      "S_INTERSECTS(g, BBOX(0,5,1,4))", "S_INTERSECTS(g, POINT(1e400 0))", "T_AFTER(a)",
      "T_AFTER(a, INTERVAL('x','..'))",
      "drop(a) = 1", "a = 1; DROP TABLE device", "a = 1 --", "a = 1e", "a = 1.2.3",
      "a = 1 + (b = 2)", "a = @", "\u{0}",
      "ACCENTI(a) = 'x'", "CASEI() = 'x'", "a = 1 OR (2)", "((((", "a LIKE 1", "a = NULL",
    ])
  func `invalid text filters are refused`(text: String) {
    // `a LIKE 1` and `a LIKE b` are refused later, when the filter is applied to data: patterns
    // must be literals.
    if ["a LIKE b", "a LIKE 1"].contains(text) { return }
    #expect(throws: InvalidFilter.self) { try read(text) }
  }

  @Test func `an error states its position`() {
    func offset(_ text: String) -> Int? {
      do { _ = try Filter(cql2Text: text) } catch { return error.offset }
      return nil
    }
    #expect(offset("name = 'x' AND") == 14)
    #expect(offset("é = 'x' AND @") == 13)
    #expect(offset("a = DATE('x')") == 9)
    #expect(offset("nofunc(a) = 1") == 0)
  }

  @Test func `length, depth, parts and positions are limited, on both sides of a limit`() throws {
    let short = "a = '" + String(repeating: "x", count: 8_192 - 6) + "'"
    _ = try read(short)
    #expect(throws: InvalidFilter(.tooMuch(.length))) { try read(short + " ") }
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a = 1" + String(repeating: ")", count: depth)
    }
    _ = try read(nested(24))
    #expect(throws: InvalidFilter.self) { try read(nested(25)) }
    #expect(throws: InvalidFilter.self) { try read(String(repeating: "NOT ", count: 25) + "a = 1") }
    #expect(throws: InvalidFilter.self) {
      try read("a = " + String(repeating: "-", count: 25) + "1")
    }
    #expect(throws: InvalidFilter.self) { try read("a = 1" + String(repeating: "^1", count: 25)) }
    func many(_ count: Int) -> String { (0..<count).map { _ in "a=1" }.joined(separator: " OR ") }
    _ = try read(many(166))
    #expect(throws: InvalidFilter.self) { try read(many(168)) }
    func line(_ count: Int) -> String {
      "S_INTERSECTS(g, LINESTRING(" + (0..<count).map { _ in "0 0" }.joined(separator: ",") + "))"
    }
    let limits = FilterLimits.ofSearch
    _ = try Filter(cql2Text: line(5_000), limits: limits)
    #expect(throws: InvalidFilter.self) { try Filter(cql2Text: line(5_001), limits: limits) }
  }

  @Test func `random texts made of filter fragments never crash the parser`() throws {
    let pieces = [
      "a", "'x'", "1", "-", "(", ")", "[", "]", ",", "=", "<", "<>", "AND", "OR", "NOT", "LIKE",
      "IN",
      "BETWEEN", "IS", "NULL", "DATE(", "INTERVAL(", "POINT(", "POLYGON((", "BBOX(",
      "S_INTERSECTS(",
      "T_AFTER(", "A_OVERLAPS(", "CASEI(", "'", "\"", "..", "'..'", "^", "div", "%", ".", "1e",
      "TRUE", "é",
    ]
    var random = SystemRandomNumberGenerator()
    var read = 0
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &random) }.joined(
        separator: " ")
      if (try? Filter(cql2Text: text)) != nil { read += 1 }
    }
    #expect(read > 0)
  }
}
