@testable import App
@testable import Devices
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

/// Each filter compared with a plain list, evaluated by the point index and by SQL.
@Suite struct FilterTests {
  let app: TestApp
  let world: RandomWorld

  init() throws {
    app = try TestApp()
    world = try RandomWorld(app, count: 240)
  }

  /// A condition that only SQL can evaluate, because the index does not contain it, and that is
  /// always true.
  private static let sqlOnly: (String, String) = ("datetime", "1970-01-01T00:00:00Z/..")

  private func check(
    _ query: [(String, String)], _ isMeant: (RandomWorld.Entry) -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let expected = world.ids(where: isMeant)
    for query in [query, query + [Self.sqlOnly]] {
      let target = Request.target(Path.items, query + [("limit", "1000")])
      let answer = app.send(target: target)
      #expect(answer.status == .ok, "\(target)", sourceLocation: sourceLocation)
      #expect(try answer.ids == expected, "\(target)", sourceLocation: sourceLocation)
      #expect(try answer.matched == expected.count, "\(target)", sourceLocation: sourceLocation)
      let returned = try answer.json["numberReturned"]?.intValue
      #expect(returned == expected.count, sourceLocation: sourceLocation)
    }
  }

  @Test func `without a filter all existing devices are listed in order of addition`() throws {
    try check([]) { world.stands($0) }
  }

  @Test func `boxes find the devices inside`() throws {
    for (text, box) in [
      ("7.4,46.9,7.5,47", try BoundingBox(west: 7.4, south: 46.9, east: 7.5, north: 47)),
      ("7,46,8,48", try BoundingBox(west: 7, south: 46, east: 8, north: 48)),
      ("170,-60,-100,60", try BoundingBox(west: 170, south: -60, east: -100, north: 60)),
      ("-180,-90,180,90", .world),
    ] {
      try check([("bbox", text)]) { world.stands($0) && box.contains($0.point) }
    }
  }

  @Test func `categories match any of those given`() throws {
    for codes in [["camera_fixed"], ["webcam", "beacon", "toy"]] {
      try check([("category", codes.joined(separator: ","))]) {
        world.stands($0) && codes.contains($0.fields.category)
      }
    }
  }

  @Test func `data collected matches a term and all narrower ones`() throws {
    for code in ["visual", "video", "identification", "inferred"] {
      let meant = world.vocabulary.withDescendants(of: code, in: .data)
      try check([("data_collected", code)]) { entry in
        world.stands(entry) && entry.fields.dataCollected.contains { meant.contains($0) }
      }
    }
  }

  @Test func `choices match any of those offered`() throws {
    for codes in [["opt_out"], ["access", "erase", "none_offered"]] {
      try check([("choices", codes.joined(separator: ","))]) { entry in
        world.stands(entry) && entry.fields.choices.contains { codes.contains($0.kind) }
      }
    }
  }

  @Test func `operators are matched by name, which may contain a comma`() throws {
    try check([("operator", "Acme, Inc.")]) {
      world.stands($0) && $0.fields.answersFor?.name == "Acme, Inc."
    }
    try check([("operator", "Acme, Inc."), ("operator", "Stadt Bern")]) {
      world.stands($0) && ["Acme, Inc.", "Stadt Bern"].contains($0.fields.answersFor?.name)
    }
    try check([("operator", "nobody")]) { _ in false }
  }

  @Test(arguments: Operator.Kind.allCases)
  func `operator kinds match, unknown when there is no operator`(kind: Operator.Kind) throws {
    try check([("operator_kind", kind.rawValue)]) {
      world.stands($0) && ($0.fields.answersFor?.kind ?? .unknown) == kind
    }
  }

  @Test func `settings match any of those given`() throws {
    for settings in [[Setting.indoor], [.public, .outdoor]] {
      try check([("setting", settings.map(\.rawValue).joined(separator: ","))]) { entry in
        world.stands(entry) && settings.contains { $0 == entry.fields.setting }
      }
    }
  }

  @Test func `removed and mistaken devices are listed only on request`() throws {
    for statuses in [[DeviceStatus.removed], [.notADevice], [.confirmed, .removed]] {
      try check([("status", statuses.map(\.rawValue).joined(separator: ","))]) {
        statuses.contains($0.fields.status)
      }
    }
  }

  @Test(arguments: Freshness.allCases)
  func `freshness is computed from today`(freshness: Freshness) throws {
    try check([("freshness", freshness.rawValue)]) {
      world.stands($0) && Freshness(staleOn: world.staleOn($0), today: world.today) == freshness
    }
  }

