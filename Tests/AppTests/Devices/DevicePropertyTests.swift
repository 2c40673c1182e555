import Downloads
import Foundation
@testable import Contributions
@testable import Import
import JSON
import PrivacyMap
@testable import Reading
@testable import Service
import SpatialDatabase
import Testing
import WebServer
import WrittenValues

/// Every plain property of a device exists in all places: CONTRIBUTING.md, "Add a property to a device".
@Suite struct DevicePropertyTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
    // A missing column fails every statement on devices, also those for other properties.
    let columns = try app.database.read { connection in
      try connection.columns(of: "device")
    }
    let missing = DeviceProperty.plain.map(\.name).filter { !columns.contains($0) }
    try #require(
      missing.isEmpty, "The table device lacks the columns \(missing): add them in migrations/.")
  }

  private func file(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// An acceptable value of a property.
  private func value(_ property: DeviceProperty) throws -> JSONValue {
    func code(_ scheme: Scheme) throws -> JSONValue {
      .string(try #require(app.vocabulary.terms(of: scheme).first).code)
    }
    switch property.entry {
    case .text: return "Some words"
    case .code(_, let scheme): return try code(scheme)
    case .codes(_, let scheme, _): return [try code(scheme)]
    case .word(_, let words): return .string(try #require(words.last))
    case .integer(_, let range): return .integer(Int64(range.lowerBound + 1))
    case .number(_, let numbers):
      return .double(((numbers.likely.lowerBound + numbers.likely.upperBound) / 2).rounded() + 0.5)
    case .duration: return "P30D"
    case .date: return "2019-04"
    case .day: return "2026-11-02"
    case .bearings: return [90.5]
    case .own, .computed: return .null
    }
  }

  /// The value as a text in a list or a table.
  private func text(_ value: JSONValue) -> String {
    switch value {
    case .array(let items): items.map(text).joined(separator: ";")
    case .string(let text): text
    case .integer(let number): "\(number)"
    default: value.numberValue.map { "\($0)" } ?? ""
    }
  }

  /// The response to a value, or the probable cause of a 500.
  private func words(_ name: String, _ answer: TestAnswer) -> Comment {
    guard answer.status == .internalServerError else { return "\(name): \(answer.text)" }
    return """
      \(name): the database probably refuses the value. Compare the type and the CHECK of the \
      column in migrations/ with Sources/PrivacyMap/Devices/DeviceFields.swift.
      """
  }

  /// The extreme values of a property; none if it has no limits.
  private func extremes(_ property: DeviceProperty) -> [JSONValue] {
    switch property.entry {
    case .text(_, let length, _):
      return [length.lowerBound, length.upperBound].map {
        .string(String(repeating: "a", count: $0))
      }
    case .integer(_, let range):
      return [range.lowerBound, range.upperBound].map { .integer(Int64($0)) }
    case .number(_, let numbers):
      let lowest = numbers.range.lowerBound
      return [numbers.isAboveLowest ? lowest + 0.5 : lowest, numbers.range.upperBound].map {
        .double($0)
      }
    default: return []
    }
  }

  @Test func `the column of each accepts both limits`() throws {
    let id = try app.added(as: ana)
    for property in DeviceProperty.plain {
      for value in extremes(property) {
        let answer = try app.patch(
          id, ["properties": .object(JSONObject([(property.name, value)]))], as: ana.identity)
        #expect(answer.status == .ok, words(property.name, answer))
      }
    }
  }

  @Test func `each is accepted when a device is added, and is in its response`() throws {
    for (number, property) in DeviceProperty.plain.enumerated() {
      let sent = try value(property)
      let answer = app.add(
        Sent.feature(.object(JSONObject([(property.name, sent)])), longitude: Double(number)),
        as: ana.identity)
      #expect(answer.status == .created, words(property.name, answer))
      guard answer.status == .created else { continue }
      #expect(DeviceChange.mean(try answer.property(property.name), sent), "\(property.name)")
    }
  }

  @Test func `each is changed by a patch, removed by null, and undone by its history`() throws {
    let id = try app.added(as: ana)
    for property in DeviceProperty.plain {
      let (name, sent) = (property.name, try value(property))
      func patch(_ value: JSONValue) throws -> TestAnswer {
        try app.patch(
          id, ["properties": .object(JSONObject([(name, value)]))], as: ana.identity)
      }
      let changed = try patch(sent)
      #expect(changed.status == .ok, words(name, changed))
      guard changed.status == .ok else { continue }
      #expect(DeviceChange.mean(try changed.property(name), sent), "\(name)")
      #expect(try patch(sent).property("revision") == changed.property("revision"), "\(name)")
      let removed = try patch(.null)
      #expect(DeviceChange.mean(try removed.property(name), nil), "\(name)")
      let revision = try #require(try changed.property("revision")?.intValue)
      let restored = app.send(
        .post, Path.item(id) + "/history/\(revision)/restore",
        headers: ["If-Match": try app.tag(id)], json: [:], as: ana.identity)
      #expect(DeviceChange.mean(try restored.property(name), sent), "\(name): \(restored.text)")
      _ = try patch(.null)
    }
  }

  @Test func `an object is no value of a property that is none`() throws {
    let id = try app.added(["units": 3], as: ana)
    for property in DeviceProperty.plain {
      let answer = try app.patch(
        id, ["properties": .object(JSONObject([(property.name, ["a": 1] as JSONValue)]))],
        as: ana.identity)
      #expect(answer.status == .badRequest, "\(property.name): \(answer.text)")
      #expect(try answer.fields == [property.name])
    }
    #expect(try app.get(Path.item(id)).property("units") == 3)
  }

  @Test func `each is in the OpenAPI document`() throws {
    let document = try app.get("/api/openapi.json").json
    for schema in ["device", "sentDevice", "devicePatch"] {
      let members = try #require(
        document["components"]?["schemas"]?[schema]?["properties"]?["properties"]?["properties"]?
          .objectValue)
      for property in DeviceProperty.plain {
        #expect(members[property.name] != nil, "\(schema) \(property.name)")
      }
    }
  }

  @Test func `each is in exports`() throws {
    var all = JSONObject()
    for property in DeviceProperty.plain { all[property.name] = try value(property) }
    let answer = app.add(Sent.feature(.object(all)), as: ana.identity)
    try #require(answer.status == .created, words("all together", answer))
    let table = app.table()
    let feature = try #require(try app.export(.geojson).json["features"]?[0]?["properties"])
    for (name, value) in all.members {
      #expect(try table.column(name) == [text(value)], "\(name)")
      #expect(DeviceChange.mean(feature[name], value), "\(name)")
    }
  }

  @Test func `each can be mapped by an import`() throws {
    for property in DeviceProperty.plain {
      let sent = try value(property)
      let mapping = try ImportMapping([
        "source": ["code": "test", "name": "Test", "licence": "CC0-1.0", "attribution": "-"],
        "fields": .object(
          JSONObject([
            ("category", "webcam"), ("name", ["value": "A"] as JSONValue),
            (property.name, ["from": "a", "split": ";"] as JSONValue),
          ])),
      ])
      let row = SourceRow(
        number: 1, columns: ["a": .string(text(sent))],
        place: .point(longitude: 7.4, latitude: 46.9))
      let outcomes = RowMapper(
        mapping: mapping, vocabulary: app.vocabulary, today: app.clock.now.day
      ).outcomes(for: row)
      guard case .device(let device) = outcomes.first else {
        Issue.record("\(property.name): \(outcomes)")
        continue
      }
      #expect(property.isSet(in: device.fields), "\(property.name): \(device.notes)")
    }
  }

  @Test(arguments: ["en", "pt"])
  func `each has a name in both languages`(language: String) throws {
    let words = try JSONValue(parsing: Array(file("public/locale/\(language).json").utf8))
    for property in DeviceProperty.plain {
      #expect(
        words["field.\(property.name)"] != nil,
        "public/locale/\(language).json: field.\(property.name)")
    }
  }

  @Test func `each is described to the pages, and none else`() throws {
    let path = "public/js/devices/properties.js"
    let names = try file(path).components(separatedBy: "name: '").dropFirst()
      .map { String($0.prefix { $0 != "'" }) }
    let own = DeviceProperty.all.filter { $0.isEntered }.map(\.name)
    #expect(
      Set(DeviceProperty.plain.map(\.name)).subtracting(names).isEmpty, "\(path) lacks these")
    #expect(
      Set(names).subtracting(own).isEmpty,
      "\(path) has these, Sources/PrivacyMap/Devices/DeviceFields.swift does not")
    #expect(Set(names).count == names.count, "\(path) has a name twice")
  }

  /// The form of a page may be narrower than the server, for example for an unlikely height.
  @Test func `the form accepts only what the server accepts`() throws {
    let path = "public/js/devices/properties.js"
    let entries = try file(path).matches(of: /\{[^{}]*\bname: '(\w+)'[^{}]*\}/)
    func number(_ name: String, in entry: Substring) throws -> Double? {
      let pattern = try Regex("\\b\(name): (-?[\\d_.]+)", as: (Substring, Substring).self)
      return entry.firstMatch(of: pattern).flatMap {
        Double($0.1.replacingOccurrences(of: "_", with: ""))
      }
    }
    var compared = 0
    for property in DeviceProperty.plain {
      guard let entry = entries.first(where: { $0.1 == property.name })?.0,
        let maximum = try number("most", in: entry)
      else { continue }
      let least = try number("least", in: entry) ?? 0
      switch property.entry {
      case .text(_, let length, _):
        #expect(maximum <= Double(length.upperBound), "\(path): most of \(property.name)")
      case .integer(_, let range):
        #expect(least >= Double(range.lowerBound), "\(path): least of \(property.name)")
        #expect(maximum <= Double(range.upperBound), "\(path): most of \(property.name)")
      case .number(_, let numbers):
        #expect(least >= numbers.range.lowerBound, "\(path): least of \(property.name)")
        #expect(maximum <= numbers.range.upperBound, "\(path): most of \(property.name)")
      default: continue
      }
      compared += 1
    }
    #expect(compared >= 6)
  }

  @Test func `each is declared as stored`() throws {
    let stored = try JSONValue(parsing: Array(file("public/terms/stored.json").utf8))
    let groups = (stored["personal"]?.arrayValue ?? []).compactMap { $0["columns"] }
    let columns = (groups + [stored["impersonal"] ?? .null]).flatMap {
      $0["device"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
    #expect(
      Set(DeviceProperty.plain.map(\.name)).subtracting(columns).isEmpty,
      "public/terms/stored.json lacks these, under impersonal and device")
  }
}
