import CQL2
@testable import Devices
import PrivacyMap
import Testing
import WebServer

/// CQL2 conditions that can be expressed as parameters.
@Suite struct FilterInParametersTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  private func filter(_ query: [(String, String)]) throws -> DeviceFilter {
    try DeviceParameters(vocabulary: app.vocabulary, places: nil, licence: "ODbL-1.0")
      .filter(Query(query))
  }

  /// The conditions of a filter, whose order means nothing.
  private func parts(_ filter: DeviceFilter) -> [String] {
    filter.conditions.map { "\($0)" }.sorted()
  }

  private func parts(_ query: [(String, String)]) throws -> [String] { parts(try filter(query)) }

  private static let box = "S_INTERSECTS(geometry, BBOX(7, 46, 8, 47))"

  @Test(
    arguments: [
      ("category = 'webcam'", [("category", "webcam")]),
      ("'webcam' = category", [("category", "webcam")]),
      ("category IN ('beacon', 'webcam', 'beacon')", [("category", "beacon,webcam")]),
      ("category = 'beacon' OR category IN ('webcam')", [("category", "beacon,webcam")]),
      // A value that is not a category matches no device.
      ("category IN ('webcam', 'nothing')", [("category", "webcam")]),
      (
        "category = 'webcam' AND (status = 'removed' AND setting = 'public')",
        [("category", "webcam"), ("status", "removed"), ("setting", "public")]
      ),
      ("category IN ('beacon', 'webcam') AND category = 'webcam'", [("category", "webcam")]),
      (
        "operator_kind = 'public' AND country = 'CH'",
        [("operator_kind", "public"), ("country", "CH")]
      ),
      (box, [("bbox", "7,46,8,47")]),
      ("S_INTERSECTS(BBOX(170, -10, -170, 10), geometry)", [("bbox", "170,-10,-170,10")]),
    ] as [(String, [(String, String)])])
  func `a condition that equals a parameter is treated as that parameter`(
    text: String, meant: [(String, String)]
  ) throws {
    let found = try filter([("filter", text)])
    #expect(try parts(found) == parts(meant))
    #expect(found.pointFilter(vocabulary: app.vocabulary, today: app.clock.now.day) != nil)
  }

  @Test(arguments: [
    "category <> 'webcam'", "NOT category = 'webcam'", "category = 'nothing'", "category = name",
    "category = 'webcam' OR name = 'a'", "category = 'webcam' OR status = 'confirmed'",
    "CASEI(category) = CASEI('WEBCAM')", "category IN ('webcam', name)", "country = 'ch'",
    "name = 'webcam'", "S_WITHIN(geometry, BBOX(7, 46, 8, 47))",
    "S_INTERSECTS(geometry, POINT(7 46))", "category IS NULL",
  ])
  func `other conditions stay conditions`(text: String) throws {
    let expected = DeviceFilter([ExpressionCondition(try .init(cql2Text: text))])
    #expect(try parts([("filter", text)]) == parts(expected))
  }

  @Test func `a parameter is narrowed, and never widened`() throws {
    let both = [("category", "beacon,webcam"), ("filter", "category IN ('webcam', 'alpr')")]
    #expect(try parts(both) == parts([("category", "webcam")]))
    let neither = try filter([("category", "beacon"), ("filter", "category = 'webcam'")])
    #expect(neither[CategoryCondition.self]?.codes == ["beacon"])
    #expect(
      try neither[ExpressionCondition.self]?.filter == .init(cql2Text: "category = 'webcam'"))
    let boxes = try filter([("bbox", "0,0,1,1"), ("filter", Self.box)])
    #expect(try boxes[BoxCondition.self]?.box == BoundingBox(bbox: "0,0,1,1"))
    #expect(try boxes[ExpressionCondition.self]?.filter == .init(cql2Text: Self.box))
  }

  @Test func `the remaining condition is combined with the extracted parameters`() throws {
    let text = "category = 'webcam' AND name = 'a' AND \(Self.box) AND units = 1"
    let found = try filter([("filter", text)])
    #expect(found[CategoryCondition.self]?.codes == ["webcam"])
    #expect(found[BoxCondition.self] != nil)
    #expect(
      try found[ExpressionCondition.self]?.filter == .init(cql2Text: "name = 'a' AND units = 1"))
  }

  @Test func `both ways find the same devices`() throws {
    let world = try RandomWorld(app, count: 240, seed: 3)
    for text in [
      "category = 'camera_fixed'", "status = 'removed'", "status IN ('removed', 'confirmed')",
      "status = 'confirmed' AND status <> 'removed'", "operator_kind = 'unknown'",
      "setting = 'public' AND operator_kind IN ('company', 'public')",
      "S_INTERSECTS(geometry, BBOX(7.2, 46.8, 7.6, 47.1))",
      "S_INTERSECTS(geometry, BBOX(7, 46, 8, 48)) AND category IN ('webcam', 'toy', 'alpr')",
      "category = 'webcam' AND category = 'toy'",
    ] {
      // A condition that is always true, and that only the database evaluates.
      let road = "(\(text)) AND updated_at > TIMESTAMP('1970-01-01T00:00:00Z')"
      // Nothing is extracted from a double negation.
      let whole = "NOT (NOT (\(text)))"
      let answers = try [text, road, whole].map { text in
        try app.send(target: Request.target(Path.items, [("filter", text), ("limit", "1000")])).ids
      }
      #expect(answers[0] == answers[2], "\(text)")
      #expect(answers[1] == answers[2], "\(text)")
    }
    #expect(!world.entries.isEmpty)
  }
}