  @Test func `several freshness values are combined with or`() throws {
    try check([("freshness", "due,stale")]) {
      world.stands($0) && Freshness(staleOn: world.staleOn($0), today: world.today) != .fresh
    }
  }

  @Test(arguments: ["camera", "cam", "north gate", "駅前", "nobody says this"])
  func `common words give the same results in the index and in SQL`(words: String) throws {
    var filters = [DeviceFilter(), DeviceFilter(), DeviceFilter()]
    filters[1][CategoryCondition.self] = CategoryCondition(codes: ["camera_fixed", "webcam"])
    filters[2][BoxCondition.self] = BoxCondition(
      try BoundingBox(west: 170, south: -60, east: -100, north: 60))
    let named = WordCondition(words).named(app.vocabulary)
    for var filter in filters {
      filter[WordCondition.self] = WordCondition(words)
      try app.database.read { connection in
        let condition = try filter.condition(
          vocabulary: app.vocabulary, today: app.environment.now().day, connection: connection)
        let expected = try connection.rows(
          "SELECT device.rowid FROM \(DeviceStore.tables) WHERE \(condition.sql) ORDER BY 1",
          condition.arguments
        ) { UInt32(clamping: $0.int(0)) }
        let points = try #require(
          try filter.pointFilter(
            vocabulary: app.vocabulary, today: app.environment.now().day, few: -1, connection))
        let page = app.app.index.snapshot.rowids(matching: points, limit: 1_000)
        #expect(page.rowids == expected)
        #expect(page.total == expected.count)
        // Words that name categories need no rows from SQL.
        #expect(
          try named?.others.isEmpty == true
            || filter.pointFilter(
              vocabulary: app.vocabulary, today: app.environment.now().day, few: 240, connection)
              == nil,
          "so few are left to SQL")
      }
    }
  }

  @Test func `words match name, operator and description without diacritics`() throws {
    func holds(_ entry: RandomWorld.Entry, _ word: String) -> Bool {
      [entry.fields.name, entry.fields.description, entry.fields.answersFor?.name].contains {
        $0?.contains(word) ?? false
      }
    }
    for (typed, word) in [
      ("praca", "praça"), ("PRAÇA", "praça"), ("evora", "Évora"), ("駅", "駅前"), ("gat", "gate"),
    ] {
      try check([("q", typed)]) { world.stands($0) && holds($0, word) }
    }
    try check([("q", "north gate")]) {
      world.stands($0) && holds($0, "north") && holds($0, "gate")
    }
    try check([("q", "…!")]) { _ in false }
  }

  @Test func `filters are combined with and`() throws {
    let box = try BoundingBox(west: 7, south: 46, east: 8, north: 48)
    try check([("bbox", "7,46,8,48"), ("status", "reported,removed"), ("setting", "public")]) {
      box.contains($0.point) && [.reported, .removed].contains($0.fields.status)
        && $0.fields.setting == .public
    }
  }

  @Test func `countries match those of the device`() throws {
    for (number, entry) in world.entries.enumerated() where number % 3 == 0 {
      try app.edit(entry.stored) {
        $0.columns.append(("country", .text(number % 2 == 0 ? "PT" : "CH")))
      }
    }
    let reported = world.entries.enumerated().filter {
      $0.offset % 6 == 0 && world.stands($0.element)
    }
    try check([("country", "PT")]) { entry in
      reported.contains { $0.element.stored.id == entry.stored.id }
    }
    try check([("country", "FR")]) { _ in false }
  }

  @Test func `the nearest come first and have their distance`() throws {
    let here = try Coordinate(longitude: 7.45, latitude: 46.95)
    let sorted = world.entries.filter { world.stands($0) }
      .sorted { $0.point.distance(to: here) < $1.point.distance(to: here) }
    for more in [[], [Self.sqlOnly]] {
      let query = [("near", "7.45,46.95"), ("sortby", "distance"), ("limit", "40")] + more
      let answer = app.send(target: Request.target(Path.items, query))
      let distances = try answer.features.map { feature in
        try #require(feature["properties"]?["distance"]?.numberValue)
      }
      #expect(try answer.matched == sorted.count)
      for (found, expected) in zip(distances, sorted) {
        let metres = expected.point.distance(to: here)
        #expect(abs(found - metres) <= max(1, metres * 0.006))
      }
    }
  }
}
