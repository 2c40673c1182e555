import JSON
@testable import PrivacyMap
@testable import Service
import Testing

/// One declaration gives the JSON and the schema of an object.
@Suite struct JSONShapeTests {
  private enum Kind: String, CaseIterable { case owl, bat }

  private struct Animal: Sendable {
    var name = "Strix"
    var kind = Kind.owl
    var owner: String?
    var chip: Int64?
    var seen: [Day] = []
    var mate: Mate?
  }

  private struct Mate: Sendable { let name: String }

  private static let mate = JSONShape<Mate>("mate", .text("name", \.name))
  private static let shape = JSONShape<Animal>(
    "animal", .text("name", \.name), .oneOf("kind", \.kind), .text("owner", \.owner),
    .count("chip", \.chip).optional, .init("seen", .list(of: .day), \.seen),
    .object("mate", mate, \.mate), .added("version", .text))

  @Test func `a missing value is null, and an optional member is absent`() {
    let json: JSONValue = [
      "name": "Strix", "kind": "owl", "owner": .null, "seen": [], "mate": .null,
    ]
    #expect(Self.shape.json(Animal()) == json)
  }

  @Test func `present values are written in the order of the declaration`() {
    let animal = Animal(
      kind: .bat, owner: "Ana", chip: 7, seen: [Day(text: "2026-11-21")].compactMap { $0 },
      mate: Mate(name: "Otus"))
    let text =
      #"{"name":"Strix","kind":"bat","owner":"Ana","chip":7,"seen":["2026-11-21"],"#
      + #""mate":{"name":"Otus"}}"#
    #expect(Self.shape.json(animal).text == text)
    var json = JSONWriter()
    Self.shape.write(animal, to: &json)
    #expect(String(decoding: json.bytes, as: UTF8.self) == text)
  }

  @Test func `only members that are always present are required`() {
    let schema = Self.shape.component.value
    #expect(schema["required"] == ["name", "kind", "owner", "seen", "mate"])
    #expect(schema["properties"]?["name"] == ["type": "string"])
    #expect(schema["properties"]?["kind"] == ["type": "string", "enum": ["owl", "bat"]])
    #expect(schema["properties"]?["owner"] == ["type": "string", "nullable": true])
    #expect(schema["properties"]?["chip"] == ["type": "integer", "minimum": 0])
    #expect(schema["properties"]?["version"] == ["type": "string"])
  }

  @Test func `a named shape is a reference, which may be null beside it`() {
    #expect(Self.mate.schema.value == ["$ref": "#/components/schemas/mate"])
    let nullable = Self.shape.component.value["properties"]?["mate"]
    #expect(nullable?["oneOf"]?[0] == Self.mate.schema.value)
    #expect(nullable?["oneOf"]?[1]?["nullable"] == true)
  }

  @Test func `the JSON has the schema`() {
    let document: JSONValue = [
      "components": [
        "schemas": [
          "mate": Self.mate.component.value, "animal": Self.shape.component.value,
        ]
      ]
    ]
    let check = SchemaCheck(document: document)
    let all = [
      Animal(), Animal(owner: "Ana", chip: 0, mate: Mate(name: "")),
      Animal(seen: [Day(daysSinceEpoch: 0)]),
    ]
    for animal in all {
      let json = Self.shape.json(animal)
      #expect(check.faults(of: json, against: Self.shape.schema.value) == [])
    }
    let wrong = Self.shape.json(Animal(chip: -1))
    #expect(check.faults(of: wrong, against: Self.shape.schema.value) == ["$.chip: below 0.0"])
  }

  @Test func `an extended shape has the members of both`() {
    let more = Self.mate.extended(as: "ringedMate", .flag("ring") { _ in true })
    #expect(more.json(Mate(name: "Otus")) == ["name": "Otus", "ring": true])
    #expect(more.component.key == "ringedMate")
    #expect(more.component.value["required"] == ["name", "ring"])
    #expect(Self.mate.component.value["required"] == ["name"])
  }

  @Test func `a group reads the same value, and is null where its condition is false`() {
    let shape = JSONShape<Mate>(
      nil, .group("a", .text("name", \.name)),
      .group("b", if: { !$0.name.isEmpty }, .text("name", \.name)))
    #expect(shape.json(Mate(name: "Otus")) == ["a": ["name": "Otus"], "b": ["name": "Otus"]])
    #expect(shape.json(Mate(name: "")) == ["a": ["name": ""], "b": .null])
    let properties = shape.schema.value["properties"]
    #expect(properties?["a"]?["nullable"] == nil)
    #expect(properties?["b"]?["nullable"] == true)
  }

  @Test func `a shape within another value reads a part of it`() {
    let ofMate = Self.mate.within { (pair: (Mate, Int)) in pair.0 }
    #expect(ofMate.json((Mate(name: "Otus"), 1)) == ["name": "Otus"])
  }

  @Test func `a page has its items, the cursor, and counts where declared`() {
    let page = ListPage([["name": "Otus"]], next: nil, counts: ["owl": 1], due: ["1"])
    let plain = JSONShape<ListPage>("mates", of: Self.mate.schema, in: "mates")
    #expect(plain.json(page) == ["mates": [["name": "Otus"]], "next": .null])
    let whole = JSONShape<ListPage>(
      "mates", of: Self.mate.schema, in: "mates", hasCounts: true, hasDue: true)
    #expect(
      whole.json(page) == [
        "mates": [["name": "Otus"]], "counts": ["owl": 1], "due": ["1"], "next": .null,
      ])
  }

  @Test func `a dictionary literal is an object of required members`() {
    let schema: JSONSchema = ["name": .text(1...60), "note": .text(maximum: 5).orNull.optional]
    #expect(
      schema.value == [
        "type": "object",
        "properties": [
          "name": ["type": "string", "minLength": 1, "maxLength": 60],
          "note": ["type": "string", "maxLength": 5, "nullable": true],
        ], "required": ["name"],
      ])
    let empty: JSONSchema = [:]
    #expect(empty.value["required"] == nil)
  }

  @Test(arguments: [(0, "0"), (180, "180"), (-9.139_512_349, "-9.1395123"), (0.5, "0.5")])
  func `degrees have at most seven decimals`(degrees: Double, text: String) {
    #expect(Degrees(degrees).json.text == text)
    #expect(written(Degrees(degrees)) == text)
  }

  @Test func `a value is written like its JSON`() throws {
    let box = try BoundingBox(west: -9.139_512_349, south: 0, east: 180, north: 0.5)
    #expect(written(box) == "[-9.1395123,0,180,0.5]")
    #expect(box.json.text == written(box))
    let texts: [String?] = ["é\"\\\n", nil, ""]
    #expect(texts.json.text == written(texts))
    #expect(written(Int64.min) == Int64.min.json.text)
    #expect(written(1e300) == 1e300.json.text)
    #expect(written(true) == "true")
  }

  private func written(_ value: some JSONRepresentable) -> String {
    var writer = JSONWriter()
    value.write(to: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
