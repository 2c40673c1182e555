@testable import App
@testable import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import Testing
import WebServer

/// A condition as an engineer would add it: the index lacks its data.
private struct MentionCondition: DeviceCondition {
  let word: String

  static func parameters(_: Vocabulary) -> [Parameter] {
    [.query("mentions", .text(), "Devices whose name or description has this text.")]
  }

  init?(_ query: Query, _: DeviceParameters) {
    guard let word = query["mentions"] else { return nil }
    self.word = word
  }

  func write(to clauses: inout FilterClauses, _: borrowing Connection) {
    let pattern = SQLValue.text("%\(word)%")
    clauses.add("(device.name LIKE ? OR device.description LIKE ?)", [pattern, pattern])
  }

  func held(on former: some FormerDevice, _ connection: borrowing Connection) throws -> Bool? {
    guard !former.changed.isDisjoint(with: ["name", "description"]) else { return nil }
    return try former.texts(connection).contains { $0.contains(word) }
  }
}

/// One that the index answers.
private struct IndoorCondition: DeviceCondition {
  static func parameters(_: Vocabulary) -> [Parameter] {
    [.query("indoors", .boolean, "Devices inside of buildings.")]
  }

  init?(_ query: Query, _: DeviceParameters) { if query["indoors"] != "true" { return nil } }

  func write(to clauses: inout FilterClauses, _: borrowing Connection) {
    clauses.add("device.setting = ?", ["indoor"])
  }

  func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    points.settings = [IndexNumber.of(Setting.indoor) + 1]
    return true
  }
}

private struct Mentions: FilteringFeature {
  static let conditions: [any DeviceCondition.Type] = [
    MentionCondition.self, IndoorCondition.self,
  ]

  init(_: Instance) {}
}

/// A condition is one type; every reader of filters then has it.
@Suite struct OwnConditionTests {
  private static let examples: [(name: String, value: String, column: String, SQLValue, SQLValue)] =
    [
      ("mentions", "lamp", "name", "Old lamp", "Old wall"),
      ("mentions", "lamp", "description", "On a lamp post", "On a wall"),
      ("indoors", "true", "setting", "indoor", "outdoor"),
    ]

  @Test(arguments: examples.indices)
  func `a condition of a feature is read by lists, statistics, feeds, live changes and watches`(
    number: Int
  ) throws {
    let (name, value, column, meeting, missing) = Self.examples[number]
    let app = try TestApp(features: App.kinds + [Mentions.self])
    let one = try app.device(longitude: 6.5, latitude: 46.5)
    let other = try app.device(longitude: 6.5, latitude: 46.5)
    try app.set(one, [(column, meeting)])
    try app.set(other, [(column, missing)])
    try app.check([(name, value)], finds: [one.id])
    let listener = try app.listen([(name, value)])
    _ = listener.events(1)
    _ = try app.watch(
      ["filter": [name: .string(value)], "events": ["added", "removed"]],
      of: try app.account("ana"))
    try app.set(one, [(column, missing)])
    _ = listener.events(2)
    try app.set(other, [(column, meeting)])
    try app.check([(name, value)], finds: [other.id])
    #expect(listener.events(3).map(\.name) == ["ready", "removed", "changed"])
    #expect(try app.reported() == ["removed \(column)", "added \(column)"])
    let document = app.get("/api/openapi.json").text
    #expect(document.contains("\"\(name)\""))
  }
}
