import JSON
import Testing

/// The check of the tests that compares responses with the OpenAPI document.
@Suite struct SchemaCheckTests {
  @Test func `a value of another type, a missing and an undeclared member are faults`() {
    let schema: JSONValue = [
      "type": "object", "required": ["name", "at"],
      "properties": [
        "name": ["type": "string"], "at": ["type": "string", "format": "date", "nullable": true],
        "tags": ["type": "array", "items": ["type": "string", "enum": ["a", "b"]]],
      ],
    ]
    func faults(_ value: JSONValue) -> [String] {
      SchemaCheck(document: [:]).faults(of: value, against: schema)
    }
    #expect(faults(["name": "x", "at": "2026-11-21", "tags": ["a", "b"]]) == [])
    #expect(faults(["name": "x", "at": .null]) == [])
    #expect(faults(["name": 1, "at": .null]) == ["$.name: not of type string"])
    #expect(faults(["name": .null, "at": .null]) == ["$.name: null"])
    #expect(faults(["name": "x"]) == ["$.at: missing"])
    #expect(faults(["name": "x", "at": "today"]) == ["$.at: not in format date"])
    #expect(faults(["name": "x", "at": .null, "tags": ["c"]]) == ["$.tags[0]: not in enum"])
    #expect(faults(["name": "x", "at": .null, "more": 1]) == ["$.more: not declared"])
  }
}
