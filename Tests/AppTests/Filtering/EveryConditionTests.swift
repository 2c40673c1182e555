@testable import App
@testable import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// Each condition of lists in each reader of filters, with a device that meets it and one that does not, before and after
/// both change.
@Suite struct EveryConditionTests {
  /// A condition, and columns of devices that meet it and that do not.
  struct Example: Sendable, CustomTestStringConvertible {
    let query: [(String, String)]
    var meets: [(name: String, value: SQLValue)] = []
    var misses: [(name: String, value: SQLValue)] = []
    /// Nil if the condition is not about the place.
    var meetingPlace: Coordinate?
    var missingPlace: Coordinate?
    /// The events of a watch when the first device leaves the filter and the other one enters it. Nil if a watch cannot have
    /// the condition.
    var reported: [String]? = ["removed", "added"]

    var testDescription: String { query.map { "\($0.0)=\($0.1)" }.joined(separator: "&") }
  }

  private static let here = Coordinate.clamped(longitude: 6.5, latitude: 46.5)
  private static let elsewhere = Coordinate.clamped(longitude: -46.5, latitude: -23.5)

  static let examples = [
    Example(
      query: [("bbox", "6,46,7,47")], meetingPlace: here, missingPlace: elsewhere, reported: nil),
    // The first place of the test gazetteer.
    Example(query: [("place", "1")], meetingPlace: elsewhere, missingPlace: here, reported: nil),
    Example(
      query: [("category", "webcam,alpr")], meets: [("category", "webcam")],
      misses: [("category", "beacon")]),
    Example(
      query: [("data_collected", "visual")], meets: [("data_collected", #"["video"]"#)],
      misses: [("data_collected", #"["plate"]"#)]),
    Example(
      query: [("choices", "opt_out")], meets: [("choices", #"["opt_out"]"#)],
      misses: [("choices", #"["access"]"#)]),
    Example(
      query: [("operator", "Acme, Inc.")], meets: [("operator_rowid", 901)],
      misses: [("operator_rowid", 902)]),
    Example(
      query: [("operator_kind", "company")], meets: [("operator_rowid", 901)],
      misses: [("operator_rowid", 902)]),
    Example(
      query: [("setting", "indoor")], meets: [("setting", "indoor")],
      misses: [("setting", "public")]),
    Example(
      query: [("status", "confirmed,removed")], meets: [("status", "confirmed")],
      misses: [("status", "reported")]),
    Example(
      query: [("freshness", "stale")], meets: [("stale_on", "2026-01-01")],
      misses: [("stale_on", "2029-01-01")]),
    Example(
      query: [("country", "PT")], meets: [("country", "PT")], misses: [("country", "CH")]),
    Example(
      query: [("q", "lamp")], meets: [("name", "Lamp post")], misses: [("name", "Wall")]),
    Example(
      query: [("q", "lamp")], meets: [("operator_rowid", 903)], misses: [("operator_rowid", 902)]),
    Example(
      query: [("q", "number plate")], meets: [("category", "alpr")],
      misses: [("category", "beacon")]),
    // An expression counts as met before a change that concerns it.
    Example(
      query: [("filter", "manufacturer = 'Axis'")], meets: [("manufacturer", "Axis")],
      misses: [("manufacturer", "Bolt")], reported: ["removed", "changed"]),
    Example(
      query: [("manufacturer", "Axis")], meets: [("manufacturer", "Axis")],
      misses: [("manufacturer", "Bolt")], reported: ["removed", "changed"]),
    Example(
      query: [("filter", "setting = 'indoor'")], meets: [("setting", "indoor")],
      misses: [("setting", "public")]),
    Example(
      query: [("filter", "NOT (setting = 'public')"), ("category", "beacon")],
      meets: [("setting", "indoor"), ("category", "beacon")],
      misses: [("setting", "public"), ("category", "beacon")], reported: ["removed", "changed"]),
    Example(
      query: [("operator", "Acme, Inc."), ("q", "lamp"), ("setting", "indoor")],
      meets: [("operator_rowid", 901), ("name", "Lamp post"), ("setting", "indoor")],
      misses: [("operator_rowid", 902), ("name", "Lamp post"), ("setting", "indoor")]),
  ]

  let app: TestApp

  init() throws {
    app = try TestApp { try TestPlaces.make(in: $0) }
    try app.app.write { connection in
      for (row, name, kind) in [
        (901, "Acme, Inc.", "company"), (902, "Stadt Bern", "public"),
        (903, "Lamp works", "public"),
      ] {
        try connection.execute(
          "INSERT INTO operator (rowid, name, kind) VALUES (?, ?, ?)",
          [SQLValue(row), .text(name), .text(kind)])
      }
      try connection.execute(
        """
        INSERT INTO source (rowid, code, name, licence, attribution, share_alike)
        VALUES (7, 'x', 'A register', 'CC0-1.0', 'A city', 0)
        """)
    }
  }

  private func device(_ name: String) throws -> TestDevice {
    try app.device(name: name, longitude: 6.5, latitude: 46.5)
  }

  @Test func `each condition has an example`() {
    let names = Set(Self.examples.flatMap { $0.query.map(\.0) } + ["datetime", "licence", "ids"])
    for kind in DeviceParameters.kinds + [ExpressionCondition.self] {
      #expect(kind.parameters(app.vocabulary).contains { names.contains($0.name) }, "\(kind)")
    }
  }

  @Test(arguments: examples)
  func `every reader finds the devices that meet a condition`(example: Example) throws {
    let (one, other) = (try device("One"), try device("Other"))
    try app.set(one, example.meets, example.meetingPlace)
    try app.set(other, example.misses, example.missingPlace)
    try app.check(example.query, finds: [one.id])
    try app.set(one, example.misses, example.missingPlace)
    try app.set(other, example.meets, example.meetingPlace)
    try app.check(example.query, finds: [other.id])
  }

  @Test(arguments: examples)
  func `live changes say which device leaves a filter and which enters it`(
    example: Example
  ) throws {
    let (one, other) = (try device("One"), try device("Other"))
    try app.set(one, example.meets, example.meetingPlace)
    try app.set(other, example.misses, example.missingPlace)
    let listener = try app.listen(example.query)
    _ = listener.events(1)
    try app.set(one, example.misses, example.missingPlace)
    _ = listener.events(2)
    try app.set(other, example.meets, example.meetingPlace)
    let events = listener.events(3)
    #expect(events.map(\.name) == ["ready", "removed", "changed"])
    #expect(try events.dropFirst().map { try $0.json()["id"]?.stringValue } == [one.id, other.id])
  }

  @Test(arguments: examples.filter { $0.reported != nil })
  func `a watch tells which device leaves a filter and which enters it`(example: Example) throws {
    let (one, other) = (try device("One"), try device("Other"))
    try app.set(one, example.meets, example.meetingPlace)
    try app.set(other, example.misses, example.missingPlace)
    var filter = JSONObject()
    for (name, value) in example.query { filter[name] = .string(value) }
    _ = try app.watch(
      [
        "filter": .object(filter),
        "events": .array(WatchEvent.allCases.map { .string($0.rawValue) }),
      ], of: try app.account("ana"))
    try app.set(one, example.misses, example.missingPlace)
    try app.set(other, example.meets, example.meetingPlace)
    let reported = try app.reported().compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(reported == example.reported)
  }

  @Test func `devices are found by their ids by every reader`() throws {
    let (one, other) = (try device("One"), try device("Other"))
    try app.check([("ids", one.id)], finds: [one.id])
    try app.check([("ids", one.id + "," + other.id.uppercased())], finds: [one.id, other.id])
    try app.check([("ids", one.id), ("name", "Other")], finds: [])
    #expect(app.get(Path.items, ["ids": "1"]).status == .badRequest)
  }

  @Test func `a time of the last change is read alike by every reader`() throws {
    let (one, other) = (try device("One"), try device("Other"))
    let query = [("datetime", "../2026-11-21T12:00:30Z")]
    try app.check(query, finds: [one.id, other.id])
    let listener = try app.listen(query)
    _ = listener.events(1)
    app.clock.advance(by: .seconds(60))
    try app.set(one, [("name", "Changed")])
    try app.check(query, finds: [other.id])
    try app.check([("datetime", "2026-11-21T12:00:30Z/..")], finds: [one.id])
    #expect(listener.events(2).map(\.name) == ["ready", "removed"])
  }

  @Test func `a licence is read alike by every reader`() throws {
    let own = try app.device(name: "Own")
    let ana = try app.account("ana")
    _ = try app.watch(["filter": ["licence": "CC0-1.0"], "events": ["added"]], of: ana)
    let listener = try app.listen([("licence", "CC0-1.0")])
    _ = listener.events(1)
    let row = try app.app.write { connection in
      try app.writer.add(
        DeviceFields(name: "Imported", category: "webcam"),
        at: DeviceWriter.Placement(place: Self.here, precision: .exact),
        source: (rowid: 7, key: nil), by: DeviceWriter.Author(kind: .import), connection)
    }
    let imported = try #require(
      try app.text("SELECT id FROM device WHERE rowid = ?", [.integer(row)]))
    _ = try device("Inside")
    #expect(try app.reported() == ["added"])
    #expect(listener.events(2).map(\.name) == ["ready", "added"])
    try app.check([("licence", "CC0-1.0")], finds: [imported])
    try app.check([("licence", "CC0-1.0"), ("q", "own")], finds: [])
    try app.check([("licence", InstanceSettings().licence), ("q", "own")], finds: [own.id])
  }
}
