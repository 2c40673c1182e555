package import JSON

/// The schema of a JSON value, in the dialect of OpenAPI 3.0.
///
/// A dictionary literal is an object whose members are required unless marked ``optional``:
///
///     ["name": .text(1...60), "note": .text(most: 500).optional]
package struct JSONSchema: Sendable, ExpressibleByDictionaryLiteral {
  private(set) var keywords: JSONObject
  /// Whether an object must contain it.
  private(set) var isRequired = true

  package init(_ keywords: JSONObject) { self.keywords = keywords }

  package init(dictionaryLiteral members: (String, JSONSchema)...) { self = .object(members) }

  package var value: JSONValue { .object(keywords) }

  /// The same schema of a number, text or list in the dialect 2020-12 of JSON Schema, where `exclusiveMinimum` is
  /// the limit itself and not a flag.
  package var inDraft2020: JSONValue {
    guard keywords["exclusiveMinimum"] == true, let limit = keywords["minimum"] else {
      return value
    }
    var keywords = keywords
    keywords["minimum"] = nil
    keywords["exclusiveMinimum"] = limit
    return .object(keywords)
  }

  /// The same value as a member that may be absent.
  package var optional: JSONSchema {
    var schema = self
    schema.isRequired = false
    return schema
  }

  /// The same value, or null.
  package var orNull: JSONSchema {
    // In OpenAPI 3.0, `nullable` takes effect only next to a `type` in the same schema.
    guard keywords["$ref"] == nil else {
      let null: JSONValue = ["type": "object", "nullable": true, "enum": [.null]]
      return JSONSchema(["oneOf": [value, null]])
    }
    guard let words = keywords["enum"]?.arrayValue else { return with("nullable", true) }
    // JSON Schema forbids a value twice.
    if words.contains(.null) { return self }
    // An `enum` restricts null too (OpenAPI 3.0.3, “Proposal: Clarify Nullable”).
    return with("nullable", true).with("enum", .array(words + [.null]))
  }

  /// The same schema with a further keyword, such as `description` or `default`.
  package func with(_ keyword: String, _ value: JSONValue) -> JSONSchema {
    var schema = self
    schema.keywords[keyword] = value
    return schema
  }
}

extension JSONSchema {
  private static func string(_ format: String) -> JSONSchema {
    JSONSchema(["type": "string", "format": .string(format)])
  }

  package static let text = JSONSchema(["type": "string"])
  package static let uuid = string("uuid")
  package static let uri = string("uri")
  package static let day = string("date")
  package static let time = string("date-time")
  package static let email = string("email")
  package static let password = string("password")
  /// Bytes of a file in a form.
  package static let file = string("binary")
  package static let flag = JSONSchema(["type": "boolean"])
  package static let integer = JSONSchema(["type": "integer"])
  package static let number = JSONSchema(["type": "number"])
  /// An integer of at least 0.
  package static let count = integer.with("minimum", 0)
  /// An object with members of any kind.
  package static let object = JSONSchema(["type": "object"])
  /// An object of texts by name.
  package static let textsByName = object.with("additionalProperties", text.value)
  /// An object of counts by name.
  package static let countsByName = object.with("additionalProperties", count.value)
  /// Any JSON value, or null.
  package static let any = JSONSchema(["nullable": true])
  /// West, south, east and north in degrees.
  package static let box = list(of: number).with("minItems", 4).with("maxItems", 4)
  package static let links = list(of: reference("link"))
  /// A GeoJSON point.
  package static let point: JSONSchema = [
    "type": .oneOf(["Point"]),
    "coordinates": list(of: number).with("minItems", 2).with("maxItems", 2),
  ]

  /// A page of GeoJSON features with this schema, and further members.
  package static func page(
    of schema: String, with more: [(String, JSONSchema)] = []
  ) -> JSONSchema {
    .object(
      [
        ("type", .oneOf(["FeatureCollection"])), ("features", .list(of: .reference(schema))),
        ("links", links.optional), ("timeStamp", time.optional),
        ("numberMatched", count.optional), ("numberReturned", count.optional),
      ] + more)
  }

  /// A text of at most `maximum` characters.
  package static func text(maximum: Int64) -> JSONSchema {
    text.with("maxLength", .integer(maximum))
  }

  /// A text with this number of characters.
  package static func text(_ length: ClosedRange<Int64>) -> JSONSchema {
    text.with("minLength", .integer(length.lowerBound))
      .with("maxLength", .integer(length.upperBound))
  }

  package static func integer(_ range: ClosedRange<Int64>) -> JSONSchema {
    integer.with("minimum", .integer(range.lowerBound))
      .with("maximum", .integer(range.upperBound))
  }

  /// An integer of at least `least`.
  package static func integer(from minimum: Int64) -> JSONSchema {
    integer.with("minimum", .integer(minimum))
  }

  package static func oneOf(_ words: [String]) -> JSONSchema {
    text.with("enum", .array(words.map { .string($0) }))
  }

  package static func oneOf<Word: RawRepresentable<String> & CaseIterable>(
    _ words: Word.Type
  ) -> JSONSchema { oneOf(words.allCases.map(\.rawValue)) }

  package static func list(of item: JSONSchema) -> JSONSchema {
    JSONSchema(["type": "array", "items": item.value])
  }

  /// A value that satisfies each of the schemas.
  package static func all(of schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(["allOf": .array(schemas.map(\.value))])
  }

  /// The schema with this name in the document.
  package static func reference(_ name: String) -> JSONSchema {
    JSONSchema(["$ref": .string("#/components/schemas/\(name)")])
  }

  package static func object(_ members: [(String, JSONSchema)]) -> JSONSchema {
    let required = members.filter(\.1.isRequired).map { JSONValue.string($0.0) }
    let properties = JSONObject(members.map { (key: $0.0, value: $0.1.value) })
    let schema = object.with("properties", .object(properties))
    return required.isEmpty ? schema : schema.with("required", .array(required))
  }

  /// Schemas by name, as ``Feature/schemas`` returns them.
  package static func named(_ schemas: KeyValuePairs<String, JSONSchema>) -> [Named] {
    schemas.map { ($0.key, $0.value.value) }
  }

  /// A schema by its name in the OpenAPI document.
  package typealias Named = (key: String, value: JSONValue)
}
