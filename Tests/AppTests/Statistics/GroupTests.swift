@testable import App
@testable import Devices
import JSON
import PrivacyMap
@testable import Reading
import SpatialDatabase
import Testing
import WebServer

/// Counts by property, compared with a plain list.
@Suite struct GroupTests {
  let app: TestApp
  let world: RandomWorld

  init() throws {
    app = try TestApp()
    world = try RandomWorld(app, count: 260)
  }

  private func expected(
    _ keys: (RandomWorld.Entry) -> [String], where isMeant: (RandomWorld.Entry) -> Bool
  ) -> [String: Int] {
    var counts: [String: Int] = [:]
    for entry in world.entries where isMeant(entry) {
      for key in keys(entry) { counts[key, default: 0] += 1 }
    }
    return counts
  }

  /// The groups of a device under each property, from a list of its feature.
  private func keys(_ property: String, _ entry: RandomWorld.Entry) -> [String] {
    let fields = entry.fields
    func several(_ codes: [String]) -> [String] { codes.isEmpty ? ["-"] : codes }
    switch property {
    case "category": return [fields.category]
    case "data_collected": return several(fields.dataCollected)
    case "operator":
      // A name on a household device may be the name of a person.
      let isHousehold = app.vocabulary.category(fields.category)?.isHousehold == true
      return [isHousehold ? "-" : fields.answersFor?.name ?? "-"]
    case "operator_kind": return [(fields.answersFor?.kind ?? .unknown).rawValue]
    case "setting": return [fields.setting?.rawValue ?? "-"]
    case "zone": return [fields.zone ?? "-"]
    case "status": return [fields.status.rawValue]
    case "precision": return [entry.placement.precision.rawValue]
    case "choices": return several(fields.choices.map(\.kind))
    case "legal_basis": return [fields.legalBasis ?? "-"]
    case "freshness":
      return [Freshness(staleOn: world.staleOn(entry), today: world.today).rawValue]
    default: return ["-"]  // neither source nor country is known of any
    }
  }

  @Test(arguments: StatisticsProperty.allCases.map(\.rawValue))
  func `a property counts every device once, or under each of its codes`(property: String) throws {
    for query in [[], [("q", "north")], [("bbox", "7.3,46.8,7.6,47.1")]] {
      let found = try app.statistics([("group_by", property)] + query)
      let expected = expected({ keys(property, $0) }) { entry in
        guard world.stands(entry) else { return false }
        switch query.first?.0 {
        case "q": return Self.text(entry).contains("north")
        case "bbox":
          return (7.3...7.6).contains(entry.point.longitude)
            && (46.8...47.1).contains(entry.point.latitude)
        default: return true
        }
      }
      #expect(try found.counts(property) == expected)
      #expect(expected.isEmpty == (found.total == 0))
    }
  }

  private static func text(_ entry: RandomWorld.Entry) -> String {
    entry.fields.name + (entry.fields.description ?? "")
  }

  @Test(arguments: [
    ("category", "setting"), ("data_collected", "choices"), ("operator", "status"),
    ("freshness", "operator"), ("zone", "freshness"), ("legal_basis", "data_collected"),
  ])
  func `two properties are combined`(first: String, second: String) throws {
    let found = try app.statistics([("group_by", "\(first),\(second)")])
    let expected = expected({ entry in
      keys(first, entry).flatMap { first in keys(second, entry).map { "\(first) \($0)" } }
    }) { world.stands($0) }
    #expect(try found.counts(first, second) == expected)
  }

  @Test func `the headline counts devices with known values`() throws {
    let found = try app.statistics()
    let standing = world.entries.filter { world.stands($0) }
    let none: Set<String> = ["none_offered", "notice_only", "unknown"]
    #expect(found.total == standing.count)
    #expect(
      found.headline("operator_known")
        == standing.count {
          $0.fields.answersFor?.name != nil || $0.fields.answersFor?.kind == .household
        })
    #expect(found.headline("retention_known") == standing.count { $0.fields.retention != nil })
    #expect(
      found.headline("choice_offered")
        == standing.count { !Set($0.fields.choices.map(\.kind)).subtracting(none).isEmpty })
    let share = try #require(found.json["headline"]?["retention_known"]?["share"]?.numberValue)
    let count = try #require(found.headline("retention_known"))
    #expect(abs(share - Double(count) / Double(standing.count)) < 1e-12)
  }

  @Test func `an empty selection has no shares`() throws {
    let found = try app.statistics([("q", "nothing-is-called-this")])
    #expect(found.total == 0)
    #expect(found.json["headline"]?["operator_known"]?["share"] == .null)
    #expect(found.json["groups"] == [])
  }

  @Test func `the largest come first, the unknown last, and the rest is summed`() throws {
    let all = try #require(
      try app.statistics([("group_by", "zone")]).json["groups"]?.arrayValue)
    let counts = all.compactMap { $0["count"]?.intValue }
    #expect(counts == counts.sorted(by: >))
    let few = try app.statistics([("group_by", "zone"), ("limit", "3")])
    #expect(few.json["groups"]?.arrayValue == Array(all.prefix(3)))
    #expect(few.json["rest"]?["groups"]?.intValue == all.count - 3)
    #expect(few.json["rest"]?["count"]?.intValue == counts.dropFirst(3).reduce(0, +))
    let exactly = try app.statistics([("group_by", "zone"), ("limit", "\(all.count)")])
    #expect(exactly.json["rest"] == .null)
  }

  @Test func `overlapping groups are marked`() throws {
    let found = try app.statistics([("group_by", "data_collected,category")])
    #expect(found.json["overlapping"] == ["data_collected"])
    #expect(found.json["definition"]?.stringValue?.contains("overlap") == true)
    let apart = try app.statistics([("group_by", "status,category")])
    #expect(apart.json["overlapping"] == [])
    #expect(apart.json["definition"]?.stringValue?.contains("overlap") == false)
  }

  @Test func `operators of one name are one, and sources have names`() throws {
    let app = try TestApp()
    for kind in [Operator.Kind.company, .public] {
      try app.device { $0.answersFor = Operator(name: "Both", kind: kind) }
    }
    try app.device()
    #expect(
      try app.statistics([("group_by", "operator")]).counts("operator") == ["Both": 2, "-": 1])
    try app.app.write { connection in
      try connection.execute(
        """
        INSERT INTO source (rowid, code, name, licence, attribution, share_alike)
        VALUES (7, 'x', 'A register', 'CC0-1.0', 'A city', 0)
        """)
      _ = try app.writer.add(
        DeviceFields(name: "Imported", category: "webcam"),
        at: DeviceWriter.Placement(
          place: try Coordinate(longitude: 1, latitude: 1), precision: .exact),
        source: (rowid: 7, key: nil), by: DeviceWriter.Author(kind: .import), connection)
    }
    #expect(
      try app.statistics([("group_by", "source")]).counts("source") == ["A register": 1, "-": 3])
  }
}
