@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// The total equals the number of devices in the list, for every filter.
@Suite struct TotalTests {
  let app: TestApp

  init() throws {
    app = try TestApp { try TestPlaces.make(in: $0) }
  }

  private static let choices: [(name: String, values: [String])] = [
    ("bbox", ["7.3,46.8,7.5,47", "170,-60,-100,60", "-180,-90,180,90", "7,46,7,46"]),
    ("category", ["camera_fixed", "webcam,beacon,toy", "other"]),
    ("data_collected", ["visual", "video,speech"]),
    ("choices", ["opt_out", "access,none_offered"]),
    ("operator", ["Acme, Inc.", "Stadt Bern", "nobody"]),
    ("operator_kind", ["unknown", "public,household"]), ("setting", ["indoor", "public,outdoor"]),
    ("status", ["removed", "reported,not_a_device", "confirmed,disputed"]),
    ("freshness", ["stale", "due,fresh"]), ("country", ["PT", "CH,DE"]), ("place", ["1", "2"]),
    ("q", ["camera", "north gate", "駅前"]),
    ("datetime", ["1970-01-01T00:00:00Z/..", "../2020-01-01T00:00:00Z"]),
  ]

  @Test func `for every filter groups and series add up to the list`() throws {
    _ = try RandomWorld(app, count: 200)
    var numbers = SeededNumbers(seed: 11)
    for _ in 0..<150 {
      var query: [(String, String)] = []
      for choice in Self.choices where Int.random(in: 0..<4, using: &numbers) == 0 {
        query.append((choice.name, choice.values.randomElement(using: &numbers) ?? ""))
      }
      let property = ["category", "operator", "country", "freshness"].randomElement(using: &numbers)
      let (found, matched) = try checked(query, by: property ?? "status")
      if !query.contains(where: { $0.0 == "status" }) {
        let last = found.json["series"]?.arrayValue?.last?["start"]
        let standing = (found.json["series"]?.arrayValue ?? [])
          .filter { $0["start"] == last }.compactMap { $0["standing"]?.intValue }
        #expect(standing.reduce(0, +) == matched, "\(query)")
      }
    }
  }

  @Test func `for random CQL2 filters the figures add up to the list`() throws {
    _ = try RandomWorld(app, count: 200)
    var numbers = SeededNumbers(seed: 23)
    var totals: Set<Int> = []
    for _ in 0..<200 {
      var query = [("filter", RandomFilter.condition(depth: 2, &numbers))]
      for choice in Self.choices where Int.random(in: 0..<12, using: &numbers) == 0 {
        query.append((choice.name, choice.values.randomElement(using: &numbers) ?? ""))
      }
      let property = ["category", "status", "zone", "precision"].randomElement(using: &numbers)
      totals.insert(try checked(query, by: property ?? "setting").matched)
    }
    #expect(totals.count > 20, "the filters tell devices apart")
  }

  /// The figures of a filter, which add up to its list, and their number.
  private func checked(
    _ query: [(String, String)], by property: String
  ) throws -> (found: Statistics, matched: Int) {
    let listed = app.send(target: Request.target(Path.items, query + [("limit", "1")]))
    try #require(listed.status == .ok, "\(query): \(listed.text)")
    let matched = try listed.matched
    let found = try app.statistics(
      query + [("group_by", property), ("interval", "year"), ("grid", "0")])
    #expect(found.total == matched, "\(query)")
    #expect(try found.counts(property).values.reduce(0, +) == matched, "\(query)")
    let coarser = found.json["grid"]?["coarser"]?.intValue ?? 0
    #expect(found.cells.values.reduce(coarser, +) == matched, "\(query)")
    return (found, matched)
  }

  @Test func `hidden, withdrawn and deleted devices do not count`() throws {
    try app.device(longitude: 1, latitude: 1)
    let hidden = try app.device(longitude: 1, latitude: 1)
    let withdrawn = try app.device(longitude: 1, latitude: 1)
    let deleted = try app.device(longitude: 1, latitude: 1)
    try app.hide(hidden)
    try app.withdraw(withdrawn)
    try app.app.write { try app.writer.remove(deleted.rowid, $0) }
    let admin = try app.account("root", role: .admin)
    for identity in [Identity.visitor, admin.identity] {
      let answer = app.get(
        "/api/statistics",
        ["group_by": "category", "interval": "day", "grid": "5", "compare": "place:1"],
        as: identity)
      let found = Statistics(json: try answer.json)
      #expect(found.total == 1)
      #expect(try found.counts("category") == ["camera_fixed": 1])
      #expect(found.column("added") == [1])
      #expect(found.cells.values.reduce(0, +) == 1)
    }
  }

  @Test func `a device just added, edited or deleted is in the figures`() throws {
    let ana = try app.account()
    #expect(try app.statistics().total == 0)
    let id = try app.added(as: ana)
    #expect(try app.statistics([("group_by", "zone")]).counts("zone") == ["-": 1])
    _ = try app.patch(id, ["properties": ["zone": "town"]], as: ana.identity)
    #expect(try app.statistics([("group_by", "zone")]).counts("zone") == ["town": 1])
    #expect(try app.statistics([("q", "camera")]).total == 1)
  }

  @Test func `a response is cached until data change`() throws {
    let first = app.get("/api/statistics", ["group_by": "status"])
    let tag = try #require(first.headers["ETag"])
    #expect(
      app.get("/api/statistics", ["group_by": "status"], headers: ["If-None-Match": tag]).status
        == .notModified)
    try app.device()
    #expect(
      app.get("/api/statistics", ["group_by": "status"], headers: ["If-None-Match": tag]).status
        == .ok)
  }

  @Test(arguments: [
    ("group_by", "name"), ("group_by", ""), ("group_by", "category,"),
    ("group_by", "category,category"), ("group_by", "category,zone,status"), ("interval", "hour"),
    ("from", "2026-13-01"), ("to", "yesterday"), ("from", "2026-11-22"), ("compare", "PT"),
    ("compare", "country:pt"), ("compare", "place:99"), ("compare", "place:x"), ("grid", "18"),
    ("grid", "-1"), ("grid", "9"), ("limit", "0"), ("f", "xml"), ("lang", "de"), ("place", "99"),
  ])
  func `an invalid request is refused with its reason`(name: String, value: String) throws {
    let answer = app.send(target: Request.target("/api/statistics", [(name, value)]))
    #expect(answer.status == .badRequest)
    #expect(try answer.fields == [name])
  }

  @Test func `a thirteenth area, interval 1001 and too many cells are refused`()
    throws
  {
    let areas = Array(repeating: ("compare", "country:PT"), count: 12)
    #expect(try app.statistics(areas).areas.count == 12)
    let one = app.send(
      target: Request.target("/api/statistics", areas + [("compare", "country:ES")]))
    #expect(try one.fields == ["compare"])
    let thousand = [("interval", "day"), ("from", "2024-02-26")]
    #expect(try app.statistics(thousand).starts.count == 1_000)
    let more = app.send(
      target: Request.target("/api/statistics", [("interval", "day"), ("from", "2024-02-25")]))
    #expect(try more.fields == ["from"])
    #expect(try app.statistics([("grid", "8")]).json["grid"]?["zoom"]?.intValue == 8)
    let fine = app.get("/api/statistics", ["grid": "9"])
    #expect(try fine.fields == ["grid"])
    #expect(fine.text.contains("8"))
  }
}
